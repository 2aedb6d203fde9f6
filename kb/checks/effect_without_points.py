"""An effect that rests on the source's words alone.

## What it flags
A measured parity, order, bound or threshold without points. It may be all that the source gives; it is named so that
nobody takes it for a number.

## Why it matters
Later measurements can only be compared with it by direction, never by size.

## Example
    claims:
      - id: light
        kind: measured
        says: About equal at light load.
        effect: {form: parity, metric: ttft, arm: push, against: pull}

## What to do
Nothing, when the source has no numbers. Otherwise add the points.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.checks.measured_without_effect import FIGURES
from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import ClaimKind, Severity

CODE = "KB121"
NAME = "effect-without-points"
SEVERITY = Severity.INFO


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Effects that no point carries."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    for n, claim in enumerate(record.claims):
        effect = claim.effect
        if claim.kind is ClaimKind.MEASURED and effect and not effect.points and effect.form not in FIGURES:
            yield Problem(
                ("claims", n, "effect"), f'claim "{claim.id}": {effect.form} by the source\'s words alone, no points'
            )
