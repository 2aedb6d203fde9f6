"""A chart: a drawing for wide places and one for phones, what it says in words, and its numbers as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kb.site.charts.svg import Sheet, number, text

WIDE, NARROW = 560.0, 320.0
"""Widths of the two drawings in their own units; charts.css shows the one that fits."""

Paint = Callable[[Sheet], float]
"""Draws onto a sheet and gives the height that it used."""


@dataclass(frozen=True)
class Chart:
    """What a page shows."""

    kind: str
    """Name of the function that made it."""
    title: str
    caption: str
    """What has to be known to read it."""
    svg: str
    """Two drawings of the same, of which the sheet shows one."""
    columns: tuple[str, ...]
    """Head of the table beside it."""
    rows: tuple[tuple[str, ...], ...]
    """Its numbers, as stated."""


def chart(
    kind: str,
    title: str,
    caption: Iterable[str],
    table: tuple[Sequence[str], Iterable[Sequence[str]]],
    paint: Paint,
    says: str,
    prefix: str,
) -> Chart:
    """Draw at both widths. `says` is read out instead of the drawing: it stands in the wide one and names both, because
    what names something may itself be hidden."""
    svg = "".join(_drawing(title, says, paint, width, prefix) for width in (WIDE, NARROW))
    columns, rows = _without_empty(tuple(table[0]), tuple(tuple(row) for row in table[1]))
    return Chart(kind, title, " ".join(caption), svg, columns, rows)


def _drawing(title: str, says: str, paint: Paint, width: float, prefix: str) -> str:
    size = "wide" if width == WIDE else "narrow"
    name = f"{prefix}-{size}"
    sheet = Sheet(width, name, width == NARROW)
    height = paint(sheet)
    drawn = "".join(sheet.parts)
    if sheet.links:  # nothing inside an image can be followed: then it is a group, of which only the links are read out
        drawn = f'<g aria-hidden="true">{drawn}</g>{"".join(sheet.links)}'
    named = f'<title id="{prefix}-title">{text(title)}</title><desc id="{prefix}-desc">{text(says)}</desc>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing {size}" role="{"group" if sheet.links else "img"}" '
        f'viewBox="0 0 {number(width)} {number(height)}" aria-labelledby="{prefix}-title {prefix}-desc">'
        f"{named if width == WIDE else ''}{drawn}</svg>"
    )


def _without_empty(
    columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """A table without the columns of which no row says anything."""
    kept = [n for n in range(len(columns)) if any(row[n] for row in rows)]
    return tuple(columns[n] for n in kept), tuple(tuple(row[n] for n in kept) for row in rows)
