"""A latency of zero.

## What it flags
A mean, median or percentile of a latency that is exactly 0, where answers have more than one token.

## Why it matters
Tools write 0 for "there was none": no request of that group, no token streamed, an unknown percentile. Taken for a
measurement it makes that arm unbeatable.

## Example
    "p99_ttft_ms": 0.0

## What to do
Leave the point out; look into the file for the count that belongs to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.measured import is_latency, mean
from kb.importers.run import Run
from kb.vocabulary import Severity, Statistic

CODE = "KB320"
NAME = "zero-latency"
SEVERITY = Severity.ERROR

_MAY_BE_ZERO = {Statistic.STD, Statistic.MIN}
_NEVER_ZERO = {"ttft", "tpot", "itl", "e2el", "latency", "inter_chunk_latency", "transfer_duration"}


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Zeros that stand for nothing."""
    for n, run in enumerate(runs):
        one_token = (mean(run, "output_tokens") or 2) <= 1
        zeros = [
            f"{p.metric} {p.stat.value}"
            for p in run.points
            if p.value == 0 and is_latency(p) and p.stat not in _MAY_BE_ZERO and p.metric in _NEVER_ZERO
            and not (one_token and p.metric in {"tpot", "itl"})
        ]  # fmt: skip
        if zeros:
            yield Said(n, f"0 is no latency: {', '.join(zeros)}", "leave these points out")
