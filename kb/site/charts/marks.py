"""Marks: each arm has a shape and a dash besides its colour, so that arms are told apart without colour."""

from __future__ import annotations

from collections.abc import Sequence

from kb.evaluation import Evaluation
from kb.site.charts.svg import LINE, Shape, Sheet, cut, number, stroke, wide
from kb.site.charts.words import NO_ARM

SHAPES: tuple[Shape, ...] = (
    (-4, -4, "h8v8h-8Z"),  # square
    (-4.5, 0, "a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z"),  # circle
    (0, -6, "l6 6l-6 6l-6-6Z"),  # diamond
    (0, -5.5, "l5.5 10h-11Z"),  # triangle
    (0, 5.5, "l5.5-10h-11Z"),  # triangle on its tip
    (-1.6, -5.5, "h3.2v3.9h3.9v3.2h-3.9v3.9h-3.2v-3.9h-3.9v-3.2h3.9Z"),  # plus
)
"""From the seventh arm on they come again, hollow."""
COLOURS = 6
UNNAMED = -1
"""Number of what no arm is named for."""
CAP = 3.0


def number_of(record: Evaluation, arm: str | None) -> int:
    """Position of an arm in its record: by it colours are given on the whole page."""
    ids = [each.id for each in record.arms]
    return ids.index(arm) if arm in ids else UNNAMED


def arm_class(arm: int) -> str:
    """Class by which the sheet gives colour and dash."""
    return "a0" if arm == UNNAMED else f"a{arm % COLOURS + 1}"


def mark(sheet: Sheet, x: float, y: float, arm: int, tip: str = "") -> None:
    """The shape of an arm at a place."""
    hollow = " hollow" if (arm // COLOURS) % 2 else ""
    shape = SHAPES[1] if arm == UNNAMED else SHAPES[arm % COLOURS]
    sheet.shape(x, y, shape, f"mark {arm_class(arm)}{hollow}", tip)


def thin_bar(sheet: Sheet, a: tuple[float, float], b: tuple[float, float], arm: int) -> None:
    """A spread, with caps at its ends; upright or lying."""
    (x1, y1), (x2, y2) = a, b
    cls = f"spread {arm_class(arm)}"
    sheet.line(x1, y1, x2, y2, cls)
    for x, y in (a, b):
        dx, dy = (CAP, 0.0) if x1 == x2 else (0.0, CAP)
        sheet.line(x - dx, y - dy, x + dx, y + dy, cls)


def thick_bar(sheet: Sheet, a: tuple[float, float], b: tuple[float, float], arm: int, tip: str = "") -> None:
    """A range without a middle."""
    sheet.add("path", f"range {arm_class(arm)}", tip, d=stroke(*a, *b))


def dash(sheet: Sheet, places: Sequence[tuple[float, float]], arm: int, more: str = "") -> None:
    """A line through places."""
    path = "L".join(f"{number(x)} {number(y)}" for x, y in places)
    sheet.add("path", f"sweep {arm_class(arm)}{more}", d=f"M{path}")


def legend(sheet: Sheet, top: float, arms: Sequence[tuple[int, str]], lines: bool) -> float:
    """Which mark is which arm, as many in a row as fit; where the next thing may begin."""
    x, y, sample = 0.0, top + 8, 30.0 if lines else 14.0
    for arm, name in arms:
        shown = cut(name or NO_ARM, sheet.width - sample - 4)
        need = sample + 4 + wide(shown) + 16
        if x and x + need > sheet.width + 16:
            x, y = 0.0, y + LINE + 2
        if lines:
            dash(sheet, [(x, y), (x + sample - 4, y)], arm, " sample")
        mark(sheet, x + (sample - 4) / 2, y, arm)
        sheet.text(x + sample + 2, y + 4.5, shown)
        x += need
    return y + LINE
