"""A claim that is tied to no code.

## What it flags
A measured claim or a mechanism without `component:symbol` anchors.

## Why it matters
Anchors let a scan of two releases say that the code behind a claim moved, changed or is gone. Without them only the
dimensions tie it to changes, which is coarser.

## Example
    claims:
      - {id: overlap, kind: mechanism, says: The destination is prepared while prefill still computes.}

## What to do
Name the functions per arm where they are known; leave it where they are not.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.mentions import named
from kb.reading import Loaded
from kb.vocabulary import ClaimKind, EvaluationKind, Severity

CODE = "KB151"
NAME = "claim-without-anchors"
SEVERITY = Severity.INFO


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """All such claims of the record in one sentence."""
    record = loaded.record
    if not isinstance(record, Evaluation) or record.kind is EvaluationKind.REFERENCE:
        return
    bare = [(n, c.id) for n, c in enumerate(record.claims) if c.kind is not ClaimKind.HYPOTHESIS and not c.anchors]
    if bare:
        names = named(name for _, name in bare)
        yield Problem(
            ("claims", bare[0][0]), f"no anchors in the code: {names}", "name `component:symbol` where it is known"
        )
