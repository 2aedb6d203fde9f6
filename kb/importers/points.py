"""Collects the points of one run: canonical units, finite numbers, each under the definition of its tool."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from kb.importers.fields import LARGEST, is_infinite, is_missing, number
from kb.importers.run import RunPoint, Series
from kb.importers.streaming import Long, summary
from kb.units import convert
from kb.vocabulary import Statistic

CANONICAL = {
    **dict.fromkeys(("ttft", "tpot", "itl", "e2el"), "ms"),
    **dict.fromkeys(("request_throughput", "goodput"), "req/s"),
    **dict.fromkeys(("input_throughput", "output_throughput", "total_throughput"), "tok/s"),
    **dict.fromkeys(("completed", "failed", "input_tokens", "output_tokens"), "count"),
    "duration": "s",
}
"""Metric -> its unit (cli.md, "Canonical metrics"); any other metric keeps the unit of its tool."""

STATS = {
    "mean": Statistic.MEAN, "avg": Statistic.MEAN, "average": Statistic.MEAN,
    "median": Statistic.P50, "p50": Statistic.P50, "p75": Statistic.P75, "p90": Statistic.P90,
    "p95": Statistic.P95, "p99": Statistic.P99, "p99.9": Statistic.P99_9, "p99_9": Statistic.P99_9,
    "p99p9": Statistic.P99_9, "std": Statistic.STD, "stddev": Statistic.STD, "std_dev": Statistic.STD,
    "min": Statistic.MIN, "max": Statistic.MAX, "value": Statistic.VALUE,
}  # fmt: skip
"""How tools call a statistic -> ours. Other percentiles (p1, p25, p99.99) have no name here and are left out."""

INFINITE, NO_NUMBER = "is infinite", "is no number of a result"
"""Ends of the sentences about values that are no points."""

_POWERS = {"ns": -9, "us": -6, "µs": -6, "μs": -6, "ms": -3, "s": 0}


def exact(value: float, unit: str, into: str) -> float | None:
    """`value` in another unit of its kind; powers of ten are shifted in decimal, so that 0.147 s is 147 ms."""
    if unit == into:
        return value
    if unit in _POWERS and into in _POWERS:
        shifted = Decimal(repr(value)).scaleb(_POWERS[unit] - _POWERS[into])
        return int(shifted) if isinstance(value, int) and shifted == int(shifted) else float(shifted)
    return convert(value, unit, into)


class Points:
    """Points of one run in the making; `tool` is the prefix of its definitions (`vllm-bench`)."""

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self.points: list[RunPoint] = []
        self.odd: list[str] = []
        """Sentences about numbers that are none, for `not_understood`."""

    def add(
        self,
        metric: str,
        value: Any,
        unit: str,
        stat: Statistic | str = Statistic.VALUE,
        *,
        definition: str | None = "",
        n: int | None = None,
    ) -> None:
        """One number in the unit that the file gives it in. Missing adds nothing; NaN, infinity and the like are odd.

        `definition`: without one it is `tool.metric`; None says that the tool's meaning is not known.
        `stat` may be the tool's word for it (STATS); one that we have no name for adds nothing.
        """
        statistic = stat if isinstance(stat, Statistic) else STATS.get(stat.casefold())
        if statistic is None or is_missing(value):
            return
        found = number(value)
        if found is None or abs(found) > LARGEST:
            what = INFINITE if is_infinite(value) else NO_NUMBER
            self.odd.append(f"{metric} {statistic.value}: {str(value)[:40]!r} {what}")
            return
        into = CANONICAL.get(metric, unit)
        converted = exact(found, unit, into)
        if converted is None:
            self.odd.append(f"{metric} {statistic.value}: {found:g} {unit} is not convertible into {into}")
            return
        named = f"{self._tool}.{metric}" if definition == "" else definition
        self.points.append(RunPoint(metric, converted, into, statistic, named, n))


def series(values: Any, unit: str) -> Series | None:
    """Per-request values in short; of a list of lists (gaps of each request) all of them. None when there are none."""
    found = values if isinstance(values, Long) else summary(values) if isinstance(values, list) else None
    return Series(found.numbers, found.total, found.low, found.high, unit) if found and found.numbers else None
