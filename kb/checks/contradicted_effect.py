"""An effect that its own points contradict.

## What it flags
A typed value that is not what the points give, `better` naming the arm with the worse number, a bound that the point
oversteps, a parity whose points are further apart than its margin.

## Why it matters
One of the two is wrong, and nobody can tell which.

## Example
    points:
      - {id: push-ttft, metric: ttft, arm: push, value: 540, unit: ms}
      - {id: pull-ttft, metric: ttft, arm: pull, value: 1744, unit: ms}
    claims:
      - id: heavy
        kind: measured
        says: Pull needed less time.
        effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft], better: pull}

## What to do
Look the figures up in the source and correct the claim or the points.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kb.evaluation import Evaluation
from kb.evidence import Effect, Point, compute
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.units import convert
from kb.vocabulary import Better, EffectForm, Reported, Severity

CODE = "KB126"
NAME = "contradicted-effect"
SEVERITY = Severity.ERROR

_SLACK = 0.05
"""Share by which a typed or bounded figure may be rounded."""


class _Case(NamedTuple):
    effect: Effect
    used: list[Point]
    better: Better


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Effects against the points they name."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    table = record.point_table()
    for n, claim in enumerate(record.claims):
        effect = claim.effect
        if effect is None or not effect.points or any(name not in table for name in effect.points):
            continue
        metric = library.metrics.get(effect.metric)
        case = _Case(effect, [table[name] for name in effect.points], metric.better if metric else Better.NEITHER)
        for key, message in (*_value(case), *_better(case), *_bound(case), *_parity(case)):
            yield Problem(
                ("claims", n, "effect", key), f'claim "{claim.id}": {message}', "correct the claim or its points"
            )


def _value(case: _Case) -> Iterator[tuple[str, str]]:
    typed = case.effect.value
    found = compute(case.effect, {point.id: point for point in case.used if point.id})
    if typed is None or found is None or (case.effect.unit or found.unit) != found.unit:
        return
    if not _about(found.low, typed) and not found.low <= typed <= found.high:
        yield "value", f"says {typed:g}, its points give {found.low:.3g} {found.unit}"


def _about(a: float, b: float) -> bool:
    return abs(a - b) <= _SLACK * max(abs(a), abs(b))


def _better(case: _Case) -> Iterator[tuple[str, str]]:
    if case.effect.better is None or case.better is Better.NEITHER:
        return
    winner = _pair_winner(case) if len(case.used) == 2 else _reported_winner(case)
    if winner and winner != case.effect.better:
        yield "better", f'says "{case.effect.better}" is better, its points say "{winner}"'


def _pair_winner(case: _Case) -> str | None:
    a, b = case.used
    if a.reported or b.reported or a.arm == b.arm or a.value is None or b.value is None or a.value == b.value:
        return None
    right = convert(b.value, b.unit, a.unit)
    if right is None:
        return None
    return a.arm if (a.value < right) == (case.better is Better.LOWER) else b.arm


def _reported_winner(case: _Case) -> str | None:
    point = case.used[0]
    if len(case.used) != 1 or point.reported is None or point.value is None:
        return None
    even = 1 if point.reported in {Reported.IMPROVEMENT_FACTOR, Reported.RATIO} else 0
    if point.value == even or point.reported is Reported.ORDER:
        return None
    above = point.value > even
    gains = point.reported in {Reported.IMPROVEMENT_FACTOR, Reported.PERCENT_IMPROVEMENT}
    return point.arm if above == (gains or case.better is Better.HIGHER) else point.against


def _bound(case: _Case) -> Iterator[tuple[str, str]]:
    effect = case.effect
    if effect.form is not EffectForm.BOUND or effect.unit is None:
        return
    for point in case.used:
        value = convert(point.value, point.unit, effect.unit) if point.value is not None else None
        if value is None:
            continue
        if effect.at_most is not None and abs(value) > effect.at_most * (1 + _SLACK):
            yield "at_most", f'says at most {effect.at_most:g}, point "{point.id}" is {value:g} {effect.unit}'
        if effect.at_least is not None and value < effect.at_least * (1 - _SLACK):
            yield "at_least", f'says at least {effect.at_least:g}, point "{point.id}" is {value:g} {effect.unit}'


def _parity(case: _Case) -> Iterator[tuple[str, str]]:
    effect, used = case.effect, case.used
    if effect.form is not EffectForm.PARITY or effect.margin is None or effect.unit != "%" or len(used) != 2:
        return
    a, b = used[0].value, used[1].value
    if a is None or not b or used[0].unit != used[1].unit:
        return
    apart = abs(a / b - 1) * 100
    if apart > effect.margin * (1 + _SLACK):
        yield "margin", f"says within {effect.margin:g} %, its points are {apart:.1f} % apart"
