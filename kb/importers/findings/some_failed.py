"""A run of which some requests failed.

## What it flags
At least one failed request, and not more than a tenth of them.

## Why it matters
Statistics leave failed requests out. Where one arm fails more often than the other, the comparison favours it.

## Example
    "num_prompts": 1000, "completed": 991

## What to do
Record `completed` and `failed` of each arm beside the latencies, and say in `limits` what failed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.findings.many_failed import MANY
from kb.importers.measured import failed_share
from kb.importers.run import Run
from kb.vocabulary import Severity

CODE = "KB303"
NAME = "some-failed"
SEVERITY = Severity.WARNING


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs with a few failures."""
    for n, run in enumerate(runs):
        share = failed_share(run)
        if share is not None and 0 < share <= MANY:
            failed = run.requests.failed
            yield Said(n, f"{f'{failed} requests' if failed else f'{share:.1%}'} failed; latencies leave them out")
