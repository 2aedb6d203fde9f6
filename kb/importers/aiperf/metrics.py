"""AIPerf's metrics by tag: our name, definition, and the unit words it uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kb.importers.points import Points


@dataclass(frozen=True, slots=True)
class Metric:
    """One of AIPerf's metrics in our words."""

    name: str
    definition: str | None
    scalar: bool = False
    """One value for the run, written as its average."""


def _over(name: str, definition: str | None = None) -> Metric:
    return Metric(name, definition)


def _one(name: str, definition: str | None = None) -> Metric:
    return Metric(name, definition, scalar=True)


METRICS = {
    "time_to_first_token": _over("ttft", "aiperf.ttft"),
    "time_to_first_output_token": _over("time_to_first_output_token", "aiperf.ttfo"),
    "time_to_second_token": _over("time_to_second_token"),
    "inter_token_latency": _over("itl", "aiperf.itl"),
    "inter_chunk_latency": _over("inter_chunk_latency", "aiperf.icl"),
    "request_latency": _over("e2el", "aiperf.e2el"),
    "input_sequence_length": _over("input_tokens", "client.input_tokens"),
    "output_sequence_length": _over("output_tokens", "aiperf.output_sequence_length"),
    "output_token_count": _over("output_token_count", "aiperf.output_tokens"),
    "reasoning_token_count": _over("reasoning_token_count"),
    "output_token_throughput_per_user": _over("output_throughput_per_user", "aiperf.output_throughput_per_user"),
    "osl_mismatch_diff_pct": _over("osl_mismatch_diff_pct"),
    "request_throughput": _one("request_throughput", "aiperf.request_throughput"),
    "output_token_throughput": _one("output_throughput", "aiperf.output_throughput"),
    "input_token_throughput": _one("input_throughput", "aiperf.input_throughput"),
    "total_token_throughput": _one("total_throughput", "aiperf.total_throughput"),
    "goodput": _one("goodput", "aiperf.goodput"),
    "good_request_count": _one("good_request_count"),
    "request_count": _one("completed"),
    "error_request_count": _one("failed"),
    "benchmark_duration": _one("duration"),
    "total_isl": _one("total_input_tokens"),
    "total_osl": _one("total_output_sequence_length"),
    "total_output_tokens": _one("total_output_tokens"),
    "total_reasoning_tokens": _one("total_reasoning_tokens"),
    "effective_concurrency": Metric("concurrency", "aiperf.concurrency"),
}
COUNTS = frozenset({"request_count", "error_request_count", "benchmark_duration"})
"""What a run has even when no request succeeded."""
KNOWN = frozenset(
    {
        *("completed_request_count", "request_error_rate", "good_request_fraction", "osl_mismatch_count"),
        *("usage_discrepancy_count", "min_request_timestamp", "max_response_timestamp", "error_isl", "total_error_isl"),
        *("tokens_in_flight", "credit_to_start_latency", "credit_drop_latency", "effective_latency", "decode_duration"),
        *("e2e_output_token_throughput", "prefill_throughput", "prefill_throughput_per_user", "requested_osl"),
    }
)
"""Metrics of AIPerf that have no place here: derived from others, about its own plumbing, or momentary rates."""
KNOWN_PREFIXES = (
    "http_req_",
    "usage_",
    "total_usage_",
    "effective_",
    "active_",
    "nvidia_",
    "amd_",
    "network_",
    "overall_usage_",
)

UNITS = {
    "ms": "ms", "us": "us", "ns": "ns", "sec": "s", "s": "s", "seconds": "s",
    "requests/sec": "req/s", "tokens/sec": "tok/s", "tokens/sec/user": "tok/s/user",
    "requests": "count", "tokens": "count", "count": "count", "%": "%", "ratio": "fraction", "": "count",
}  # fmt: skip
"""AIPerf's word for a unit -> ours."""
STATS = ("avg", "p50", "p75", "p90", "p95", "p99", "min", "max", "std")


def add(points: Points, tag: str, unit: str, stats: Mapping[str, Any], n: int | None) -> None:
    """The statistics of one metric."""
    metric = METRICS[tag]
    if unit not in UNITS:
        points.odd.append(f"{tag}: its unit {unit!r} is not known")
        return
    if metric.scalar:
        points.add(metric.name, stats.get("avg"), UNITS[unit], definition=metric.definition, n=n)
        return
    for stat in STATS:
        points.add(metric.name, stats.get(stat), UNITS[unit], stat, definition=metric.definition, n=n)


def is_known(tag: str) -> bool:
    """Whether a tag is one that we leave out on purpose."""
    return tag in KNOWN or tag.startswith(KNOWN_PREFIXES)
