"""Where something is first and last seen, as text."""

from __future__ import annotations

from collections.abc import Iterable

from kb.present.text import Page, bullets, clean, wrap
from kb.scan.presence import Kind, first_and_last, shipped
from kb.scan.sought import Sought
from kb.vocabulary import Artifact

STRIPPED = "A stripped library keeps only the names that others call: that one is absent says little by itself."


def sought(found: Iterable[Sought], page: Page) -> list[str]:
    """Per distribution and kind of artifact: first, last, and the ranges that `ships` of a record can state."""
    out: list[str] = []
    for each in found:
        first, last = first_and_last(each.found)
        seen = f"first seen in {first}, last in {last}" if first else "seen in none"
        title = f"{each.marker} in {each.distribution} ({each.artifact}, {len(each.found)} opened): {seen}"
        out += list(map(page.style.bold, wrap(clean(title), page.width)))
        facts = shipped(each.distribution, each.artifact, each.marker, each.found)
        out += bullets((f"{fact.versions}  {fact.ships}" for fact in facts), page.width)
        if each.hands_on:
            names = ", ".join(each.hands_on)
            out += wrap(clean(f"Where it requires {names}, that one's row tells what comes with it."), page.width, "  ")
        if not first and each.artifact is Artifact.WHEEL and each.marker.kind is Kind.SYMBOL:
            out += wrap(STRIPPED, page.width, "  ")
    return out or ["No release in that range is on the package index."]
