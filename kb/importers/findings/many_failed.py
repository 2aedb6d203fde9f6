"""A run of which more than a tenth of the requests failed.

## What it flags
Fewer than nine in ten of the requests sent were completed.

## Why it matters
Statistics are over the requests that were answered, usually the short ones and those that came first. The more fail,
the better the rest looks, and the rates are those of a half-empty server.

## Example
    "num_prompts": 1000, "completed": 17, "mean_ttft_ms": 412.9

## What to do
Find out why they failed and measure again. If the failures are the finding, record `completed` and `failed` and no
latency.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.measured import failed_share
from kb.importers.run import Run
from kb.vocabulary import Severity

CODE = "KB302"
NAME = "many-failed"
SEVERITY = Severity.ERROR

MANY = 0.1
"""Share of failed requests above which latencies are not to be shown."""


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs with more failures than that, and some success."""
    for n, run in enumerate(runs):
        share = failed_share(run)
        if share is not None and share > MANY and run.requests.completed != 0:
            yield Said(
                n, f"{share:.0%} of the requests failed; latencies are of the others", "do not compare its latencies"
            )
