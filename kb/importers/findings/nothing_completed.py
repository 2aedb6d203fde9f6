"""A run of which no request was completed.

## What it flags
A run that sent requests and completed none.

## Why it matters
Its file may hold zeros or the times of errors in place of latencies. Nothing of it is imported as a latency or a
throughput; only the counts are.

## Example
    "num_prompts": 8, "completed": 0, "mean_ttft_ms": 0.0

## What to do
Read the server's log and the client's errors, and run it again. Keep the file out of the entry, or record the failure
itself: the counts are points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.run import Run
from kb.vocabulary import Severity

CODE = "KB301"
NAME = "nothing-completed"
SEVERITY = Severity.ERROR


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs without a completed request."""
    for n, run in enumerate(runs):
        if run.requests.completed == 0:
            sent = f"none of {run.requests.sent} requests" if run.requests.sent else "no request"
            yield Said(n, f"{sent} was completed: no latency of it is a measurement", "look at the server's log")
