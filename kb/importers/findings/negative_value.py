"""A value below zero.

## What it flags
A negative latency, rate, count or duration. Delays against a plan may be negative and are left alone.

## Why it matters
Clocks of two machines were subtracted, or tokens were counted twice; what else the run says may be off as well.

## Example
    "mean_tpot_ms": -3.1

## What to do
Leave the metric out. Retokenised lengths above the number of chunks make TPOT negative in old SGLang logs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.run import Run
from kb.vocabulary import Severity

CODE = "KB323"
NAME = "negative-value"
SEVERITY = Severity.ERROR

_MAY_BE = {"schedule_delay", "schedule_accuracy"}


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Points below zero."""
    for n, run in enumerate(runs):
        below = [
            f"{p.metric} {p.stat.value} {p.value:g}" for p in run.points if p.value < 0 and p.metric not in _MAY_BE
        ]
        if below:
            yield Said(n, f"below zero: {', '.join(below)}", "leave these points out")
