"""A value that a reviewer would not believe.

## What it flags
A value outside the range that the vocabulary calls plausible for its metric, after conversion into the metric's unit: a
TPOT of 0.0104 ms is 10.4 ms written in seconds.

## Why it matters
Seconds read as milliseconds survive every later comparison as a factor of a thousand.

## Example
    points:
      - {metric: ttft, value: 0.54, unit: ms}

## What to do
Look the unit up in the source. Where the value is right, allow this check and say why.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.terms import Metric
from kb.units import convert
from kb.vocabulary import Severity, Statistic

CODE = "KB134"
NAME = "implausible-value"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Values out of range; spreads and reported comparisons are not values of the metric."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    for n, point in enumerate(record.points):
        metric = library.metrics.get(point.metric)
        if metric and metric.plausible and point.reported is None and point.stat is not Statistic.STD:
            for key in ("value", "low", "high"):
                value = getattr(point, key)
                if value is not None and not _believable(value, point.unit, metric):
                    low, high = metric.plausible
                    message = f"{metric.id} of {value:g} {point.unit} is outside {low:g} to {high:g} {metric.unit}"
                    yield Problem(("points", n, key), message, _guess(point, value, metric))


def _believable(value: float, unit: str, metric: Metric) -> bool:
    here = convert(value, unit, metric.unit)
    assert metric.plausible is not None
    low, high = metric.plausible
    return here is None or low <= here <= high


def _guess(point: Point, value: float, metric: Metric) -> str:
    for unit in ("ms", "s", "us", "GB/s", "MB/s", "tok/s", "%", "fraction"):
        other = unit != point.unit and convert(value, unit, metric.unit) is not None
        if other and _believable(value, unit, metric):
            return f"is it {value:g} {unit}?"
    return "look the unit up in the source"
