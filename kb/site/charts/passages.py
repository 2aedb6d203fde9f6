"""What came between the builds that arms ran and the newest release, by day: a lane for what ships together in an arm.

A pin that is one release is a point; one that is a range, a day or not stated at all is a bar over every release that
it can have been. A change stands at the day of the first release that is known to carry it (or to have lost it): before
that nobody could run it. What has no such day stands in the tables only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from kb.site.charts.chart import Chart, chart
from kb.site.charts.days import MEASURED, SHAPES, span, ticks
from kb.site.charts.svg import LINE, Shape, Sheet, cut, number, wide, wrapped

MOST = 8
"""Lanes drawn."""
BUILD, POSSIBLE, NEWEST = "the build that ran", "every build that it can have been", "newest release"
APART = 15.0
"""Marks of one kind that would lie closer become one with their number."""


class Said(StrEnum):
    """What a change is to the claims of an evaluation, on the arms of a lane."""

    AGAINST = "speaks against a claim"
    OPEN = "may: a fact is missing"
    SILENT = "looked at and silent"


class Release(NamedTuple):
    """A version and its day, month or year."""

    version: str
    day: str | None


class Mark(NamedTuple):
    """A change in a lane."""

    said: Said
    release: Release
    """The first that carries it, or that has lost it."""
    after: Release | None
    """The last that is known not to, where what comes between is not established."""
    name: str
    href: str | None


class Lane(NamedTuple):
    """What of some arms ships in one distribution, and the same changes came to."""

    arms: str
    components: str
    pin: str
    """In words."""
    stated: bool
    """Whether the pin is one release, by name."""
    builds: tuple[Release, ...]
    """Every build that the pin can be, oldest first."""
    newest: Release | None
    marks: tuple[Mark, ...]
    unplaced: int
    """Changes in between without a day."""


SIGNS: dict[str, tuple[str, Shape]] = {
    BUILD: ("pin", (-3.5, -3.5, "h7v7h-7Z")),
    POSSIBLE: ("", (0, 0, "")),
    NEWEST: ("newest", (-5.5, -5.5, "h11v11h-11Z")),
    Said.AGAINST: ("against", (0, -6.5, "l6.5 11.5h-13Z")),
    Said.OPEN: ("may", (0, -6.5, "l6.5 11.5h-13Z")),
    Said.SILENT: ("silent", (-3, 0, "a3 3 0 1 0 6 0a3 3 0 1 0-6 0Z")),
    MEASURED: ("day measured", SHAPES[MEASURED]),
}
"""Class and shape of what is drawn."""
TIERS = {Said.AGAINST: 10.0, Said.OPEN: 25.0, Said.SILENT: 55.0}
"""How far below the top of its lane a kind of mark stands; the builds stand between."""
MIDDLE, HIGH = 40.0, 68.0


def passages(lanes: Sequence[Lane], measured: str | None, prefix: str = "passages") -> Chart | None:
    """Lanes in their order. `measured` is the day of the evaluation. None where no build in any lane has a day."""
    known = [each for each in lanes if _days(each)]
    if not known:
        return None
    drawn = known[:MOST]
    day = next(span(measured, MEASURED), None)

    def paint(sheet: Sheet) -> float:
        return _draw(sheet, _key(sheet, drawn, day is not None), drawn, day.first if day else None)

    rows = [
        (each.arms, each.components, each.pin, each.newest.version if each.newest else "",
         *(str(sum(mark.said is kind for mark in each.marks)) for kind in Said),
         str(each.unplaced) if each.unplaced else "")
        for each in lanes
    ]  # fmt: skip
    columns = ("arms", "components", "pin", NEWEST, *(kind.value for kind in Said), "without a day")
    return chart("passages", TITLE, _caption(lanes, drawn), (columns, rows), paint, _says(drawn), prefix)


TITLE = "What came between the builds that ran and the newest release"


def _caption(lanes: Sequence[Lane], drawn: Sequence[Lane]) -> Iterator[str]:
    yield "A change stands at the day of the first release that carries it, or that has lost it."
    if any(mark.after for lane in drawn for mark in lane.marks):
        yield "A line to its left reaches to the last release that is known not to."
    if any(len(group) > 1 for lane in drawn for kind in Said for group in _clusters(lane, kind, lambda day: day / 9)):
        yield "A number says how many changes a mark stands for."
    if unplaced := sum(lane.unplaced for lane in lanes):
        yield f"{unplaced} without such a day stand in the tables only."
    if len(lanes) > len(drawn):
        yield f"{len(lanes) - len(drawn)} of {len(lanes)} lanes stand in the tables only."


def _says(drawn: Sequence[Lane]) -> str:
    return " ".join(f"{each.arms}, {each.components}: {each.pin}; {_counted(each)}." for each in drawn)


def _counted(lane: Lane) -> str:
    found = {kind: sum(mark.said is kind for mark in lane.marks) for kind in Said}
    return ", ".join(f"{many} {kind}" for kind, many in found.items() if many) or "no change in between"


# Days


@lru_cache(maxsize=4096)
def _first(release: Release | None) -> int | None:
    found = next(span(release.day, ""), None) if release else None
    return found.first if found else None


def _days(lane: Lane) -> list[int]:
    """Days of its builds and marks."""
    placed = [*lane.builds, lane.newest, *(mark.release for mark in lane.marks)]
    return [day for each in placed if (day := _first(each)) is not None]


At = Callable[[float], float]
Cluster = list[tuple[float, Mark]]


def _clusters(lane: Lane, kind: Said, at: At) -> list[Cluster]:
    """Marks of a kind from left to right; those that would touch are one."""
    placed = sorted(
        ((at(day), mark) for mark in lane.marks if mark.said is kind and (day := _first(mark.release)) is not None),
        key=lambda pair: (pair[0], pair[1].name),
    )
    found: list[Cluster] = []
    for x, mark in placed:
        last = found[-1] if found else []
        room = APART + (wide(str(len(last))) + 3 if len(last) > 1 or (last and x > last[0][0]) else 0)
        if last and x - last[0][0] < room:
            last.append((x, mark))
        else:
            found.append([(x, mark)])
    return found


# Drawing


def _key(sheet: Sheet, drawn: Iterable[Lane], measured: bool) -> float:
    lanes = list(drawn)
    used: list[str] = [BUILD] if any(each.stated for each in lanes) else []
    used += [POSSIBLE] if any(each.builds and not each.stated for each in lanes) else []
    used += [NEWEST] if any(each.newest for each in lanes) else []
    used += [kind for kind in Said if any(mark.said is kind for each in lanes for mark in each.marks)]
    used += [MEASURED] if measured else []
    x, y = 0.0, 8.0
    for what in used:
        need = 16 + wide(what) + 16
        if x and x + need > sheet.width + 16:
            x, y = 0.0, y + LINE + 1
        if what == POSSIBLE:
            sheet.line(x, y, x + 12, y, "can-be")
        else:
            _sign(sheet, x + 6, y, what)
        sheet.text(x + 17, y + 4.5, str(what))
        x += need
    return y + LINE


def _sign(sheet: Sheet, x: float, y: float, what: str, tip: str = "") -> None:
    cls, shape = SIGNS[what]
    sheet.shape(x, y, shape, f"day {cls}", tip)


def _draw(sheet: Sheet, top: float, drawn: Sequence[Lane], measured: int | None) -> float:
    days = [day for each in drawn for day in _days(each)] + ([measured] if measured is not None else [])
    low, high = min(days), max(max(days), min(days) + 1)
    aside = 2.0 if sheet.narrow else 188.0
    ends = max((wide(each.newest.version) for each in drawn if each.newest), default=0.0)
    starts = max((wide(each.builds[0].version) for each in drawn if each.stated), default=0.0)
    left, right = aside + min(starts, 70.0) + 14, sheet.width - min(ends, 70.0) - 14

    def at(day: float) -> float:
        return left + (day - low) / (high - low) * (right - left)

    heights = [_height(sheet, each, aside) for each in drawn]
    bottom = top + 22 + sum(heights)
    for day, name in ticks(low, high, int((right - left) // 62)):
        sheet.line(at(day), top + 16, at(day), bottom, "grid")
        sheet.text(min(at(day), sheet.width - wide(name) / 2), top + 12, name, "tick", "middle")
    if measured is not None:
        sheet.line(at(measured), top + 20, at(measured), bottom, "measured-line")
        _sign(sheet, at(measured), top + 21, MEASURED, "measured")
    y = top + 22
    for each, height in zip(drawn, heights, strict=True):
        _lane(sheet, y, each, at, aside, height)
        y += height
    return bottom + 2


def _height(sheet: Sheet, lane: Lane, aside: float) -> float:
    rows = len(_head(lane, sheet.width if sheet.narrow else aside - 12))
    return HIGH + LINE * rows + 4 if sheet.narrow else max(HIGH, 6 + LINE * rows)


def _head(lane: Lane, most: float) -> list[tuple[str, str]]:
    """Lines beside or above a lane: arms, components, the pin; each with its class."""
    said = ((lane.arms, "strong"), (lane.components, ""), (lane.pin, "soft"))
    return [(row, cls) for words, cls in said for row in _rows(words, most / (1.12 if cls == "strong" else 1))]


def _rows(words: str, most: float) -> list[str]:
    """Two lines, the second with a sign where more would follow."""
    rows = wrapped(words, most)
    return rows if len(rows) <= 2 else [rows[0], cut(f"{rows[1]} {rows[2]}", most)]


def _lane(sheet: Sheet, y: float, lane: Lane, at: At, aside: float, height: float) -> None:
    sheet.line(0, y, sheet.width, y, "grid")
    row = y + 15
    for words, cls in _head(lane, sheet.width if sheet.narrow else aside - 12):
        if sheet.narrow:
            sheet.rect(0, row - 12, wide(words, cls == "strong") + 3, LINE, "ground")
        sheet.text(0, row, words, cls)
        row += LINE
    top = row - 12 if sheet.narrow else y + (height - HIGH) / 2
    _builds(sheet, top + MIDDLE, lane, at)
    for kind, down in TIERS.items():
        for cluster in _clusters(lane, kind, at):
            _mark(sheet, top + down, kind, cluster, at)


def _builds(sheet: Sheet, y: float, lane: Lane, at: At) -> None:
    days = [day for each in lane.builds if (day := _first(each)) is not None]
    newest = _first(lane.newest)
    if days and newest is not None:
        sheet.line(at(min(days)), y, at(newest), y, "reach")
    if days and not lane.stated:
        path = f"M{number(at(min(days)) - 3)} {number(y)}H{number(at(max(days)) + 3)}"
        sheet.add("path", "can-be", lane.pin, d=path)
    if lane.newest is not None and newest is not None:
        sheet.text(at(newest) + 10, y + 4.5, lane.newest.version, "tick halo", "start", 70)
        _sign(sheet, at(newest), y, NEWEST, f"{lane.newest.version} {lane.newest.day}")
    if days and lane.stated:
        x = at(days[0])
        if lane.builds[0] != lane.newest:
            sheet.text(x - 9, y + 4.5, lane.builds[0].version, "tick halo", "end", 70)
        _sign(sheet, x, y, BUILD, f"{lane.builds[0].version} {lane.builds[0].day}")


def _mark(sheet: Sheet, y: float, kind: Said, cluster: Cluster, at: At) -> None:
    x = cluster[0][0]
    marks = [mark for _, mark in cluster]
    for mark in marks:
        if (after := _first(mark.after)) is not None:
            sheet.line(at(after), y, x, y, f"since {SIGNS[kind][0]}")
    names = ", ".join(mark.name for mark in marks[:3]) + (f" and {len(marks) - 3} more" if len(marks) > 3 else "")
    versions = list(dict.fromkeys(mark.release.version for mark in marks))
    release = versions[0] if len(versions) == 1 else f"{versions[0]} to {versions[-1]}"
    tip = f"{release}: {names} {kind}" if len(marks) == 1 else f"{release}: {len(marks)} changes, {kind}: {names}"
    _sign(sheet, x, y, kind, tip)
    if len(marks) > 1:
        sheet.text(x + 9, y + 4.5, str(len(marks)), "tick halo")
    if href := next((mark.href for mark in marks if mark.href), None):
        sheet.link(href, tip, x, y)
