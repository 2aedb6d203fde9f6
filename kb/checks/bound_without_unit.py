"""A figure of an effect without its unit.

## What it flags
`at_most`, `at_least`, `margin` or `value` without `unit`, a bound or threshold that states no figure and names no
points, and a lower end above the upper one.

## Why it matters
"At most 15" is a percentage to one reader and milliseconds to the next.

## Example
    claims:
      - id: bounded
        kind: measured
        says: Little is lost.
        effect: {form: bound, metric: tpot, arm: push, at_most: 15}

## What to do
Write the unit: ms, %, x, req/s.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.evidence import Effect
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import EffectForm, Severity

CODE = "KB127"
NAME = "bound-without-unit"
SEVERITY = Severity.ERROR

FIGURES = ("at_most", "at_least", "margin", "value")


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Figures that cannot be read."""
    record = loaded.record
    if isinstance(record, Evaluation):
        for n, claim in enumerate(record.claims):
            for key, message, hint in _judge(claim.effect) if claim.effect else ():
                yield Problem(("claims", n, "effect", key), f'claim "{claim.id}": {message}', hint)


def _judge(effect: Effect) -> Iterator[tuple[str, str, str]]:
    stated = [key for key in FIGURES if getattr(effect, key) is not None]
    if stated and effect.unit is None:
        yield stated[0], f"{stated[0]} has no unit", "add `unit`"
    if effect.form in {EffectForm.BOUND, EffectForm.THRESHOLD} and not stated and not effect.points:
        yield "form", f"the {effect.form} states no figure", "add at_most or at_least with its unit, or points"
    if effect.at_least is not None and effect.at_most is not None and effect.at_least > effect.at_most:
        yield "at_least", "at_least is above at_most", "turn them round"
