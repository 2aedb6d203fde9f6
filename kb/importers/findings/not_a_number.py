"""NaN, infinity and numbers that stand for them.

## What it flags
Values that the file gives and that are no number of a result: NaN, `Infinity`, 1.6e14 requests per second, a text.

## Why it matters
They mean "divided by nothing" or "no limit". None of them is imported as a point.

## Example
    "mean_tpot_ms": NaN

## What to do
Nothing, if the metric is not needed. If it is, find out what the run lacked: usually answers of one token, or no
streaming.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.points import INFINITE, NO_NUMBER
from kb.importers.run import Run
from kb.vocabulary import Severity

CODE = "KB321"
NAME = "not-a-number"
SEVERITY = Severity.INFO


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs that had such values."""
    for n, run in enumerate(runs):
        odd = [each.partition(":")[0] for each in run.not_understood if each.endswith((INFINITE, NO_NUMBER))]
        if odd:
            yield Said(n, f"no number of a result: {', '.join(odd)}", "these points were left out")
