"""A load that the server could not keep up with.

## What it flags
An open-loop run (a finite request rate, no limit of concurrency below it) that completed less than nine tenths of the
rate asked for, whose TTFT outweighs the time of generation and scatters as a growing queue does. And a run whose TTFT
is five times that of the same series at a lower rate while it falls behind its own.

## Why it matters
The queue grows as long as the run lasts, so TTFT says how long somebody kept sending, and a run twice as long has
twice the TTFT. Two such runs do not compare. A low rate alone is no proof: in a short run the last answers come after
the last request was sent, and the rate reached is below the rate asked for without any queue.

## Example
    "request_rate": 1.0, "request_throughput": 0.38, "mean_ttft_ms": 781818.4, "mean_tpot_ms": 127.2

## What to do
Use it for the largest throughput only. Compare latencies at rates that both arms keep up with, or by goodput.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.measured import decode, mean, of, positive, shown
from kb.importers.run import Run
from kb.vocabulary import Severity, Statistic

CODE = "KB304"
NAME = "saturated"
SEVERITY = Severity.WARNING

BEHIND = 0.9
"""Share of the rate asked for below which a run fell behind."""
LIGHTER = 5.0
"""TTFT over that of the lightest load of the series."""


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs that fell behind their rate and queued."""
    series = _series(runs)
    for n, run in enumerate(runs):
        share = _reached(run)
        if share is None or share >= BEHIND:
            continue
        if _queues(run) or _slower_than_light(run, series[_key(run)]):
            ttft = mean(run, "ttft")
            what = f"TTFT of {shown(ttft)} ms is" if ttft is not None else "latencies are"
            yield Said(
                n, f"reached {share:.0%} of the rate asked for: {what} waiting in a queue", "use its throughput only"
            )


def _reached(run: Run) -> float | None:
    rate, got = positive(run.where.get("request_rate")), run.get("request_throughput")
    return got / rate if rate and got is not None and not run.server_side else None


def _queues(run: Run) -> bool:
    """TTFT above the time of generation, and spread from short to long instead of around a value."""
    ttft, per_token, tokens = mean(run, "ttft"), decode(run), mean(run, "output_tokens")
    if ttft is None or per_token is None or ttft < per_token * max(0.0, (tokens or 1) - 1):
        return False
    std, middle, high = (of(run, "ttft", stat) for stat in (Statistic.STD, Statistic.P50, Statistic.P99))
    return (std is not None and std > 0.3 * ttft) or (middle is not None and high is not None and high > 1.5 * middle)


def _key(run: Run) -> tuple[object, ...]:
    load = {"request_rate", "concurrency", "burstiness", "num_prompts"}
    return (run.tool, run.setup.get("model"), *sorted((k, v) for k, v in run.where.items() if k not in load))


def _series(runs: Sequence[Run]) -> dict[tuple[object, ...], tuple[float, float]]:
    """Of each series the lowest rate and its TTFT."""
    lightest: dict[tuple[object, ...], tuple[float, float]] = {}
    for run in runs:
        rate, ttft = positive(run.where.get("request_rate")), mean(run, "ttft")
        key = _key(run)
        lightest.setdefault(key, (float("inf"), float("inf")))
        if rate is not None and ttft is not None and rate < lightest[key][0]:
            lightest[key] = (rate, ttft)
    return lightest


def _slower_than_light(run: Run, lightest: tuple[float, float]) -> bool:
    rate, ttft = positive(run.where.get("request_rate")), mean(run, "ttft")
    return rate is not None and ttft is not None and rate > lightest[0] and ttft > LIGHTER * lightest[1]
