"""`lmcache bench engine` (0.5): the console's result block, and bench_summary.json.

Milliseconds in both; every statistic is 0 when no request succeeded. Decode speed is output tokens / time after the
first token, per request, so that its p99 is the fast end. Written by github.com/LMCache/LMCache,
lmcache/cli/commands/bench/engine_bench.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb.importers.fields import Fields
from kb.importers.plain import labelled, uncoloured, whole_lines
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source

NAME = "lmcache-bench"
TOOL = "lmcache bench engine"

_TITLE = re.compile(r"=+ Engine Benchmark Result")
_USER = ("output_throughput_per_user", "tok/s/user")
_CONSOLE = (
    ("Mean TTFT (ms)", "ttft", "ms", "mean"),
    ("P50 TTFT (ms)", "ttft", "ms", "p50"),
    ("P90 TTFT (ms)", "ttft", "ms", "p90"),
    ("P99 TTFT (ms)", "ttft", "ms", "p99"),
    ("Mean decode (tok/s)", *_USER, "mean"),
    ("P99 decode (tok/s)", *_USER, "p99"),
    ("Benchmark duration (s)", "duration", "s", "value"),
    ("Input throughput (tok/s)", "input_throughput", "tok/s", "value"),
    ("Output throughput (tok/s)", "output_throughput", "tok/s", "value"),
)
_SINGLE = (
    ("elapsed_time", "duration", "s", "value"),
    ("input_throughput", "input_throughput", "tok/s", "value"),
    ("output_throughput", "output_throughput", "tok/s", "value"),
)
_STATS = (("ttft_ms", "ttft", "ms"), ("request_latency_ms", "e2el", "ms"), ("decode_speed", *_USER))
_LENGTHS = (
    ("input_tokens", "total_input_tokens", "Total input tokens"),
    ("output_tokens", "total_output_tokens", "Total output tokens"),
)


def recognises(source: Source) -> bool:
    """By the block's title, or by the summary's table of results."""
    if source.shape == "object":
        results = source.record.get("results") if isinstance(source.record, dict) else None
        return isinstance(results, dict) and {"mean_ttft_ms", "mean_decode_speed", "successful_requests"} <= set(
            results
        )
    return source.shape in {"text", "table", "yaml", "list"} and "Engine Benchmark Result" in uncoloured(source.head)


def read(source: Source) -> Iterator[Run]:
    """A run for each block."""
    if source.shape == "object":
        yield _summary(source, Fields(source.record))
        return
    lines = whole_lines(source)
    last: Run | None = None
    for record, block in enumerate(_blocks(lines.lines), 1):
        if last:
            yield last
        last = _block(source, record, Fields(block))
    if last:
        yield replace(last, not_understood=(*last.not_understood, *lines.odd))


def _blocks(lines: tuple[str, ...]) -> Iterator[dict[str, str]]:
    block: dict[str, str] | None = None
    for line in lines:
        if _TITLE.match(line):
            if block:
                yield block
            block = {}
        elif block is not None and (pair := labelled(line)):
            block.setdefault(*pair)
    if block:
        yield block


def _block(source: Source, record: int, fields: Fields) -> Run:
    completed, failed = fields.count("Successful requests"), fields.count("Failed requests")
    points = Points(NAME)
    if completed:
        for label, metric, unit, stat in _CONSOLE:
            points.add(metric, fields.number(label), unit, stat)
        _lengths(points, [(metric, fields.count(label)) for metric, _, label in _LENGTHS], completed, failed)
    workload = fields.text("Workload")
    return Run(
        source.name,
        NAME,
        TOOL,
        record=record,
        setup=_setup(fields.text("Model")),
        where={"dataset": workload} if workload else {},
        points=tuple(points.points),
        requests=_requests(completed, failed),
        not_understood=(*fields.odd, *points.odd),
    )


def _summary(source: Source, fields: Fields) -> Run:
    config, results = fields.table("config"), fields.table("results")
    completed, failed = results.count("successful_requests"), results.count("failed_requests")
    points = Points(NAME)
    if completed:
        _measured(points, results)
        _lengths(points, [(metric, results.count(key)) for metric, key, _ in _LENGTHS], completed, failed)
    workload = config.text("workload")
    where: dict[str, Fact] = {"dataset": workload} if workload else {}
    facts = {
        key: value
        for key in ("kv_cache_volume_gb", "tokens_per_gb_kvcache", "seed")
        if (value := config.number(key)) is not None
    }
    ignore = config.flag("ignore_eos")
    return Run(
        source.name,
        NAME,
        TOOL,
        setup=_setup(config.text("model")),
        where=where,
        facts=facts | ({"ignore_eos": ignore} if ignore is not None else {}),
        points=tuple(points.points),
        requests=_requests(completed, failed),
        not_understood=(*fields.odd, *points.odd, *fields.leftover()),
    )


def _measured(points: Points, results: Fields) -> None:
    for key, metric, unit, stat in _SINGLE:
        points.add(metric, results.number(key), unit, stat)
    for key, metric, unit in _STATS:
        for stat in ("mean", "p50", "p90", "p99"):
            points.add(metric, results.number(f"{stat}_{key}"), unit, stat)


def _lengths(points: Points, totals: list[tuple[str, int | None]], completed: int, failed: int | None) -> None:
    """Mean lengths; totals count failed requests too, so that with failures there is no mean."""
    for metric, total in totals:
        if total and not failed:
            points.add(metric, total / completed, "count", "mean", n=completed)


def _requests(completed: int | None, failed: int | None) -> Requests:
    sent = completed + failed if completed is not None and failed is not None else None
    return Requests(sent, completed, failed)


def _setup(model: str | None) -> dict[str, Fact]:
    return {"model": model} if model else {}
