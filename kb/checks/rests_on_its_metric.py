"""A measured claim that only its metric ties to changes.

## What it flags
Measured claims without `rests_on` and without anchors, whose metric implies some dimensions: named in one sentence. A
claim whose metric implies nothing either is `claim-rests-on-nothing`.

## Why it matters
No change can touch the claim but one that alters what its metric implies; what made the difference between the arms is
not among it.

## Example
    points:
      - {id: p, metric: tpot, arm: push, against: pull, reported: ratio, value: 0.5, unit: x}
    claims:
      - id: steady
        kind: measured
        says: Push needed half the time per token.
        effect: {form: ratio, metric: tpot, arm: push, against: pull, points: [p]}

## What to do
Name the dimensions that the difference rests on under `rests_on`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Claim, Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.mentions import named
from kb.reading import Loaded
from kb.vocabulary import ClaimKind, Severity

CODE = "KB194"
NAME = "rests-on-its-metric"
SEVERITY = Severity.INFO


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """All such claims of the record in one sentence."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    bare = [(n, claim.id) for n, claim in enumerate(record.claims) if _by_metric_alone(claim, library)]
    if bare:
        names = named(name for _, name in bare)
        hint = "no change can touch them but one to that; name under `rests_on` what made the difference"
        yield Problem(("claims", bare[0][0]), f"resting on nothing but what the metric implies: {names}", hint)


def _by_metric_alone(claim: Claim, library: Library) -> bool:
    metric = library.metrics.get(claim.effect.metric) if claim.effect else None
    bare = claim.kind is ClaimKind.MEASURED and not claim.rests_on and not claim.anchors
    return bare and metric is not None and bool(metric.implies)
