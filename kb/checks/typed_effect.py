"""An effect that is typed instead of computed.

## What it flags
An effect with a `value` although its points give one.

## Why it matters
Two places for one number drift apart; the points are the evidence.

## Example
    points:
      - {id: push-ttft, metric: ttft, arm: push, value: 540, unit: ms}
      - {id: pull-ttft, metric: ttft, arm: pull, value: 1744, unit: ms}
    claims:
      - id: heavy
        kind: measured
        says: Push needed about a third of the time.
        effect: {form: ratio, metric: ttft, points: [push-ttft, pull-ttft], value: 0.31, unit: x}

## What to do
Remove `value`; a figure that the source itself states beside the absolutes is a `reported` point of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.evidence import compute
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.setup import plain_number
from kb.vocabulary import Severity

CODE = "KB125"
NAME = "typed-effect"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Typed values beside computed ones."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    table = record.point_table()
    for n, claim in enumerate(record.claims):
        if claim.effect and claim.effect.value is not None and (computed := compute(claim.effect, table)):
            typed = f"{plain_number(claim.effect.value)} {claim.effect.unit or ''}".rstrip()
            points = f"its points give {computed.low:.3g} {computed.unit}"
            yield Problem(
                ("claims", n, "effect", "value"), f'claim "{claim.id}" types {typed}; {points}', "remove `value`"
            )
