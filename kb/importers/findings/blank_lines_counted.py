"""inference-perf that counted blank lines as tokens.

## What it flags
A run of inference-perf whose median inter-token latency is below a twentieth of its mean, or whose TTFT and TPOT fall
short of the whole request by more than 30 percent.

## Why it matters
Releases up to 0.2 take a timestamp for every line of the stream, and every event is followed by a blank line. TPOT and
ITL come out at about half of the truth and the median of ITL near zero. TTFT, whole request and throughput are right.

## Example
    "inter_token_latency": {"mean": 0.0089, "median": 0.00005}      where the truth is 0.020

## What to do
Leave TPOT and ITL out. Normalised time per token and the server's own metrics of the same run are right; or measure
again with 0.7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.findings.latencies_do_not_add_up import APART, gap
from kb.importers.measured import mean, of
from kb.importers.run import Run
from kb.vocabulary import Severity, Statistic

CODE = "KB311"
NAME = "blank-lines-counted"
SEVERITY = Severity.ERROR


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs of inference-perf that show either sign."""
    for n, run in enumerate(runs):
        if run.tool != "inference-perf" or run.server_side:
            continue
        middle, average, apart = of(run, "itl", Statistic.P50), mean(run, "itl"), gap(run)
        halves = middle is not None and average is not None and middle < average / 20
        if halves or (apart is not None and apart < -APART):
            yield Said(
                n, "blank lines of the stream were counted as tokens: TPOT and ITL are about half of the truth",
                "use TTFT, the whole request and throughput of it",
            )  # fmt: skip
