"""A condition without its reason.

## What it flags
A condition of a claim, or a guard of a change, that does not say why it matters.

## Why it matters
The reason is what lets a reviewer decide whether "not exactly so" still counts.

## Example
    claims:
      - {id: h, kind: hypothesis, says: It holds., conditions: [{key: topology, op: is, value: 1P1D}]}

## What to do
Add `why`: what happens outside the condition.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.finding import Problem
from kb.library import Library
from kb.mentions import conditions
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB154"
NAME = "condition-without-why"
SEVERITY = Severity.INFO


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Claims' conditions and changes' guards without `why`."""
    for loc, condition in conditions(loaded.record):
        # a group of alternatives gives its reason once, for all of them
        if condition.why is None and loc[0] in {"claims", "guards"} and "any_of" not in loc:
            yield Problem(loc, f'the condition "{condition}" gives no reason', "add `why`")
