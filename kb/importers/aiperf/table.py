"""The CSV of an AIPerf run: metrics with percentiles, an empty line, scalars, then GPUs. Rounded to two digits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from kb.importers.aiperf import metrics
from kb.importers.fields import number
from kb.importers.points import Points
from kb.importers.run import Requests, Run
from kb.importers.source import Source

_NAME = re.compile(r"(?P<name>.*?)(?: \((?P<unit>[^()]*)\))?")
_TAGS = {
    "Time to First Token": "time_to_first_token",
    "Time to First Output Token": "time_to_first_output_token",
    "Time to Second Token": "time_to_second_token",
    "Inter Token Latency": "inter_token_latency",
    "Inter Chunk Latency": "inter_chunk_latency",
    "Request Latency": "request_latency",
    "Input Sequence Length": "input_sequence_length",
    "Output Sequence Length": "output_sequence_length",
    "Output Token Count": "output_token_count",
    "Reasoning Token Count": "reasoning_token_count",
    "Output Token Throughput Per User": "output_token_throughput_per_user",
    "OSL Mismatch Diff %": "osl_mismatch_diff_pct",
    "Request Throughput": "request_throughput",
    "Output Token Throughput": "output_token_throughput",
    "Input Token Throughput": "input_token_throughput",
    "Total Token Throughput": "total_token_throughput",
    "Goodput": "goodput",
    "Good Request Count": "good_request_count",
    "Request Count": "request_count",
    "Error Request Count": "error_request_count",
    "Benchmark Duration": "benchmark_duration",
    "Total Input Sequence Length": "total_isl",
    "Total Output Sequence Length": "total_osl",
    "Total Output Tokens": "total_output_tokens",
    "Effective Concurrency": "effective_concurrency",
}
_SENT = "Completed Requests (Success + Error)"


def recognises(head: Sequence[Sequence[str]]) -> bool:
    """`Metric,avg,min,max,...` with a standard deviation; GenAI-Perf's header has none."""
    return bool(head) and list(head[0][:4]) == ["Metric", "avg", "min", "max"] and "std" in head[0]


def read(source: Source) -> Iterator[Run]:
    """One run."""
    points = Points("aiperf")
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    header: list[str] = []
    for row in source.rows():
        if row[:1] == ["Metric"]:
            header = ["avg"] if row[1:] == ["Value"] else row[1:]
        elif row[:1] == ["Endpoint"]:
            break
        elif row and header:
            name, unit = _named(row[0])
            found[name] = (unit, dict(zip(header, row[1:], strict=False)))
    requests = _requests(found)
    for name, (unit, stats) in found.items():
        if (tag := _TAGS.get(name)) and (requests.completed != 0 or tag in metrics.COUNTS):
            metrics.add(points, tag, unit, stats, None)
    yield Run(
        file=source.name,
        importer="aiperf",
        tool="AIPerf",
        points=tuple(points.points),
        requests=requests,
        facts={"rounded": "two digits after the point"},
        not_understood=tuple(points.odd),
    )


def _named(cell: str) -> tuple[str, str]:
    """`Time to First Token (ms)` -> its name and unit; counts of requests have no unit."""
    if cell == _SENT:
        return cell, ""
    match = _NAME.fullmatch(cell)
    return (match["name"], match["unit"] or "") if match else (cell, "")


def _requests(found: dict[str, tuple[str, dict[str, Any]]]) -> Requests:
    counts = {name: number(stats.get("avg")) for name, (_, stats) in found.items()}
    completed, failed, sent = (counts.get(name) for name in ("Request Count", "Error Request Count", _SENT))
    if failed is None and sent is not None and completed is not None:
        failed = sent - completed
    return Requests(_count(sent), _count(completed), _count(failed))


def _count(value: float | None) -> int | None:
    return int(value) if value is not None and value >= 0 and value == int(value) else None
