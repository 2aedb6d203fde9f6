"""Facts a reviewer will ask for, as a checklist."""

from __future__ import annotations

from collections.abc import Sequence

from kb.present.text import Page, table, wrap

FIRST = 12
"""Facts that are named with their reason; the others are named."""


def checklist(missing: Sequence[tuple[str, str]], page: Page) -> list[str]:
    """The first facts with their reasons, the others by name."""
    lines = ["A reviewer will ask for:", *table([list(each) for each in missing[:FIRST]], page.width)]
    rest = ", ".join(fact for fact, _ in missing[FIRST:])
    return lines + (wrap(f"and, where you know them: {rest}", page.width, "  ", "    ") if rest else [])
