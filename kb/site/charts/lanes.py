"""Lanes: one number on each line, under headings; for places that no axis joins, and for the stages of a wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.site.charts.marks import arm_class, mark, thick_bar, thin_bar
from kb.site.charts.scale import Scale, scale, tick
from kb.site.charts.svg import LINE, Sheet, wide, wrapped

STEP = 19.0


@dataclass(frozen=True, slots=True)
class Lane:
    """One number of one arm; without ends there is none, and `says` tells so."""

    arm: int
    label: str
    says: str
    low: float | None = None
    high: float | None = None
    bar: tuple[float, float] | None = None
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Lanes under a heading."""

    heading: str
    lanes: tuple[Lane, ...]


def lanes(sheet: Sheet, top: float, groups: Sequence[Group], title: str) -> float:
    """Draw lanes on one lying axis; where the next thing may begin."""
    left = _left(sheet, groups)
    flat = [lane for group in groups for lane in group.lanes]
    says = max(wide(lane.says) for lane in flat)
    end = max(sheet.width - says - 14, left + 60)
    across = scale(_ends(flat), left + 6, end, 6 if end - left > 240 else 4)
    head = f"{title}, {across.words}" if across.words else title
    bottom = sheet.lines(0, top + 12, head, sheet.width, "soft") + 4
    bottom = _ticks(sheet, bottom, across)
    start = bottom
    at = len(sheet.parts)
    for group in groups:
        bottom = _group(sheet, bottom, group, across, left)
    sheet.parts[at:at] = _grid(sheet, start, bottom, across)
    return bottom + 4


def _left(sheet: Sheet, groups: Sequence[Group]) -> float:
    labels = [wide(lane.label) for group in groups for lane in group.lanes]
    return min(max(labels) + 12, sheet.width * 0.34)


def _ends(flat: Sequence[Lane]) -> Iterator[float]:
    for lane in flat:
        if lane.low is not None and lane.high is not None:
            yield from (lane.low, lane.high, *(lane.bar or ()))


def _ticks(sheet: Sheet, y: float, across: Scale) -> float:
    for each in across.ticks:
        sheet.text(across.at(each), y + 6, tick(each, across.high), "tick", "middle")
    return y + 14


def _grid(sheet: Sheet, start: float, bottom: float, across: Scale) -> list[str]:
    """Lines of the axis, to stand behind the marks."""
    under = Sheet(sheet.width, sheet.name, sheet.narrow)
    for each in across.ticks:
        x = across.at(each)
        under.line(x, start - 4, x, bottom - 2, "axis" if each == 0 else "grid")
    return under.parts


def _group(sheet: Sheet, y: float, group: Group, across: Scale, left: float) -> float:
    if group.heading:
        y = _heading(sheet, y + 4, group.heading)
    for lane in group.lanes:
        _lane(sheet, y + STEP / 2, lane, across, left)
        y += STEP
    return y + 4


def _heading(sheet: Sheet, y: float, heading: str) -> float:
    """A heading with the ground behind it, so that lines of the axis do not run through letters."""
    for row in wrapped(heading, sheet.width / 1.12):
        sheet.rect(0, y, min(wide(row, True) + 4, sheet.width), LINE, "ground")
        sheet.text(0, y + 13, row, "strong")
        y += LINE
    return y


def _lane(sheet: Sheet, y: float, lane: Lane, across: Scale, left: float) -> None:
    sheet.text(left - 8, y + 4.5, lane.label, "", "end", left - 8)
    if lane.low is None or lane.high is None:
        sheet.text(left + 8, y + 4.5, lane.says, "soft")
        return
    low, high = across.at(lane.low), across.at(lane.high)
    if not across.log:
        sheet.line(across.at(0), y, low, y, f"stem {arm_class(lane.arm)}")
    if lane.bar is not None:
        thin_bar(sheet, (across.at(lane.bar[0]), y), (across.at(lane.bar[1]), y), lane.arm)
    if low != high:
        thick_bar(sheet, (low, y), (high, y), lane.arm, lane.tip)
    else:
        mark(sheet, low, y, lane.arm, lane.tip)
    beside = max(low, high, *(across.at(each) for each in lane.bar or ())) + 9
    sheet.rect(beside - 2, y - 8, wide(lane.says) + 3, 16, "ground")
    sheet.text(beside, y + 4.5, lane.says)
