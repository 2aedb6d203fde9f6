"""Only one of the two latencies is judged.

## What it flags
An evaluation of a hand-off between prefill and decode whose points judge the first token (TTFT) and neither TPOT nor
ITL, or the other way round.

## Why it matters
Both are moved by a hand-off, often in opposite directions: work taken off the first token's path lands on running
requests. A user feels both.

## Example
    setup: {topology: 1P1D, connector: {mode: push}}
    points:
      - {metric: ttft, arm: push, value: 540, unit: ms}

## What to do
Add what the source says of the other, or write a limit that it says nothing and allow this check.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.completeness import hands_off
from kb.evaluation import Arm, Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import EvaluationKind, Severity

CODE = "KB137"
NAME = "only-one-latency"
SEVERITY = Severity.WARNING

FIRST, STEADY = frozenset({"ttft"}), frozenset({"tpot", "itl"})


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Hand-offs seen from one side."""
    record = loaded.record
    if not isinstance(record, Evaluation) or record.kind is EvaluationKind.REFERENCE:
        return
    if not any(hands_off(record, arm) for arm in record.arms or (Arm(id="only"),)):
        return
    judged = {point.metric for point in record.points}
    if bool(judged & FIRST) != bool(judged & STEADY):
        has, lacks = ("TTFT", "TPOT or ITL") if judged & FIRST else ("TPOT or ITL", "TTFT")
        hint = "add it, or state a limit and allow this check: a hand-off moves both"
        yield Problem(("points",), f"judges {has} and says nothing of {lacks}", hint)
