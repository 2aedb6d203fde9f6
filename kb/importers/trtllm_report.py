"""trtllm-bench --report_json (0.17 to 1.x): what it prints, as one JSON object with engine, world_info,
request_info, performance.

Keys carry their unit (`total_latency_ms`); percentile tables are in ms or tokens per second though their names do not
say so, and hold minimum, maximum, average beside p50 to p99. `issue_rate` is no rate (see trtllm_console). Written by
github.com/NVIDIA/TensorRT-LLM, tensorrt_llm/bench/dataclasses/reporting.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.importers.fields import Fields
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source

NAME = "trtllm-report"
TOOL = "trtllm-bench"

_PREFIX = "trtllm-bench"
_STATS = {"minimum": "min", "maximum": "max", "average": "mean"}
_SINGLE = (
    ("request_throughput_req_s", "request_throughput", "req/s", "value", "request_throughput"),
    ("system_output_throughput_tok_s", "output_throughput", "tok/s", "value", "output_throughput"),
    ("system_total_throughput_tok_s", "total_throughput", "tok/s", "value", "total_throughput"),
    ("total_latency_ms", "duration", "ms", "value", "duration"),
    (
        "output_throughput_per_user_tok_s",
        "output_throughput_per_user",
        "tok/s/user",
        "mean",
        "output_throughput_per_user",
    ),
    ("output_throughput_per_gpu_tok_s", "output_throughput_per_gpu", "tok/s/GPU", "value", "output_throughput_per_gpu"),
)
_TABLES = (
    ("performance", "request_latency_percentiles_ms", "avg_request_latency_ms", "e2el", "ms", "e2el"),
    ("streaming_metrics", "ttft_percentiles", "avg_ttft_ms", "ttft", "ms", "ttft"),
    ("streaming_metrics", "tpot_percentiles", "avg_tpot_ms", "tpot", "ms", "tpot"),
    (
        "streaming_metrics",
        "gen_tps_percentiles",
        "token_output_speed_tok_s",
        "output_throughput_per_user",
        "tok/s/user",
        "generation_throughput_per_user",
    ),
)


def recognises(source: Source) -> bool:
    """By its four tables."""
    return (
        source.shape in {"object", "list", "lines"}
        and {"engine", "world_info", "request_info", "performance"} <= source.keys
    )


def read(source: Source) -> Iterator[Run]:
    """A run for each record."""
    for record, value in enumerate(source.records(), 1):
        yield _run(source, record, Fields(value))


def _run(source: Source, record: int, fields: Fields) -> Run:
    engine, world, asked = fields.table("engine"), fields.table("world_info"), fields.table("request_info")
    parts = {name: fields.table(name) for name in ("performance", "streaming_metrics")}
    sent = asked.count("num_requests")
    points = Points(_PREFIX)
    if sent != 0:
        _measured(points, parts, asked)
    version = engine.text("version")
    setup = _setup(engine, world, fields.table("machine"), version)
    facts = _facts(engine, world, fields)
    left = [sentence for each in (fields, engine, world, asked, *parts.values()) for sentence in each.leftover()]
    return Run(
        source.name,
        NAME,
        TOOL,
        tool_version=version,
        record=record,
        setup=setup,
        facts=facts,
        where={"num_prompts": sent} if sent else {},
        points=tuple(points.points),
        requests=Requests(sent=sent),
        not_understood=(*fields.odd, *points.odd, *left),
    )


def _measured(points: Points, parts: dict[str, Fields], asked: Fields) -> None:
    performance = parts["performance"]
    for key, metric, unit, stat, name in _SINGLE:
        points.add(metric, performance.number(key) or None, unit, stat, definition=_id(name))
    for part, table, mean, metric, unit, name in _TABLES:
        _table(points, parts[part].table(table), parts[part].number(mean), metric, unit, _id(name))
    points.add("input_tokens", asked.number("avg_input_length") or None, "count", "mean")
    points.add("output_tokens", asked.number("avg_output_length") or None, "count", "mean")
    points.add("concurrency", asked.number("avg_num_concurrent_requests") or None, "count", "mean")


def _id(name: str) -> str:
    return f"{_PREFIX}.{name}"


def _table(points: Points, table: Fields, mean: float | None, metric: str, unit: str, definition: str | None) -> None:
    """A table of statistics; the mean beside it counts only where the table has none."""
    for key in table:
        points.add(metric, table.number(key) or None, unit, _STATS.get(key, key), definition=definition)
    if "average" not in table:
        points.add(metric, mean or None, unit, "mean", definition=definition)


def _setup(engine: Fields, world: Fields, machine: Fields, version: str | None) -> dict[str, Fact]:
    dtype, quantised = engine.text("dtype"), engine.text("quantization")
    texts = {
        "model": engine.text("model"),
        "engine.version": version,
        "precision": quantised or dtype,
        "both.kv_dtype": engine.text("kv_cache_dtype"),
        "hardware.gpu": machine.text("name"),
    }
    counts = {
        "both.tp": "tp_size",
        "both.pp": "pp_size",
        "both.ep": "ep_size",
        "both.gpus": "world_size",
        "both.max_num_seqs": "max_batch_size",
    }
    setup: dict[str, Fact] = {"engine.component": "tensorrt-llm"}
    setup |= {key: text for key, text in texts.items() if text}
    return setup | {key: count for key, name in counts.items() if (count := world.count(name)) is not None}


def _facts(engine: Fields, world: Fields, fields: Fields) -> dict[str, Fact]:
    facts = {
        "backend": engine.text("backend"),
        "scheduling_policy": world.text("scheduling_policy"),
        "max_num_tokens": world.count("max_num_tokens"),
        "kv_cache_percentage": world.number("kv_cache_percentage"),
        "speculative": fields.table("decoding_stats").text("mode"),
    }
    engine.skip("model_path", "engine_dir", "max_input_length", "max_sequence_length", "revision")
    world.skip("issue_rate")
    fields.skip("dataset", "requests")
    return {key: value for key, value in facts.items() if value is not None}
