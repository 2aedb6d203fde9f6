"""What GuideLLM's metrics are here: metric, unit, definition, and whether their spread means anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kb.importers.points import Points


@dataclass(frozen=True, slots=True)
class Metric:
    """One of GuideLLM's metrics in our words."""

    name: str
    unit: str
    definition: str | None
    mean_only: bool = False
    """Its percentiles are momentary rates, weighted by time."""


TPOT = Metric("tpot", "ms", "guidellm.tpot")
TPOT_BEFORE = Metric("tpot", "ms", "guidellm.tpot-0.2")
"""0.2 and 0.3 leave the first token's time out of the sum and divide by all tokens."""

METRICS = {
    "time_to_first_token_ms": Metric("ttft", "ms", "guidellm.ttft"),
    "time_to_first_output_token_ms": Metric("time_to_first_output_token", "ms", "guidellm.ttfo"),
    "time_per_output_token_ms": TPOT,
    "inter_token_latency_ms": Metric("itl", "ms", "guidellm.itl"),
    "request_latency": Metric("e2el", "s", "guidellm.e2el"),
    "prompt_token_count": Metric("input_tokens", "count", "guidellm.input_tokens"),
    "output_token_count": Metric("output_tokens", "count", "guidellm.output_tokens"),
    "requests_per_second": Metric("request_throughput", "req/s", "guidellm.request_throughput", mean_only=True),
    "request_concurrency": Metric("concurrency", "count", "guidellm.concurrency", mean_only=True),
    "prompt_tokens_per_second": Metric("input_throughput", "tok/s", "guidellm.input_throughput", mean_only=True),
    "output_tokens_per_second": Metric("output_throughput", "tok/s", "guidellm.output_throughput", mean_only=True),
    "tokens_per_second": Metric("total_throughput", "tok/s", "guidellm.total_throughput", mean_only=True),
}

PERCENTILES = {"p50": "p50", "p75": "p75", "p90": "p90", "p95": "p95", "p99": "p99", "p999": "p99.9"}
"""p001 is 0.1 % and p01 is 1 %; those low ones have no name here."""


def add(points: Points, metric: Metric, stats: Mapping[str, Any], n: int | None) -> None:
    """The statistics of one metric, under our names. A metric of zeros throughout was not measured."""
    values = {stat: value for stat, value in stats.items() if value is not None}
    if not any(values.values()):
        return
    if metric.mean_only:
        points.add(metric.name, values.get("mean"), metric.unit, "mean", definition=metric.definition)
        return
    for stat, value in values.items():
        points.add(metric.name, value, metric.unit, stat, definition=metric.definition, n=n)
