"""What rests on code that differs, as text."""

from __future__ import annotations

from collections.abc import Iterable

from kb.present.text import Page, bullets, clean, heading, wrap
from kb.scan.resting import Touched


def touched(found: Iterable[Touched], page: Page) -> list[str]:
    """Claims by the anchor that differs; nothing when no claim rests on any."""
    resting = [each for each in found if each.claims]
    if not resting:
        return []
    out = heading("Claims that rest on what differs", page)
    for each in resting:
        kind = f"{each.difference.status} {each.difference.kind}"
        out += wrap(clean(f"{each.anchor} ({kind})"), page.width, "  ")
        out += bullets((clean(f"{record}/{claim}") for record, claim, _ in each.claims), page.width, "  - ")
    return out
