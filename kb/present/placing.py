"""Where commits lie among releases, as text."""

from __future__ import annotations

from collections.abc import Iterable

from kb.placed import in_words
from kb.present.text import Page, bullets, clean
from kb.scan.placing import Placed


def placing(found: Iterable[Placed], page: Page) -> list[str]:
    """A line for each commit: tags of releases, then what records pin."""
    return bullets((clean(_row(each)) for each in found), page.width)


def _row(each: Placed) -> str:
    where = in_words(each.build) if each.build else f"not placed: {each.why_not}"
    order = f", {each.build.order} commits up to it" if each.build and each.build.order else ""
    by = f" (pinned by {', '.join(each.named_by)})" if each.named_by else ""
    return f"{each.commit[:12]} {where}{order}{by}{', on record' if each.known else ''}"
