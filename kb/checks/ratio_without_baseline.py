"""A comparison that does not say with what.

## What it flags
A ratio, difference, parity or order that names no arm, or no arm to compare with, and whose points do not tell either.

## Why it matters
"3x faster" than what? A ratio never travels without its baseline: when the baseline improves, the claim ages.

## Example
    claims:
      - {id: faster, kind: measured, says: Push was faster., effect: {form: order, metric: ttft, arm: push}}

## What to do
State `against`. A source that does not say what it compares with gives a limit, not a claim.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import COMPARISONS, Evaluation
from kb.evidence import Effect, Point
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB122"
NAME = "ratio-without-baseline"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Comparisons with one arm or none."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    points = record.point_table()
    for n, claim in enumerate(record.claims):
        effect = claim.effect
        if (
            effect
            and effect.form in COMPARISONS
            and len(_arms(effect, [points[p] for p in effect.points if p in points])) < 2
        ):
            hint = "add `against: ARM`"
            yield Problem(("claims", n, "effect"), f'claim "{claim.id}": the {effect.form} names no baseline', hint)


def _arms(effect: Effect, points: list[Point]) -> set[str]:
    named = {effect.arm, effect.against, *(point.arm for point in points), *(point.against for point in points)}
    return {arm for arm in named if arm}
