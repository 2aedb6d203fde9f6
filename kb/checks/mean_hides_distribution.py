"""A mean length that hides a distribution.

## What it flags
Prompt or answer lengths (or rates) of which only a mean is stated.

## Why it matters
KV bytes, and with them transfers, follow the long prompts; two workloads of one mean behave differently.

## Example
    setup:
      workload: {input_tokens: {mean: 4000}}

## What to do
State the shape and a second figure (std, p50, p99, min and max), or `shape: fixed` when all are alike. A source that
gives only the mean: `shape: unknown`, and a limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.finding import Problem
from kb.library import Library
from kb.mentions import spreads
from kb.reading import Loaded
from kb.vocabulary import UNKNOWN, Severity

CODE = "KB138"
NAME = "mean-hides-distribution"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Spreads with nothing but a mean."""
    for loc, spread in spreads(loaded.record):
        if spread.hides_distribution and spread.shape not in {"fixed", UNKNOWN}:
            hint = "add shape and std, p50 or p99; where the source gives only the mean: shape: unknown"
            yield Problem(loc, f"{loc[-1]}: only a mean of {spread.mean:g} is stated", hint)
