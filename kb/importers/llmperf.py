"""llmperf (Ray): summary, its forks that keep one summary per concurrency, and the responses one by one.

Seconds everywhere, TTFT included in `inter_token_latency_s` (end-to-end / output tokens). Summaries are flat
(`results_ttft_s_quantiles_p50`); minima and maxima of lengths are texts, the error codes one more text. A fork writes
`first-time-to-token_mean_in_ms` and `latency_ms_per_token`, in ms. `version` is the day of the results' format.
Provider and hardware stand in file names only. Written by github.com/ray-project/llmperf, token_benchmark_ray.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kb.importers.fields import Fields, number
from kb.importers.perrequest import Column, Totals
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source
from kb.importers.times import of_epoch
from kb.vocabulary import Statistic

NAME = "llmperf"
TOOL = "llmperf"

_SPEED = "output_throughput_per_user"
_KEY = re.compile(r"results_(?P<of>[a-z0-9_]+?)_(?:quantiles_)?(?P<stat>p\d+|mean|min|max|stddev)")
_METRICS = {
    "ttft_s": ("ttft", "s"),
    "inter_token_latency_s": ("itl", "s"),
    "end_to_end_latency_s": ("e2el", "s"),
    "request_output_throughput_token_per_s": ("output_throughput_per_user", "tok/s/user"),
    "number_input_tokens": ("input_tokens", "count"),
    "number_output_tokens": ("output_tokens", "count"),
}
_FORK = {
    "first-time-to-token_mean_in_ms": ("ttft", "ms", "mean"),
    "latency_ms_per_token": ("itl", "ms", "mean"),
    "throughput_token_per_s": ("output_throughput", "tok/s", "value"),
}
_RESPONSE = frozenset({"inter_token_latency_s", "ttft_s", "end_to_end_latency_s", "number_output_tokens", "error_code"})
_COLUMNS = (Column("ttft_s", "ttft", "s"), Column("end_to_end_latency_s", "e2el", "s"))


def recognises(source: Source) -> bool:
    """By the summary's own keys, at the top or one level down, or by those of a response."""
    if source.shape == "list" or source.shape == "lines":
        return source.keys >= _RESPONSE
    return source.shape == "object" and (_is_summary(source.record) or _summaries(source.record) != {})


def _is_summary(record: Any) -> bool:
    return isinstance(record, dict) and (
        "results_inter_token_latency_s_mean" in record or "first-time-to-token_mean_in_ms" in record
    )


def _summaries(record: Any) -> dict[str, Any]:
    """Summaries below the top, by the concurrency they are filed under; empty when one member is something else."""
    members = record if isinstance(record, dict) else {}
    return members if members and all(_is_summary(each) for each in members.values()) else {}


def read(source: Source) -> Iterator[Run]:
    """One run, or one for each concurrency."""
    if source.shape in {"list", "lines"}:
        yield _responses(source)
        return
    members = [source.record] if _is_summary(source.record) else list(_summaries(source.record).values())
    for record, value in enumerate(members, 1):
        yield _summary(source, record, Fields(value))


def _summary(source: Source, record: int, fields: Fields) -> Run:
    points = Points(NAME)
    requests = _requests(fields)
    if requests.completed != 0:
        _measured(points, fields)
    fields.skip("results_error_rate", "results_num_completed_requests_per_min")
    unlikely = list(_unlikely(points))
    codes = fields.text("results_error_code_frequency")
    facts = _facts(fields) | ({"error_codes": codes} if codes and codes != "{}" else {})
    return Run(
        source.name,
        NAME,
        TOOL,
        tool_version=fields.text("version"),
        record=record,
        setup={"model": model} if (model := fields.text("model")) else {},
        where=_where(fields),
        facts=facts,
        points=tuple(points.points),
        requests=requests,
        ended=of_epoch(fields.number("timestamp")),
        not_understood=(*fields.odd, *points.odd, *unlikely, *fields.leftover()),
    )


def _measured(points: Points, fields: Fields) -> None:
    for key in fields:
        if (found := _KEY.fullmatch(key)) and found["of"] in _METRICS:
            metric, unit = _METRICS[found["of"]]
            points.add(metric, fields.number(key), unit, found["stat"])
    for key, (metric, unit, stat) in _FORK.items():
        points.add(metric, fields.number(key) or None, unit, stat)
    points.add("output_throughput", fields.number("results_mean_output_throughput_token_per_s") or None, "tok/s")
    each_minute = fields.number("results_num_completed_requests_per_min")
    points.add("request_throughput", each_minute / 60 if each_minute else None, "req/s")


def _unlikely(points: Points) -> Iterator[str]:
    """The tokens per second of a request, left out where far from mean tokens / mean latency: files of 2023."""
    means = {point.metric: point.value for point in points.points if point.stat is Statistic.MEAN}
    told, tokens, latency = (means.get(each, 0) for each in (_SPEED, "output_tokens", "e2el"))
    likely = tokens / latency * 1000 if latency else 0
    if told and likely and not 0.5 < told / likely < 2:
        points.points = [point for point in points.points if point.metric != _SPEED]
        yield f"tokens per second of a request: {told:.4g}, but lengths and latencies give {likely:.4g}; left out"


def _requests(fields: Fields) -> Requests:
    names = ("results_num_requests_started", "results_num_completed_requests", "results_number_errors")
    return Requests(*(fields.count(name) for name in names))


def _where(fields: Fields) -> dict[str, Fact]:
    names = {
        "input_tokens": ("mean_input_tokens", "input_token_length"),
        "output_tokens": ("mean_output_tokens", "output_token_length"),
        "concurrency": ("num_concurrent_requests", "concurrency"),
        "input_tokens_std": ("stddev_input_tokens",),
        "output_tokens_std": ("stddev_output_tokens",),
    }
    found = {key: [v for name in each if (v := fields.number(name)) is not None] for key, each in names.items()}
    return {key: values[0] for key, values in found.items() if values and (values[0] or not key.endswith("std"))}


def _facts(fields: Fields) -> dict[str, Fact]:
    fields.skip("name")
    names = ("framework", "model_size", "api", "additional_sampling_params")
    return {key: value for key in names if key in fields and (value := fields.text(key)) not in {None, "{}"}}


def _responses(source: Source) -> Run:
    """Responses one by one: the tool's own summary leaves out those with an error code."""
    totals = Totals(NAME, _COLUMNS)
    lengths = Totals(
        NAME,
        (
            Column("number_input_tokens", "input_tokens", "count"),
            Column("number_output_tokens", "output_tokens", "count"),
        ),
    )
    odd: list[str] = []
    for value in source.records():
        if not isinstance(value, Mapping):
            odd.append(f"a response is a {type(value).__name__}, no table")
            continue
        failed = (
            value.get("error_code") not in {None, ""} if not isinstance(value.get("error_code"), dict | list) else True
        )
        totals.add(value, failed=failed)
        if not failed:
            lengths.add(value, failed=False)
    points = [*totals.points(), *_itl(source, totals), *lengths.points()]
    return Run(
        source.name,
        NAME,
        TOOL,
        facts={"statistics": "computed here from the responses"},
        points=tuple(points),
        requests=totals.requests(),
        detail=totals.detail(),
        not_understood=(*odd[:3], *totals.odd),
    )


def _itl(source: Source, totals: Totals) -> Iterator[Any]:
    """The mean of the per-request values, unless an answer without tokens put a zero into it."""
    if not totals.good:
        return
    extra = Totals(NAME, (Column("inter_token_latency_s", "itl", "s"),))
    for value in source.records():
        if isinstance(value, Mapping) and value.get("error_code") is None and number(value.get("number_output_tokens")):
            extra.add(value, failed=False)
    yield from extra.points()
