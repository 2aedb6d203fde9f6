"""Proposed claims: for each metric, where along the sweep one arm's number lies below or above the other's.

A proposal states a direction that every load point of its region shows, and names the two points whose ratio it is.
What it means is for its author to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from kb.arranging import student
from kb.arranging.loads import Load, order
from kb.arranging.repeats import Measured, rounded
from kb.arranging.where import Place, place
from kb.terms import Metric
from kb.vocabulary import Better, Statistic

JUDGED = ("ttft", "tpot", "itl", "e2el", "output_throughput", "goodput", "request_throughput")
"""Metrics that claims are proposed for, in this order."""
SAID_BY = {"itl": "tpot", "request_throughput": "output_throughput"}
"""Metric -> metric that says the same of these runs and is proposed already."""
CENTRAL = (Statistic.P50, Statistic.MEAN, Statistic.VALUE)
"""The first of these that both arms have."""
TAIL = ("ttft",)
"""Metrics whose 99th percentile is judged as well."""
WORDS = {Statistic.P50: "median ", Statistic.MEAN: "mean ", Statistic.P99: "p99 ", Statistic.VALUE: ""}


@dataclass(frozen=True, slots=True)
class Compared:
    """One metric of two arms at one load point."""

    load: Load
    points: tuple[str, str]
    ratio: float
    interval: tuple[float, float] | None
    """95% confidence interval of the ratio; None without repeats on both sides."""
    counts: tuple[int, int]

    @property
    def direction(self) -> str:
        """lower, higher, or open when the interval holds 1 (or the numbers are equal)."""
        low, high = self.interval or (self.ratio, self.ratio)
        return "lower" if high < 1 else "higher" if low > 1 else "open"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A claim, and what stands above it as a comment."""

    fields: dict[str, Any]
    comments: tuple[str, ...]


Points = Mapping[str, Measured]
"""Id -> number, of one arm."""


def proposals(arm: str, points: Points, base: str, against: Points, metrics: Mapping[str, Metric]) -> list[Proposal]:
    """Claims about `arm` against `base`."""
    made: list[Proposal] = []
    there = {each.metric for each in points.values()} & {each.metric for each in against.values()}
    for metric in JUDGED:
        if SAID_BY.get(metric) in there:
            continue
        for stat in _stats(metric, points, against):
            rows = _compared(metric, stat, points, against)
            if rows:
                every = [each.load for side in (points, against) for each in side.values() if _is(each, metric, stat)]
                made += _regions(arm, base, metric, stat, rows, place([row.load for row in rows], every), metrics)
    return made


def _is(each: Measured, metric: str, stat: Statistic) -> bool:
    return (each.metric, each.stat) == (metric, stat)


def _stats(metric: str, points: Points, against: Points) -> list[Statistic]:
    there = [{each.stat for each in side.values() if each.metric == metric} for side in (points, against)]
    both = there[0] & there[1]
    central = [stat for stat in CENTRAL if stat in both][:1]
    return [*central, *([Statistic.P99] if metric in TAIL and Statistic.P99 in both else [])]


def _compared(metric: str, stat: Statistic, points: Points, against: Points) -> list[Compared]:
    """Load points at which both arms have the number, measured alike."""
    other = {
        (each.load, each.definition, each.unit): (id_, each) for id_, each in against.items() if _is(each, metric, stat)
    }
    rows = []
    for id_, each in points.items():
        if not _is(each, metric, stat):
            continue
        found = other.get((each.load, each.definition, each.unit))
        if found and found[1].value > 0 and each.value > 0:
            sides = (each.values, found[1].values)
            ratio = each.value / found[1].value
            counts = (len(each.values), len(found[1].values))
            rows.append(Compared(each.load, (id_, found[0]), ratio, student.ratio_interval(*sides), counts))
    return sorted(rows, key=lambda row: order(row.load))


def _regions(
    arm: str,
    base: str,
    metric: str,
    stat: Statistic,
    rows: Sequence[Compared],
    where: Place,
    metrics: Mapping[str, Metric],
) -> list[Proposal]:
    """One claim for each stretch of the sweep in which the direction stays."""
    made: list[Proposal] = []
    for along in _sweeps(rows, where.keys):
        for direction, stretch in groupby(along, key=lambda row: row.direction):
            region = list(stretch)
            if direction != "open":
                number = len(made) + 1
                made.append(_claim(arm, base, metric, stat, direction, region, where, number, metrics.get(metric)))
    return made


def _sweeps(rows: Sequence[Compared], keys: Sequence[str]) -> Iterator[list[Compared]]:
    """Load points that differ in the first key alone, each series in its order."""
    rest = keys[1:]
    series: dict[tuple[str | None, ...], list[Compared]] = {}
    for row in rows:
        series.setdefault(tuple(dict(row.load).get(key) for key in rest), []).append(row)
    for each in series.values():
        yield sorted(each, key=lambda row: order(tuple(pair for pair in row.load if pair[0] in keys[:1])))


def _claim(
    arm: str,
    base: str,
    metric: str,
    stat: Statistic,
    direction: str,
    region: Sequence[Compared],
    where: Place,
    number: int,
    known: Metric | None,
) -> Proposal:
    last = region[-1]
    better = _better(known, direction, arm, base)
    effect = {"form": "ratio", "metric": metric, "arm": arm, "against": base, "points": list(last.points)}
    fields: dict[str, Any] = {
        "id": "-".join(filter(None, [arm, metric.replace("_", "-"), _short(stat), str(number)])),
        "kind": "measured",
        "says": _says(arm, base, metric, stat, direction, region, where, known),
        "effect": effect | ({"better": better} if better else {}),
    }
    if conditions := where.conditions([row.load for row in region]):
        fields["conditions"] = conditions
    return Proposal(fields, tuple(_line(row, where.keys) for row in region))


def _short(stat: Statistic) -> str:
    return "" if stat is Statistic.VALUE else stat.value


def _better(known: Metric | None, direction: str, arm: str, base: str) -> str | None:
    if known is None or known.better is Better.NEITHER:
        return None
    return arm if (known.better is Better.LOWER) == (direction == "lower") else base


def _says(
    arm: str,
    base: str,
    metric: str,
    stat: Statistic,
    direction: str,
    region: Sequence[Compared],
    where: Place,
    known: Metric | None,
) -> str:
    name = known.titles.en[0] if known and known.titles.en else metric.replace("_", " ")
    at = where.spoken([row.load for row in region])
    return f"{at}{WORDS.get(stat, stat.value + ' ')}{name} of {arm} was {direction} than that of {base}."


def _line(row: Compared, keys: Sequence[str]) -> str:
    """What stands above the claim: the ratio at one load point, and what is known of its scatter."""
    at = ", ".join(f"{key} {value}" for key, value in row.load if key in keys) or "the load measured"
    if row.interval:
        low, high = (f"{rounded(end):.3g}" for end in row.interval)
        runs = "/".join(map(str, row.counts))
        return f"{at}: ratio {row.ratio:.3g}, 95% confidence interval {low} to {high} ({runs} runs)"
    return f"{at}: ratio {row.ratio:.3g}, one run on a side: there is no noise floor"
