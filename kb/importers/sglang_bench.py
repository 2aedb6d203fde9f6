"""SGLang bench_serving, JSON Lines (0.4 to 0.5.23), from `sglang/bench_serving.py` (now `benchmark/serving.py`).

The file is opened for appending, so that it may hold several runs, and `request_rate` is a bare `Infinity`. Latencies
are in ms. Nothing names the client's version: `server_info` is the server's. A statistic over no values is written as 0
(`np.mean([] or 0)`), one over no requests as NaN. Requests sent are counted only in the lists of `--output-details`.
The native backend divides gaps between chunks by their tokens from 0.4.4 on, the release that brought `accept_length`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kb.importers.facts import stated
from kb.importers.fields import Fields
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run, Series
from kb.importers.sglang_server import setup
from kb.importers.source import Source, Unreadable
from kb.importers.streaming import Long

NAME = "sglang-bench"
TOOL = "SGLang bench_serving"

_OF_EVERY_RUN = frozenset({"backend", "sharegpt_output_len", "random_input_len"})
_LATENCY = re.compile(r"(mean|median|std|max|p[0-9.]+)_(e2e_latency|ttft|tpot|itl)_ms")
_METRICS = {"e2e_latency": "e2el", "ttft": "ttft", "tpot": "tpot", "itl": "itl"}
_NATIVE = frozenset({"sglang", "sglang-native"})
_OAI = frozenset({"sglang-oai", "sglang-oai-chat"})
_THROUGHPUTS = {
    "request_throughput": "req/s",
    "input_throughput": "tok/s",
    "output_throughput": "tok/s",
    "total_throughput": "tok/s",
}

_TOTALS = ("total_input_text_tokens", "total_input_vision_tokens", "total_output_tokens_retokenized")
_OF_SUCCESSES = (
    *_THROUGHPUTS,
    *("concurrency", "accept_length", "max_output_tokens_per_s", "max_concurrent_requests"),
    *("total_input_tokens", "total_output_tokens", *_TOTALS),
)
"""What is 0 and means nothing where no request succeeded."""


def recognises(source: Source) -> bool:
    """By the data-set arguments that every release copies into its results."""
    return source.keys >= _OF_EVERY_RUN and any(key.endswith("_e2e_latency_ms") for key in source.keys)


def read(source: Source) -> Iterator[Run]:
    """One run per line."""
    for place, record in enumerate(source.records(), 1):
        if not isinstance(record, dict):
            raise Unreadable(f"record {place} is no object")
        yield _run(source.name, place, Fields(record))


def _run(name: str, place: int, fields: Fields) -> Run:
    points = Points(NAME)
    where, facts = _load(fields)
    requests, detail = _counts(fields)
    slo = _goodput(fields, points, requests.completed)
    if requests.completed != 0:
        _throughputs(fields, points)
        _lengths(fields, points, requests.completed)
        _latencies(fields, points, facts)
    else:
        fields.skip(*_OF_SUCCESSES, *(key for key in fields if _LATENCY.fullmatch(key)))
    _extent(fields, points, requests)
    server, said = setup(fields.table("server_info"))
    return Run(
        file=name,
        importer=NAME,
        tool=TOOL,
        tool_version=_version(fields),
        record=place,
        setup={**server.keys, **slo},
        where=where,
        facts={**facts, **server.facts},
        points=tuple(points.points),
        requests=requests,
        detail=detail,
        not_understood=(*fields.odd, *points.odd, *said, *fields.leftover()),
    )


def _version(fields: Fields) -> str:
    """What the keys show; the releases were read one by one from 0.4.0 on."""
    if "p95_ttft_ms" in fields:
        return ">=0.5.11"
    if "server_info" in fields or "tag" in fields:
        return ">=0.4.7"
    if "accept_length" in fields:
        return ">=0.4.4,<0.5.5"
    return "<0.4.4"


def _load(fields: Fields) -> tuple[dict[str, Fact], dict[str, Fact]]:
    """What was asked for. Lengths are arguments with defaults: only those of the data set in use mean anything."""
    dataset = fields.text("dataset_name")
    rate = "trace" if fields.raw("request_rate") == "trace" else fields.rate("request_rate")
    random = {
        "input_tokens": fields.count("random_input_len"),
        "output_tokens": fields.count("random_output_len"),
        "random_range_ratio": fields.number("random_range_ratio"),
    }
    answer = fields.count("sharegpt_output_len")
    where: dict[str, Fact | None] = {
        "dataset": dataset,
        "request_rate": None if rate == "trace" else rate,
        "concurrency": fields.count("max_concurrency"),
        **(random if (dataset or "").startswith("random") else {}),
        **({"output_tokens": answer} if dataset == "sharegpt" else {}),
    }
    arrival = "trace" if rate == "trace" else None
    return stated(where), stated({"backend": fields.text("backend"), "tag": fields.text("tag"), "arrival": arrival})


def _counts(fields: Fields) -> tuple[Requests, dict[str, Series]]:
    completed = fields.count("completed")
    sent = _length(fields.raw("output_lens"))
    failed = sent - completed if sent is not None and completed is not None and sent >= completed else None
    ttfts = _series(fields.raw("ttfts"))
    fields.skip("input_lens", "itls", "generated_texts", "errors", "cached_tokens", "cached_tokens_details")
    return Requests(sent, completed, failed), {"ttft": ttfts} if ttfts else {}


def _length(values: Any) -> int | None:
    return values.count if isinstance(values, Long) else len(values) if isinstance(values, list) else None


def _series(values: Any) -> Series | None:
    """Seconds, one per request; failed requests stand in it as 0."""
    if isinstance(values, list):
        long = Long()
        long.add(values)
        values = long
    if not isinstance(values, Long) or not values.numbers:
        return None
    return Series(values.numbers, values.total, values.low, values.high, "s")


def _throughputs(fields: Fields, points: Points) -> None:
    for key, unit in _THROUGHPUTS.items():
        points.add(key, fields.raw(key), unit)
    points.add("max_output_tokens_per_s", fields.raw("max_output_tokens_per_s"), "tok/s", definition=None)
    points.add("max_concurrent_requests", fields.raw("max_concurrent_requests"), "count", definition=None)
    points.add("concurrency", fields.raw("concurrency"), "count", "mean")
    points.add("accept_length", fields.raw("accept_length"), "tokens", definition=None)


def _lengths(fields: Fields, points: Points, completed: int | None) -> None:
    """Totals, and the mean lengths they come to. Some clients count no prompts and write 0."""
    prompt, answer = fields.count("total_input_tokens"), fields.count("total_output_tokens")
    for metric, total, definition in (
        ("input_tokens", prompt, "client.input_tokens"),
        ("output_tokens", answer, "sglang-bench.output_tokens"),
    ):
        if total and completed:
            points.add(f"total_{metric}", total, "count", definition=None)
            points.add(metric, total / completed, "count", "mean", definition=definition, n=completed)
    for key in _TOTALS:
        points.add(key, fields.count(key) or None, "count", definition=None)


def _latencies(fields: Fields, points: Points, facts: dict[str, Fact]) -> None:
    found: dict[str, dict[str, Any]] = {}
    for key in fields:
        if match := _LATENCY.fullmatch(key):
            found.setdefault(match[2], {})[match[1]] = fields.raw(key)
    for name, stats in found.items():
        if all(value in (0, None) for value in stats.values()):
            points.odd.append(f"{name}: 0 throughout, nothing was measured")
        elif name == "ttft" and _no_stream(found):
            points.odd.append("ttft: equal to the request latency, as without streaming; left out")
        else:
            for stat, value in stats.items():
                points.add(_METRICS[name], value, "ms", stat, definition=_definition(name, fields, facts))


def _no_stream(found: dict[str, dict[str, Any]]) -> bool:
    """Without streaming the client writes the whole latency as TTFT."""
    ttft, whole = found["ttft"], found.get("e2e_latency", {})
    shared = [stat for stat in ("mean", "median", "p99") if stat in ttft and stat in whole]
    return bool(shared) and all(ttft[stat] == whole[stat] for stat in shared)


def _definition(name: str, fields: Fields, facts: dict[str, Fact]) -> str:
    if name != "itl":
        return f"{NAME}.{_METRICS[name]}"
    backend = facts.get("backend")
    if backend in _NATIVE and "accept_length" in fields:
        return f"{NAME}.itl-per-token"
    return f"{NAME}.itl" if backend in _OAI and fields.number("accept_length") else f"{NAME}.itl-chunk"


def _goodput(fields: Fields, points: Points, completed: int | None) -> dict[str, Fact]:
    """Goodput of 0.5.2x; its limits become the setup's."""
    limits = fields.table("goodput_slos_ms")
    if completed != 0:
        points.add("goodput", fields.raw("request_goodput"), "req/s")
        points.add("slo_attainment", fields.raw("slo_attainment"), "fraction")
    met = fields.table("slo_attainment_by_metric")
    for name in met:
        points.add(f"slo_attainment_{name}", met.raw(name) if completed != 0 else None, "fraction", definition=None)
    fields.skip("request_goodput", "slo_attainment")
    return stated({f"slo.{name}": limits.number(name) for name in limits if name in {"ttft", "tpot", "e2el"}})


def _extent(fields: Fields, points: Points, requests: Requests) -> None:
    points.add("duration", fields.raw("duration"), "s", definition=None)
    points.add("completed", requests.completed, "count", definition=None)
    points.add("failed", requests.failed, "count", definition=None)
    cache = fields.table("cache_report")
    if cache.number("total_prompt_tokens"):
        points.add("hit_rate", cache.raw("cache_hit_rate_pct"), "%", definition="sglang-bench.hit_rate")
        points.add("total_cached_tokens", cache.raw("total_cached_tokens"), "count", definition=None)
