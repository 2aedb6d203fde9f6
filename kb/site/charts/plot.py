"""Panels with two axes: marks at what was measured, lines only through points of one sweep of one arm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite, isinf
from typing import NamedTuple

from kb.site.charts.marks import dash, mark, thick_bar, thin_bar
from kb.site.charts.scale import Scale, scale, spans, tick
from kb.site.charts.svg import LINE, Sheet, wide, wrapped

ALL_AT_ONCE = "all at once"
DODGE = 6.0
"""Marks of several arms at one place stand side by side, this far apart."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One measured number."""

    x: float
    low: float
    high: float
    """The same as `low` unless it is a range."""
    tip: str
    sign: str = ""
    bar: tuple[float, float] | None = None
    label: str = ""
    bound: bool = False
    """It says only that the number lies above or below: no line goes through it."""

    @property
    def ranged(self) -> bool:
        """Whether it has no middle."""
        return self.low != self.high


@dataclass(frozen=True, slots=True)
class Line:
    """Points of one sweep of one arm, in its order."""

    arm: int
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """What is drawn on one pair of axes. Panels of one `family` share the upright scale."""

    heading: str
    lines: tuple[Line, ...]
    family: str = ""


@dataclass(frozen=True, slots=True)
class Axes:
    """Titles of the two axes, with units, and whether both begin at zero."""

    x: str
    y: str
    x_dodges: bool = True


@dataclass(frozen=True, slots=True)
class _Frame:
    left: float
    top: float
    right: float
    bottom: float


def panels(sheet: Sheet, top: float, drawn: Sequence[Panel], axes: Axes) -> float:
    """Draw panels, two beside each other where there is room; where the next thing may begin."""
    columns = 2 if len(drawn) > 1 and not sheet.narrow else 1
    gap = 22.0
    width = (sheet.width - gap * (columns - 1)) / columns
    heights = _heights(drawn)
    height = 236.0 if len(drawn) == 1 and not sheet.narrow else 168.0
    for start in range(0, len(drawn), columns):
        row = drawn[start : start + columns]
        heads = max(len(wrapped(panel.heading, width / 1.12)) for panel in row)
        bottom = top
        for n, panel in enumerate(row):
            place = (n * (width + gap), top, width, heads * LINE, height)
            bottom = max(bottom, _panel(sheet, panel, place, drawn, heights, axes))
        top = bottom + 14
    return top - 14


def _panel(
    sheet: Sheet,
    panel: Panel,
    place: tuple[float, float, float, float, float],
    drawn: Sequence[Panel],
    heights: _Heights,
    axes: Axes,
) -> float:
    x, top, width, head, height = place
    sheet.lines(x, top + 12, panel.heading, width, "strong")
    upright = _upright(panel, heights, 0, height)
    margin = max(wide(tick(each, upright.high)) for each in upright.ticks) + 8
    note = f"{axes.y}, {upright.words}" if upright.words else axes.y
    below = sheet.lines(x, top + head + 12, note, width, "soft")
    frame = _Frame(x + margin, below + 2, x + width - _overhang(drawn), below + 2 + height)
    upright = _upright(panel, heights, frame.bottom, frame.top)
    lying, slot = _lying(drawn, frame)
    _grid(sheet, frame, upright, lying, slot)
    _draw(sheet, panel, upright, lying, slot, axes, x + width)
    note = f"{axes.x}, {lying.words}" if lying.words else axes.x
    return sheet.lines(x + margin, frame.bottom + 20 + LINE - 3, note, width - margin, "soft") - 4


class _Heights(NamedTuple):
    """What the panels of a chart reach up to."""

    families: Mapping[str, list[float]]
    log: bool
    """Either all panels of a chart are logarithmic or none."""


def _heights(drawn: Sequence[Panel]) -> _Heights:
    families: dict[str, list[float]] = {each.family: [] for each in drawn}
    for each in drawn:
        for spot in _spots([each]):
            families[each.family] += (spot.low, spot.high, *(spot.bar or ()))
    log = any(map(spans, families.values())) and all(min(values) > 0 for values in families.values() if values)
    return _Heights(families, log)


def _upright(panel: Panel, heights: _Heights, start: float, end: float) -> Scale:
    """The scale of a panel's family."""
    return scale(heights.families[panel.family], start, end, 8 if heights.log else 5, heights.log)


def _overhang(drawn: Sequence[Panel]) -> float:
    """Half of what stands at the last tick of the lying axis."""
    lying = scale((spot.x for spot in _spots(drawn)), 0, 1)
    return max(8.0, wide(tick(lying.high, lying.high)) / 2 + 2)


def _spots(drawn: Iterable[Panel]) -> Iterator[Spot]:
    for panel in drawn:
        for line in panel.lines:
            yield from line.spots


def _lying(drawn: Sequence[Panel], frame: _Frame) -> tuple[Scale, float | None]:
    """The scale of the lying axis, and the place of what was sent all at once."""
    values = [spot.x for spot in _spots(drawn)]
    endless = any(isinf(each) for each in values)
    end = frame.right - (wide(ALL_AT_ONCE) if endless else 0)
    room = end - frame.left
    made = scale(values, frame.left + 10, end, 9 if room > 400 and spans(values) else 7 if room > 300 else 5)
    return made, frame.right - wide(ALL_AT_ONCE) / 2 if endless else None


def _grid(sheet: Sheet, frame: _Frame, upright: Scale, lying: Scale, slot: float | None) -> None:
    across = lying.ticks if slot is None or len(lying.ticks) > 1 else ()
    for each in (*upright.ticks, *upright.minor):
        if each != 0:
            sheet.line(frame.left, upright.at(each), frame.right, upright.at(each), "grid")
    for y in {upright.at(0) if 0 in upright.ticks else frame.bottom: None, frame.bottom: None}:
        sheet.line(frame.left, y, frame.right, y, "axis")
    for each in across:
        sheet.line(lying.at(each), frame.bottom, lying.at(each), frame.bottom + 4, "axis")
    for each in upright.ticks:
        sheet.text(frame.left - 5, upright.at(each) + 4, tick(each, upright.high), "tick", "end")
    for each in across:
        sheet.text(lying.at(each), frame.bottom + 17, tick(each, lying.high), "tick", "middle")
    if slot is not None:
        edge = slot - wide(ALL_AT_ONCE) / 2 - 4
        sheet.line(edge, frame.top, edge, frame.bottom, "break")
        sheet.text(slot, frame.bottom + 17, ALL_AT_ONCE, "tick", "middle")


def _draw(
    sheet: Sheet, panel: Panel, upright: Scale, lying: Scale, slot: float | None, axes: Axes, right: float
) -> None:
    shifts = _shifts(panel, lying) if axes.x_dodges else {}

    def place(spot: Spot, arm: int) -> float:
        at = lying.at(spot.x) if isfinite(spot.x) else slot or 0.0
        return at + shifts.get(arm, 0.0)

    for line in panel.lines:
        for run in _runs(line.spots):
            dash(sheet, [(place(spot, line.arm), upright.at(spot.low)) for spot in run], line.arm)
    for line in panel.lines:
        for spot in line.spots:
            if spot.bar is not None:
                x, (low, high) = place(spot, line.arm), map(upright.at, spot.bar)
                thin_bar(sheet, (x, low), (x, high), line.arm)
    for line in panel.lines:
        for spot in line.spots:
            _spot(sheet, spot, place(spot, line.arm), upright, line.arm, right)


def _shifts(panel: Panel, lying: Scale) -> Mapping[int, float]:
    """Arm -> how far its marks are moved aside; nothing where loads lie so close that it would mislead."""
    arms = list(dict.fromkeys(line.arm for line in panel.lines))
    places = sorted({lying.at(spot.x) for spot in _spots([panel]) if isfinite(spot.x)})
    room = min((b - a for a, b in pairwise(places)), default=DODGE * 10)
    step = DODGE if room >= 3 * DODGE * len(arms) else 0.0
    return {arm: (n - (len(arms) - 1) / 2) * step for n, arm in enumerate(arms)}


def _runs(spots: Sequence[Spot]) -> Iterator[list[Spot]]:
    """Neighbours that a line may join: numbers with a middle, at a finite load."""
    run: list[Spot] = []
    for spot in (*spots, None):
        if spot is not None and not spot.ranged and not spot.bound and isfinite(spot.x):
            run.append(spot)
            continue
        if len(run) > 1:
            yield run
        run = []


def _spot(sheet: Sheet, spot: Spot, x: float, upright: Scale, arm: int, right: float) -> None:
    low, high = upright.at(spot.low), upright.at(spot.high)
    if spot.ranged:
        thick_bar(sheet, (x, low), (x, high), arm, spot.tip)
    else:
        mark(sheet, x, low, arm, spot.tip)
    words = f"{spot.sign}{spot.label}"
    if words:
        fits = x + 7 + wide(words) <= right
        sheet.text(x + 7 if fits else x - 7, high - 5, words, "tick", "start" if fits else "end")
