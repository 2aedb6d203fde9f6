"""Requests that were all sent at once.

## What it flags
A run with an infinite request rate and no limit of concurrency.

## Why it matters
Every request but the first few waits for the others: TTFT is the place in the queue, and it grows with the number of
prompts. Throughput is what such a run measures.

## Example
    "request_rate": "inf", "max_concurrency": null, "num_prompts": 1000

## What to do
Compare throughput only, and only at the same number of prompts. For latencies give a rate or a concurrency.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.measured import mean
from kb.importers.run import Run
from kb.vocabulary import Severity

CODE = "KB305"
NAME = "all-at-once"
SEVERITY = Severity.INFO


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Open doors: no rate, no limit."""
    for n, run in enumerate(runs):
        opened = run.where.get("request_rate") == "inf" and "concurrency" not in run.where
        if opened and mean(run, "ttft") is not None:
            yield Said(n, "all requests were sent at once: TTFT is the place in the queue", "compare throughput only")
