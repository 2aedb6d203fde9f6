"""Counts of a base in a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from kb.present.text import Page, heading, table, wrap
from kb.stats import Stats

MOST = 10
"""Values of a facet shown."""


def lines(stats: Stats, page: Page) -> list[str]:
    """Every count."""
    rows = [[str(count), f"{kind}s" if count != 1 else kind] for kind, count in stats.kinds.items()]
    found = table(rows, page.width, right=[0], indent="") or ["the base is empty"]
    found += _counted("Languages", stats.languages, page)
    found += heading("Outcomes of claims at the newest releases", page)
    rows = [[str(number), outcome] for outcome, number in stats.outcomes.items() if number or outcome == "unknown"]
    found += table(rows, page.width, right=[0]) or ["  no claim yet"]
    found += heading("Coverage", page) if stats.coverage or stats.uncovered else []
    rows = [[str(each["component"]), f"{each['since']} to {each['until']} ({each['date']})"] for each in stats.coverage]
    found += table(rows, page.width)
    if stats.uncovered:
        found += wrap(f"none yet: {', '.join(stats.uncovered)}", page.width, "  ")
    for field, counts in stats.facets.items():
        found += _counted(f"By {field}", counts, page)
    return found


def _counted(title: str, counts: Mapping[str, int], page: Page) -> list[str]:
    if not counts:
        return []
    rows = [[str(count), value] for value, count in list(counts.items())[:MOST]]
    rest = len(counts) - MOST
    more = [f"  and {rest} more"] if rest > 0 else []
    return [*heading(title, page), *table(rows, page.width, right=[0]), *more]
