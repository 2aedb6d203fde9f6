"""A unit that its metric is not measured in.

## What it flags
A point or an effect whose unit is neither the metric's own, nor one the vocabulary lists for it, nor convertible into
it. A reported comparison is in `x`, `%` or, for a difference, in the metric's unit.

## Why it matters
TTFT in tok/s is either another metric or another number.

## Example
    points:
      - {metric: ttft, value: 540, unit: tok/s}

## What to do
Correct the metric or the unit; a unit that is right belongs into the metric's `units` in the vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.terms import Metric
from kb.units import convert
from kb.vocabulary import Reported, Severity

CODE = "KB133"
NAME = "unit-of-another-kind"
SEVERITY = Severity.ERROR

RELATIVE = frozenset({"x", "%"})


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Units that no conversion brings to the metric's."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    for n, point in enumerate(record.points):
        metric = library.metrics.get(point.metric)
        if metric and not _fits(point, metric):
            hint = did_you_mean(point.unit, (metric.unit, *metric.units)) or f"units of {metric.id}: {_units(metric)}"
            yield Problem(
                ("points", n, "unit"), f'{_named(point)}: {metric.id} is not measured in "{point.unit}"', hint
            )
    for n, claim in enumerate(record.claims):
        effect = claim.effect
        metric = library.metrics.get(effect.metric) if effect else None
        if effect and metric and effect.unit and effect.unit not in RELATIVE and not measures(effect.unit, metric):
            loc = ("claims", n, "effect", "unit")
            yield Problem(
                loc, f'claim "{claim.id}": {metric.id} is not measured in "{effect.unit}"', f"units: {_units(metric)}"
            )


def measures(unit: str, metric: Metric) -> bool:
    """Whether the metric may be given in this unit."""
    return unit in metric.units or convert(1, unit, metric.unit) is not None


def _fits(point: Point, metric: Metric) -> bool:
    if point.reported is Reported.ORDER:
        return True
    if point.reported in {None, Reported.DIFFERENCE}:
        return measures(point.unit, metric)
    return point.unit in RELATIVE or measures(point.unit, metric)


def _units(metric: Metric) -> str:
    return ", ".join((metric.unit, *metric.units, *sorted(RELATIVE)))


def _named(point: Point) -> str:
    return f'point "{point.id}"' if point.id else "a point"
