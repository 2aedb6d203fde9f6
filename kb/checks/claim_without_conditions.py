"""A measured claim without conditions.

## What it flags
A measured claim that names nothing that must be so for it to apply.

## Why it matters
Without conditions it is read as true for everybody; with them, an audit can tell whom it was never about.

## Example
    claims:
      - id: heavy
        kind: measured
        says: Push was faster.
        effect: {form: order, metric: ttft, arm: push, against: pull}

## What to do
Name what the result depends on, each with its reason: cache policy, topology, the range of the load, the network.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import ClaimKind, Severity

CODE = "KB150"
NAME = "claim-without-conditions"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Measured claims that hold for everybody."""
    record = loaded.record
    if isinstance(record, Evaluation):
        for n, claim in enumerate(record.claims):
            if claim.kind is ClaimKind.MEASURED and not claim.conditions:
                hint = "name what it depends on: cache policy, topology, load, network"
                yield Problem(("claims", n), f'claim "{claim.id}" has no conditions', hint)
