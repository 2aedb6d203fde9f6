"""A component's changes against the evaluations that ran it: proposed, merged, released, by day.

A day that is known to the month or year is a span; one that is not known is said in words and drawn nowhere.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from math import ceil
from typing import NamedTuple

from kb.change import Change
from kb.component import Component, Release
from kb.evaluation import Evaluation
from kb.site.charts.chart import Chart, chart
from kb.site.charts.svg import LINE, Shape, Sheet, cut, wide
from kb.versions import contains, parse
from kb.vocabulary import UNKNOWN, Ships

MOST = 40
"""Events drawn, the newest; the rest stands in the table."""
STEP = 20.0
OPENED, MERGED, SHIPPED, TAKEN_BACK, MEASURED = "opened", "merged", "released", "reverted or closed", "measured"
SHAPES: dict[str, Shape] = {
    OPENED: (-4, 0, "a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z"),
    MERGED: (-4.5, 0, "a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z"),
    SHIPPED: (-4, -4, "h8v8h-8Z"),
    TAKEN_BACK: (-4, -4, "l8 8m-8 0l8-8"),
    MEASURED: (0, -6.5, "l6.5 6.5l-6.5 6.5l-6.5-6.5Z"),
}


class Day(NamedTuple):
    """What happened when; from the first to the last day that it can have been."""

    what: str
    first: int
    last: int
    said: str


class Event(NamedTuple):
    """One record."""

    name: str
    measured: bool
    days: tuple[Day, ...]
    release: str

    @property
    def key(self) -> tuple[int, str]:
        """By its last day."""
        return max((each.first for each in self.days), default=0), self.name


def timeline(
    component: Component,
    evaluations: Sequence[Evaluation],
    changes: Sequence[Change],
    prefix: str = "timeline",
    releases: Sequence[Release] = (),
) -> Chart | None:
    """Changes and evaluations by day, the oldest first. `releases` are those of the distribution it ships in, where it
    has none of its own. None where no day is known."""
    releases = component.releases or tuple(releases)
    events = [_change(each, component, releases) for each in changes] + [_evaluation(each) for each in evaluations]
    known = sorted((each for each in events if each.days), key=lambda each: each.key)
    if len(known) < 2:
        return None
    drawn = known[-MOST:]
    unknown = len(events) - len(known)

    def paint(sheet: Sheet) -> float:
        return _draw(sheet, _key(sheet, 0, drawn), drawn)

    caption = ["The upright lines are evaluations: what stands to the right of one came after it."]
    caption += ["A bar is a day known to the month or year."] if any(_is_span(each) for each in drawn) else []
    caption += [f"{unknown} without a day stand in the table only."] if unknown else []
    caption += [f"{len(known) - len(drawn)} older ones stand in the table only."] if len(known) > len(drawn) else []
    rows = [_row(each) for each in sorted(events, key=lambda each: each.key, reverse=True)]
    columns = ("record", "kind", OPENED, MERGED, SHIPPED, TAKEN_BACK, MEASURED)
    says = "; ".join(f"{each.name} {each.days[-1].what} {each.days[-1].said}" for each in drawn)
    title = f"{component.title or component.id}: changes and evaluations by day"
    return chart("timeline", title, caption, (columns, rows), paint, f"{says}.", prefix)


# Days


def span(text: str | None, what: str) -> Iterator[Day]:
    """What happened on a day, in a month or a year; nothing where that is not known."""
    if not text or text == UNKNOWN:
        return
    year, month, day = ([*map(int, text.split("-")), 0, 0])[:3]
    first = date(year, month or 1, day or 1)
    last = date(year, month or 12, day or monthrange(year, month or 12)[1])
    yield Day(what, first.toordinal(), last.toordinal(), text)


def _change(change: Change, component: Component, releases: Sequence[Release]) -> Event:
    dates, found = change.dates, []
    if dates:
        found += [*span(dates.opened, OPENED), *span(dates.merged, MERGED)]
    first = _first_release(change, component, releases)
    if first is not None:
        found += span(first.date, SHIPPED)
    if dates:
        found += [*span(dates.reverted, TAKEN_BACK), *(span(dates.closed, TAKEN_BACK) if not dates.merged else ())]
    return Event(change.id, False, tuple(found), first.version if first else "")


def _first_release(change: Change, component: Component, releases: Sequence[Release]) -> Release | None:
    """The first release of which an artifact is established to carry the change."""
    names = {component.id, component.ships_in, *component.also_ships_in}
    facts = [each for each in change.ships if each.ships is Ships.YES and each.distribution in names]
    carrying = [
        (version, each)
        for each in releases
        if (version := parse(each.version)) and any(contains(fact.versions, each.version) for fact in facts)
    ]
    return min(carrying, key=lambda pair: pair[0])[1] if carrying else None


def _evaluation(record: Evaluation) -> Event:
    return Event(record.id, True, tuple(span(record.date, MEASURED)), "")


def _is_span(event: Event) -> bool:
    return any(each.first != each.last for each in event.days)


# Drawing


def _key(sheet: Sheet, top: float, drawn: Iterable[Event]) -> float:
    used = {day.what for event in drawn for day in event.days}
    x, y = 0.0, top + 8
    for what, shape in SHAPES.items():
        if what in used:
            need = 14 + wide(what) + 16
            if x and x + need > sheet.width:
                x, y = 0.0, y + LINE
            _sign(sheet, x + 6, y, what, shape)
            sheet.text(x + 16, y + 4.5, what)
            x += need
    return y + LINE


def _sign(sheet: Sheet, x: float, y: float, what: str, shape: Shape, tip: str = "") -> None:
    cls = {OPENED: "day open", TAKEN_BACK: "day back", MEASURED: "day measured"}.get(what, "day")
    sheet.shape(x, y, shape, cls, tip)


def _draw(sheet: Sheet, top: float, drawn: Sequence[Event]) -> float:
    left = 6.0 if sheet.narrow else 264.0
    days = [end for event in drawn for day in event.days for end in (day.first, day.last)]
    low, high = min(days), max(max(days), min(days) + 1)
    width = sheet.width - left - 12
    step = STEP + (15 if sheet.narrow else 0)
    bottom = top + 20 + step * len(drawn)

    def at(day: float) -> float:
        return left + 4 + (day - low) / (high - low) * (width - 4)

    for day, name in ticks(low, high, int(width // 62)):
        sheet.line(at(day), top + 16, at(day), bottom, "grid")
        sheet.text(min(at(day), sheet.width - wide(name) / 2), top + 12, name, "tick", "middle")
    for each in (each for event in drawn if event.measured for each in event.days if each.first == each.last):
        sheet.line(at(each.first), top + 18, at(each.first), bottom, "measured-line")
    y = top + 20
    for event in drawn:
        _event(sheet, y, event, at, left)
        y += step
    return bottom + 2


def _event(sheet: Sheet, y: float, event: Event, at: Callable[[float], float], left: float) -> None:
    name = event.name
    if sheet.narrow:
        shown = cut(name, sheet.width)
        sheet.rect(0, y + 1, wide(shown, event.measured), 15, "ground")
        sheet.text(0, y + 13, name, "strong" if event.measured else "", most=sheet.width)
        y += 15
    else:
        most = (left - 14) / (1.12 if event.measured else 1)
        sheet.text(left - 12, y + 14, name, "strong" if event.measured else "", "end", most)
    middle = y + STEP / 2
    ends = [at(each.first) for each in event.days]
    if len(ends) > 1:
        sheet.line(min(ends), middle, max(ends), middle, "reach")
    if event.release:
        past = max(at(each.last) for each in event.days) + 9
        fits = past + wide(event.release) < sheet.width
        x = past if fits else min(ends) - 9
        sheet.text(x, middle + 4.5, event.release, "tick halo", "start" if fits else "end")
    for each in event.days:
        tip = f"{event.name} {each.what} {each.said}"
        if each.first != each.last:
            sheet.line(at(each.first), middle, at(each.last), middle, "day-span")
        else:
            _sign(sheet, at(each.first), middle, each.what, SHAPES[each.what], tip)


def ticks(low: int, high: int, wanted: int) -> Iterator[tuple[int, str]]:
    """First days of months, quarters or years."""
    first, last = date.fromordinal(low), date.fromordinal(high)
    months = (last.year - first.year) * 12 + last.month - first.month + 1
    apart = next((n for n in (1, 2, 3, 6, 12) if months / n <= max(wanted, 2)), 12 * ceil(months / 12 / max(wanted, 2)))
    start = first.year * 12 + first.month - 1
    for month in range(start + (-start) % apart, last.year * 12 + last.month, apart):
        day = date(month // 12, month % 12 + 1, 1).toordinal()
        if low <= day <= high:
            yield day, f"{month // 12}-{month % 12 + 1:02d}" if apart < 12 else f"{month // 12}"


def _row(event: Event) -> tuple[str, ...]:
    said = {what: ", ".join(day.said for day in event.days if day.what == what) for what in SHAPES}
    if event.release:
        said[SHIPPED] = f"{event.release} {said[SHIPPED]}".strip()
    return event.name, "evaluation" if event.measured else "change", *(said[what] for what in SHAPES)
