"""A claim that no change can touch.

## What it flags
A measured claim or a mechanism without `rests_on` and without anchors, whose metric implies no dimensions either.

## Why it matters
A change is tied to a claim through dimensions and anchors. A claim with neither never ages, whatever happens to the
code.

## Example
    claims:
      - {id: overlap, kind: mechanism, says: The destination is prepared while prefill still computes.}

## What to do
Name the dimensions it rests on (destination-setup, post-thread, write-path...).
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Claim, Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import ClaimKind, Severity

CODE = "KB152"
NAME = "claim-rests-on-nothing"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Claims out of reach of every change."""
    record = loaded.record
    if isinstance(record, Evaluation):
        for n, claim in enumerate(record.claims):
            if claim.kind is not ClaimKind.HYPOTHESIS and not _rests(claim, library):
                yield Problem(
                    ("claims", n), f'claim "{claim.id}" rests on nothing', "name its dimensions under `rests_on`"
                )


def _rests(claim: Claim, library: Library) -> bool:
    metric = library.metrics.get(claim.effect.metric) if claim.effect else None
    return bool(claim.rests_on or claim.anchors or (metric and metric.implies))
