"""Percentiles that fall where they must rise.

## What it flags
Of one latency: a median above the 90th percentile, a maximum below the 99th, a mean outside of minimum and maximum.

## Why it matters
Columns were swapped, or values of several runs were mixed. Which of them is right cannot be told from the file.

## Example
    "p90_ttft_ms": 812.0, "p99_ttft_ms": 95.3

## What to do
Look at the tool that wrote the file; keep the metric out until it is clear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kb.importers.findings import Said
from kb.importers.measured import is_latency, shown
from kb.importers.run import Run
from kb.vocabulary import Severity, Statistic

CODE = "KB322"
NAME = "percentiles-turned-round"
SEVERITY = Severity.ERROR

_RISING = (
    *(Statistic.MIN, Statistic.P50, Statistic.P75, Statistic.P90),
    *(Statistic.P95, Statistic.P99, Statistic.P99_9, Statistic.MAX),
)
_ROUNDING = 1e-6


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Latencies whose statistics are out of order."""
    for n, run in enumerate(runs):
        tables: dict[tuple[str, str | None], dict[Statistic, float]] = {}
        for point in run.points:
            if is_latency(point):
                tables.setdefault((point.metric, point.definition), {})[point.stat] = point.value
        for (metric, _), stats in tables.items():
            if wrong := _wrong(stats):
                yield Said(n, f"{metric}: {wrong}", "leave the metric out until it is clear which is right")


def _wrong(stats: dict[Statistic, float]) -> str | None:
    present = [stat for stat in _RISING if stat in stats]
    for low, high in pairwise(present):
        if stats[low] > stats[high] * (1 + _ROUNDING) + _ROUNDING:
            return f"{low.value} {shown(stats[low])} is above {high.value} {shown(stats[high])}"
    mean, least, most = (stats.get(stat) for stat in (Statistic.MEAN, Statistic.MIN, Statistic.MAX))
    if mean is not None and most is not None and mean > most * (1 + _ROUNDING) + _ROUNDING:
        return f"mean {shown(mean)} is above max {shown(most)}"
    if mean is not None and least is not None and mean < least * (1 - _ROUNDING) - _ROUNDING:
        return f"mean {shown(mean)} is below min {shown(least)}"
    return None
