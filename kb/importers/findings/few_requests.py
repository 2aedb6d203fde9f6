"""Too few requests for the statistics that are given.

## What it flags
Fewer than 30 completed requests; fewer than 100 where a 99th percentile is given.

## Why it matters
The 99th percentile of 20 requests is the slowest one, and the mean of 8 is that of the first, cold one: 217 ms beside
a median of 45 ms in a real file. Two such runs differ by chance.

## Example
    "completed": 8, "p99_ttft_ms": 734.4

## What to do
Repeat the run, with a warm-up, until the repeats agree; give the median, and no percentile above 1 - 1/n.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.measured import is_latency, mean, of
from kb.importers.run import Run
from kb.vocabulary import Severity, Statistic

CODE = "KB332"
NAME = "few-requests"
SEVERITY = Severity.INFO

FOR_A_MEAN, FOR_P99 = 30, 100


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs with fewer requests than their statistics need."""
    for n, run in enumerate(runs):
        completed = run.requests.completed
        if not completed or not any(map(is_latency, run.points)):
            continue
        tail = any(p.stat in {Statistic.P99, Statistic.P99_9} and is_latency(p) for p in run.points)
        if completed < FOR_A_MEAN:
            yield Said(n, f"{completed} requests{_cold(run)}", "repeat the run with a warm-up")
        elif completed < FOR_P99 and tail:
            yield Said(n, f"a 99th percentile of {completed} requests is about their maximum")


def _cold(run: Run) -> str:
    average, middle = mean(run, "ttft"), of(run, "ttft", Statistic.P50)
    if average is not None and middle and average > 2 * middle:
        return f"; mean TTFT {average:.4g} ms beside a median of {middle:.4g} ms looks like a cold start"
    return " are too few for more than a median"
