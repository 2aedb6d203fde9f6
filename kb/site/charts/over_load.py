"""Latency (or any metric) against load: one line for each sweep of each arm with its scatter, no point in between.

Where nothing was swept, each place is a heading with a lane for each arm: a record with two numbers shows these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import isinf

from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.present.points import place
from kb.site.charts import sweeps, words
from kb.site.charts.chart import Chart, chart
from kb.site.charts.lanes import Group, Lane, lanes
from kb.site.charts.marks import legend, number_of
from kb.site.charts.plot import Axes, Line, Panel, Spot, panels
from kb.site.charts.svg import Sheet
from kb.site.charts.sweeps import Seen
from kb.vocabulary import Qualifier, Statistic

PANELS, LANES = 6, 24
"""As many as a reader follows; the rest stands in the table."""
BOUNDS = {Qualifier.UP_TO, Qualifier.AT_LEAST, Qualifier.MORE_THAN, Qualifier.LESS_THAN}
COLUMNS = ("arm", "at", "statistic", "value", "spread", "runs or samples")


def latency_load(record: Evaluation, metric: str, prefix: str = "latency-load") -> Chart | None:
    """A metric over the load that was swept; where none was, place by place. None without two numbers."""
    points = sweeps.absolute(record, metric)
    unit, seen = sweeps.seen(points)
    if len(seen) < 2:
        return None
    key = sweeps.axis(seen)
    return _swept(record, metric, unit, seen, key, prefix) if key else _placed(record, metric, unit, seen, prefix)


# Along an axis


def _swept(record: Evaluation, metric: str, unit: str, seen: list[Seen], key: str, prefix: str) -> Chart:
    every = _panels(seen, key)
    kept = every[:PANELS]
    name, stats = words.metric(metric), {each.point.stat for each in seen}
    stat = _only(stats)
    drawn = [each for each in seen if any(each in found for _, found in kept)]
    axes = Axes(words.quantity(key), f"{name} ({unit})" + (f", {stat}" if stat else ""))
    title = f"{name} against {axes.x.partition(' (')[0]}" + (f", {stat}" if stat else "")
    laid = [_panel(record, group, found, seen, key, len(stats) > 1) for group, found in kept]
    arms = _arms(record, drawn)

    def paint(sheet: Sheet) -> float:
        return panels(sheet, legend(sheet, 0, arms, True) + 4, laid, axes)

    caption = [*_common(record, seen, drawn), *_left_out(seen, drawn, key)]
    follow = [f"“{words.quantity(each)}”" for each in sweeps.followers(seen, key)]
    caption += [f"With it goes {words.listed(follow)}."] if follow else []
    return chart(
        "latency_load", title, caption, (COLUMNS, _rows(record, seen, metric)), paint,
        " ".join(_said(kept, key)), prefix,
    )  # fmt: skip


Grouped = tuple[tuple[tuple[int, str], tuple[tuple[str, str], ...]], list[Seen]]
"""Meaning and place apart from the axis, and the points."""


def _panels(seen: Sequence[Seen], key: str) -> list[Grouped]:
    """Points by what is alike in them; sweeps first, then by statistic."""
    found: dict[tuple[tuple[int, str], tuple[tuple[str, str], ...]], list[Seen]] = defaultdict(list)
    beside = sweeps.aside(seen, key)
    for each in seen:
        if sweeps.along(each.point, key) is not None:
            found[each.meaning, sweeps.rest(each, beside)].append(each)
    return sorted(found.items(), key=lambda item: (not _is_sweep(item[1], key), item[0][0]))


def _is_sweep(found: Iterable[Seen], key: str) -> bool:
    return len({sweeps.along(each.point, key) for each in found}) > 1


def _panel(
    record: Evaluation,
    group: tuple[tuple[int, str], tuple[tuple[str, str], ...]],
    found: list[Seen],
    seen: list[Seen],
    key: str,
    several: bool,
) -> Panel:
    (stat, definition), _ = group
    heading = [words.statistic(sweeps.ORDER[stat])] if several else []
    heading += [_apart(found[0].point, seen, key)]
    if len({each.point.definition for each in seen}) > 1:
        heading.append(definition or "definition not stated")
    arms = dict.fromkeys(each.point.arm for each in found)
    lines = [
        Line(number_of(record, arm), tuple(_spots([each for each in found if each.point.arm == arm], key)))
        for arm in arms
    ]
    return Panel(" · ".join(filter(None, heading)), tuple(sorted(lines, key=lambda line: line.arm)), str(stat))


def _apart(point: Point, seen: list[Seen], key: str) -> str:
    """Where a panel was measured, apart from the axis."""
    if point.where is None:
        return ""
    aside = sweeps.aside(seen, key)
    kept = point.where.model_copy(
        update={name: None for name in aside if not name.startswith("factors.")}
        | {"factors": {name: each for name, each in point.where.factors.items() if f"factors.{name}" not in aside}}
    )
    return place(kept)


def _spots(found: list[Seen], key: str) -> Iterable[Spot]:
    at = {id(each): x for each in found if (x := sweeps.along(each.point, key)) is not None}
    for each in sorted(found, key=lambda each: at[id(each)]):
        point = each.point
        yield Spot(
            at[id(each)], each.low, each.high, words.told(point), words.sign(point), each.bar,
            bound=point.qualifier in BOUNDS,
        )  # fmt: skip


def _said(kept: Sequence[Grouped], key: str) -> Iterable[str]:
    """The drawing in sentences: from where to where each line goes."""
    yield f"Against {words.quantity(key)}."
    for ((stat, _), _), found in kept:
        for arm in dict.fromkeys(each.point.arm for each in found):
            mine = sorted((each for each in found if each.point.arm == arm), key=lambda each: _at(each, key))
            ends = [mine[0], mine[-1]] if len(mine) > 1 else mine[:1]
            at = " to ".join(f"{words.value(each.point)} at {each.where.get(key, '')}" for each in ends)
            yield f"{arm or words.NO_ARM}, {words.statistic(sweeps.ORDER[stat]) or 'value'}: {at}."


def _at(one: Seen, key: str) -> float:
    return sweeps.along(one.point, key) or 0.0


def _left_out(seen: Sequence[Seen], drawn: Sequence[Seen], key: str) -> list[str]:
    off = sum(sweeps.along(each.point, key) is None for each in seen)
    more = len(seen) - len(drawn) - off
    said = words.only_in_table(off)
    said += [f"For {off} of the numbers no single value of {_bare(key)} is stated."] if off else []
    said += words.only_in_table(more)
    return said + (["“All at once” is a load of its own, not a rate."] if _endless(drawn, key) else [])


def _bare(key: str) -> str:
    return words.quantity(key).partition(" (")[0]


def _endless(drawn: Iterable[Seen], key: str) -> bool:
    return any(isinf(_at(each, key)) for each in drawn)


# Place by place


def _placed(record: Evaluation, metric: str, unit: str, seen: list[Seen], prefix: str) -> Chart:
    stats, places = {each.point.stat for each in seen}, {place(each.point.where) for each in seen}
    stat, at = _only(stats), places.pop() if len(places) == 1 else None
    groups = _groups(record, seen, len(stats) > 1, at is None)
    axis = f"{words.metric(metric)} ({unit})" + (f", {stat}" if stat else "")
    shown = sum(len(group.lanes) for group in groups)

    def paint(sheet: Sheet) -> float:
        return lanes(sheet, 0, groups, axis)

    caption = [] if at is None else [f"Load: {at}." if at else "The load point is not stated."]
    caption += _common(record, seen, seen)
    caption += words.only_in_table(len(seen) - shown)
    said = ". ".join(words.told(each.point) for each in seen[:LANES])
    title = f"{words.metric(metric)} by arm" + (f", {stat}" if stat else "")
    return chart("latency_load", title, caption, (COLUMNS, _rows(record, seen, metric)), paint, f"{said}.", prefix)


def _groups(record: Evaluation, seen: Sequence[Seen], by_stat: bool, by_place: bool) -> list[Group]:
    found: dict[str, list[Seen]] = defaultdict(list)
    for each in sorted(seen, key=lambda each: each.meaning[0]) if by_stat else seen:
        found[_heading(each, by_stat, by_place)].append(each)
    groups, left = [], LANES
    for heading, those in found.items():
        kept = sorted(those, key=lambda each: number_of(record, each.point.arm))[:left]
        left -= len(kept)
        if kept:
            groups.append(Group(heading, tuple(_lane(record, each) for each in kept)))
    return groups


def _heading(one: Seen, by_stat: bool, by_place: bool) -> str:
    said = [words.statistic(one.point.stat) or "value"] if by_stat else []
    said += [place(one.point.where) or "load point not stated"] if by_place else []
    return " · ".join(said)


def _lane(record: Evaluation, one: Seen) -> Lane:
    point = one.point
    return Lane(
        number_of(record, point.arm), point.arm or words.NO_ARM, words.value(point), one.low, one.high, one.bar,
        words.told(point),
    )  # fmt: skip


# Both


def _only(stats: Iterable[Statistic]) -> str:
    """The statistic, when all have the same one; it is named also where it is not known."""
    found = set(stats)
    return words.statistic(found.pop()) if len(found) == 1 else ""


def _arms(record: Evaluation, drawn: Iterable[Seen]) -> list[tuple[int, str]]:
    names = dict.fromkeys(each.point.arm for each in drawn)
    return sorted((number_of(record, name), name or words.NO_ARM) for name in names)


def _common(record: Evaluation, seen: Sequence[Seen], drawn: Sequence[Seen]) -> list[str]:
    """What has to be known to read either kind."""
    points = [each.point for each in drawn]
    said = [*words.bars_said(points), *words.signs_said(points)]
    return said + words.arms_said(record, [each.point.arm for each in seen if each.point.arm])


def _rows(record: Evaluation, seen: Sequence[Seen], metric: str) -> list[tuple[str, ...]]:
    points = [each.point for each in seen]
    known = set(map(id, points))
    odd = [each for each in sweeps.absolute(record, metric) if id(each) not in known]
    rows = [_row(point) for point in (*points, *odd)]
    named = {point.arm for point in points}
    rows += [(arm.id, "", "", "no figure", "", "") for arm in record.arms if arm.id not in named]
    return rows


def _row(point: Point) -> tuple[str, ...]:
    stat = words.statistic(point.stat) or "value"
    return (
        point.arm or words.NO_ARM, place(point.where), stat, words.value(point), words.spread(point), words.count(point)
    )  # fmt: skip
