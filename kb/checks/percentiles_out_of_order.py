"""Statistics that cannot be of one distribution.

## What it flags
At one arm and one load point, of one metric and definition: a p50 above the p90, p95 or p99, a minimum above or a
maximum below any other statistic. Also a spread of lengths or rates whose statistics are out of order.

## Why it matters
Two columns were swapped, or two load points were mixed.

## Example
    points:
      - {id: a, metric: ttft, stat: p50, arm: push, where: {request_rate: 4}, value: 900, unit: ms}
      - {id: b, metric: ttft, stat: p99, arm: push, where: {request_rate: 4}, value: 540, unit: ms}

## What to do
Look the row up in the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.finding import Loc, Problem
from kb.library import Library
from kb.mentions import spreads
from kb.reading import Loaded
from kb.setup import Spread
from kb.units import convert
from kb.vocabulary import Severity, Statistic

CODE = "KB135"
NAME = "percentiles-out-of-order"
SEVERITY = Severity.ERROR

ORDER = (
    Statistic.MIN, Statistic.P50, Statistic.P75, Statistic.P90,
    Statistic.P95, Statistic.P99, Statistic.P99_9, Statistic.MAX,
)  # fmt: skip


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Neighbouring statistics that go down, and means outside the extremes."""
    record = loaded.record
    if isinstance(record, Evaluation):
        for rows in _rows(record).values():
            if len(rows) > 1:
                yield from _judge(rows)
    for loc, spread in spreads(record):
        if message := _disorder(spread):
            yield Problem(loc, message, "look it up in the source")


Row = dict[Statistic, tuple[int, Point]]


def _rows(record: Evaluation) -> dict[tuple[str, ...], Row]:
    """Points of one metric, definition, arm, load point and run, by statistic; a doubtful pair is left out."""
    rows: dict[tuple[str, ...], Row] = {}
    for n, point in enumerate(record.points):
        if point.reported is None and point.value is not None and point.stat in {*ORDER, Statistic.MEAN}:
            where = point.where.model_dump_json() if point.where else ""
            key = (point.metric, point.definition or "", point.arm or "", str(point.stage), where, str(point.best_of))
            row = rows.setdefault(key, {})
            row[point.stat] = (-1, point) if point.stat in row else (n, point)
    return {key: {stat: at for stat, at in row.items() if at[0] >= 0} for key, row in rows.items()}


def _judge(row: Row) -> Iterator[Problem]:
    ordered = [(stat, *row[stat]) for stat in ORDER if stat in row]
    if Statistic.MEAN in row:
        extremes = [stat for stat in (Statistic.MIN, Statistic.MAX) if stat in row]
        for stat in extremes:
            pair = (stat, Statistic.MEAN) if stat is Statistic.MIN else (Statistic.MEAN, stat)
            yield from _pair(*((each, *row[each]) for each in pair))
    for lower, upper in pairwise(ordered):
        yield from _pair(lower, upper)


def _pair(lower: tuple[Statistic, int, Point], upper: tuple[Statistic, int, Point]) -> Iterator[Problem]:
    (low_stat, _, low), (high_stat, n, high) = lower, upper
    value = convert(high.value, high.unit, low.unit) if high.value is not None else None
    if low.value is not None and value is not None and low.value > value:
        loc: Loc = ("points", n, "value")
        where = f" of arm {high.arm}" if high.arm else ""
        message = f"{high.metric}{where}: {low_stat} {low.value:g} is above {high_stat} {value:g} {low.unit}"
        yield Problem(loc, message, "columns swapped, or two load points mixed?")


def _disorder(spread: Spread) -> str | None:
    steps = [(name, getattr(spread, name)) for name in ("min", "p50", "p90", "p99", "max")]
    stated = [(name, value) for name, value in steps if value is not None]
    for (low, a), (high, b) in pairwise(stated):
        if a > b:
            return f"{low} {a:g} is above {high} {b:g}"
    if spread.mean is not None and not (spread.min or 0) <= spread.mean <= (
        spread.mean if spread.max is None else spread.max
    ):
        return f"mean {spread.mean:g} lies outside min and max"
    return None
