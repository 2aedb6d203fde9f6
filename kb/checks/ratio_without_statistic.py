"""A comparison whose points state no statistic.

## What it flags
Points that a comparison is computed from and that leave `stat` out, for metrics that are distributions over requests.

## Why it matters
Means and p99 move apart exactly under load; a ratio of the one says little about the other.

## Example
    points:
      - {id: push-ttft, metric: ttft, arm: push, value: 540, unit: ms}
      - {id: pull-ttft, metric: ttft, arm: pull, value: 1744, unit: ms}
    claims:
      - id: heavy
        kind: measured
        says: Push needed about a third of the time.
        effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}

## What to do
Write `stat: mean`, `p50`, `p99`...; where the source does not say, `stat: unknown` at the point, or once for all
`not_stated: [points.stat]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.finding import Problem
from kb.library import Library
from kb.mentions import cited_points
from kb.reading import Loaded
from kb.units import kind
from kb.vocabulary import Severity

CODE = "KB128"
NAME = "ratio-without-statistic"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Cited points without `stat`, in one sentence."""
    record = loaded.record
    if not isinstance(record, Evaluation) or "points.stat" in record.not_stated:
        return
    cited = cited_points(record)
    lacking = [(n, p) for n, p in enumerate(record.points) if p.id in cited and _lacks(p, library)]
    if lacking:
        names = ", ".join(str(point.id) for _, point in lacking)
        hint = "state it, or `stat: unknown`; once for all points: not_stated: [points.stat]"
        yield Problem(("points", lacking[0][0]), f"no statistic is stated for {names}", hint)


def _lacks(point: Point, library: Library) -> bool:
    return "stat" not in point.model_fields_set and is_distribution(point, library)


def is_distribution(point: Point, library: Library) -> bool:
    """Whether requests differ in this metric, so that one number of it must be some statistic."""
    metric = library.metrics.get(point.metric)
    return kind(metric.unit if metric else point.unit) == "time" and point.metric != "duration"
