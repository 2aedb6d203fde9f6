"""vLLM's offline benchmarks, JSON: `vllm bench throughput`, `vllm bench latency` and the scripts before them.

Throughput counts input and output tokens together; latency is of a whole batch, in seconds. Neither names a model.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.importers.fields import Fields
from kb.importers.points import Points, series
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source

NAME = "vllm-offline"
TOOL = "vllm bench throughput/latency"

_THROUGHPUT = {"elapsed_time", "num_requests", "total_num_tokens", "requests_per_second", "tokens_per_second"}
_LATENCY = {"avg_latency", "latencies", "percentiles"}


def recognises(source: Source) -> bool:
    """The five keys of the one, the three of the other."""
    return source.shape != "yaml" and (source.keys >= _THROUGHPUT or source.keys >= _LATENCY)


def read(source: Source) -> Iterator[Run]:
    """One run per object."""
    for number, record in enumerate(source.records(), start=1):
        fields = Fields(record)
        yield (_throughput if "tokens_per_second" in fields else _latency)(source.name, number, fields)


def _throughput(file: str, number: int, fields: Fields) -> Run:
    points, requests = Points(NAME), fields.count("num_requests")
    points.add("request_throughput", fields.number("requests_per_second"), "req/s")
    points.add("total_throughput", fields.number("tokens_per_second"), "tok/s")
    points.add("total_num_tokens", fields.number("total_num_tokens"), "count")
    points.add("completed", requests, "count", definition=None)
    points.add("duration", fields.number("elapsed_time"), "s")
    where: dict[str, Fact] = {} if requests is None else {"num_prompts": requests, "request_rate": "inf"}
    return Run(
        file, NAME, "vllm bench throughput", None, number, where=where, points=tuple(points.points),
        requests=Requests(requests, requests), not_understood=(*fields.odd, *points.odd, *fields.leftover()),
    )  # fmt: skip


def _latency(file: str, number: int, fields: Fields) -> Run:
    points, each = Points(NAME), series(fields.raw("latencies"), "s")
    n = each.count if each else None
    points.add("latency", fields.number("avg_latency"), "s", "mean", n=n)
    percentiles = fields.table("percentiles")
    for key in percentiles:
        points.add("latency", percentiles.number(key), "s", f"p{key}", n=n)
    return Run(
        file, NAME, "vllm bench latency", None, number, points=tuple(points.points),
        detail={"latency": each} if each else {},
        not_understood=(*fields.odd, *points.odd, *fields.leftover()),
    )  # fmt: skip
