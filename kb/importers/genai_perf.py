"""GenAI-Perf, `profile_export_genai_perf.json` and `.csv` (to 0.0.16).

The CSV has metrics with percentiles, an empty line, scalars, then GPUs; numbers carry thousands separators and two
digits after the point; missing is `N/A`. Units stand in the name (`Request Latency (ms)`; ns in old files), lengths may
have none. The JSON has {unit, avg, p25...} per metric and the arguments under `input_config`, in one of two shapes.
AIPerf, its successor, writes `was_cancelled` and percentiles in another order. Raw perf_analyzer records are declined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kb.importers import NotResults
from kb.importers.facts import stated, whole
from kb.importers.fields import Fields, number
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source

NAME = "genai-perf"
TOOL = "GenAI-Perf"

_NAME = re.compile(r"(?P<name>.*?)(?: \((?P<unit>[^()]*)\))?")
_METRICS: dict[str, tuple[str, str | None]] = {
    "time_to_first_token": ("ttft", "genai-perf.ttft"),
    "time_to_second_token": ("time_to_second_token", None),
    "inter_token_latency": ("itl", "genai-perf.itl"),
    "request_latency": ("e2el", "genai-perf.e2el"),
    "output_token_throughput_per_user": ("output_throughput_per_user", "genai-perf.output_throughput_per_user"),
    "output_sequence_length": ("output_tokens", "genai-perf.output_tokens"),
    "input_sequence_length": ("input_tokens", "client.input_tokens"),
}
_SCALARS: dict[str, tuple[str, str | None]] = {
    "output_token_throughput": ("output_throughput", "genai-perf.output_throughput"),
    "request_throughput": ("request_throughput", "genai-perf.request_throughput"),
    "request_goodput": ("goodput", "genai-perf.goodput"),
    "request_count": ("completed", None),
}
_UNITS = {
    "ms": "ms", "ns": "ns", "us": "us", "tokens": "count", "count": "count",
    "requests/sec": "req/s", "tokens/sec": "tok/s", "tokens/sec/user": "tok/s/user",
}  # fmt: skip
_PLAIN = {"output_sequence_length": "count", "input_sequence_length": "count", "request_count": "count"}
"""What a metric is counted in when its name has no unit; any other metric without one is not read."""
_PER_SECOND = {"output_token_throughput": "tok/s", "request_throughput": "req/s", "request_goodput": "req/s"}
_STATS = ("avg", "p50", "p75", "p90", "p95", "p99", "min", "max", "std")
_LIMITS = {"time_to_first_token": "slo.ttft", "inter_token_latency": "slo.itl", "request_latency": "slo.e2el"}


def recognises(source: Source) -> bool:
    """By its arguments beside its metrics, or the header of its table."""
    if source.shape == "table":
        return bool(source.rows_head) and _is_header(source.rows_head[0])
    return source.shape == "object" and (_is_export(source.record) or _is_raw(source.record))


def _is_header(row: list[str]) -> bool:
    return row[:4] == ["Metric", "avg", "min", "max"] and "std" not in row and "p99" in row


def _is_export(record: Any) -> bool:
    if (
        not isinstance(record, dict)
        or "input_config" not in record
        or {"was_cancelled", "aiperf_version"} & record.keys()
    ):
        return False
    tags = [*_METRICS, *_SCALARS]
    return any(isinstance(record.get(tag), dict) and {"unit", "avg"} <= record[tag].keys() for tag in tags)


def _is_raw(record: Any) -> bool:
    members = record.get("experiments") if isinstance(record, dict) else None
    first = members[0] if isinstance(members, list) and members else None
    return isinstance(first, dict) and {"experiment", "requests"} <= first.keys()


def read(source: Source) -> Iterator[Run]:
    """One run."""
    if source.shape == "table":
        yield _of_table(source)
    elif _is_raw(source.record):
        raise NotResults(
            "perf_analyzer's raw records, in ns; GenAI-Perf's results are in profile_export_genai_perf.json"
        )
    else:
        yield _of_export(source)


def _of_table(source: Source) -> Run:
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    header: list[str] = []
    said: list[str] = []
    for row in source.rows():
        if row[:1] == ["Metric"]:
            header = ["avg"] if row[1:] == ["Value"] else row[1:]
            if "GPU" in " ".join(row):
                break
        elif row and header:
            match = _NAME.fullmatch(row[0].strip())
            tag = (match["name"] if match else row[0]).casefold().replace(" ", "_")
            found[tag] = (match["unit"] or "" if match else "", dict(zip(header, row[1:], strict=False)))
    return _run(source.name, found, {}, {}, {"rounded": "two digits after the point"}, said)


def _of_export(source: Source) -> Run:
    fields = Fields(source.record)
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for tag in (*_METRICS, *_SCALARS):
        if isinstance(fields.raw(tag), dict):
            metric = fields.table(tag)
            found[tag] = (metric.text("unit") or "", {stat: metric.raw(stat) for stat in _STATS})
    where, setup = _asked(fields.table("input_config"))
    fields.skip("telemetry_stats", "sessions")
    left = [f"{tag}: not known to this importer" for tag, value in fields.rest().items() if isinstance(value, dict)]
    return _run(source.name, found, where, setup, {}, [*fields.odd, *left])


def _run(
    name: str,
    found: Mapping[str, tuple[str, dict[str, Any]]],
    where: dict[str, Fact],
    setup: dict[str, Fact],
    facts: dict[str, Fact],
    said: list[str],
) -> Run:
    points = Points(NAME)
    count = number(found.get("request_count", ("", {}))[1].get("avg"))
    completed = int(count) if count is not None and count == int(count) and count >= 0 else None
    for tag, (unit, stats) in found.items():
        if completed != 0 or tag == "request_count":
            _add(points, tag, unit, stats)
    return Run(
        file=name,
        importer=NAME,
        tool=TOOL,
        setup=setup,
        where=where,
        facts=facts,
        points=tuple(points.points),
        requests=Requests(completed=completed),
        not_understood=(*said, *points.odd),
    )


def _add(points: Points, tag: str, unit: str, stats: Mapping[str, Any]) -> None:
    ours = _unit(tag, unit)
    if tag == "request_goodput" and (number(stats.get("avg")) or 0) < 0:
        points.odd.append("request_goodput: below 0, GenAI-Perf's mark for limits that it could not judge")
    elif tag in _SCALARS and ours:
        metric, definition = _SCALARS[tag]
        points.add(metric, stats.get("avg"), ours, definition=definition)
    elif tag in _METRICS and ours:
        metric, definition = _METRICS[tag]
        for stat in _STATS:
            points.add(metric, stats.get(stat), ours, stat, definition=definition)
    elif tag in _METRICS or tag in _SCALARS:
        points.odd.append(f"{tag}: its unit {unit!r} is not known")


def _unit(tag: str, unit: str) -> str | None:
    if unit in {"per sec", "requests/sec", "tokens/sec"}:
        return _PER_SECOND.get(tag)
    return _UNITS.get(unit) if unit else _PLAIN.get(tag)


def _asked(config: Fields) -> tuple[dict[str, Fact], dict[str, Fact]]:
    """Load point and setup: `perf_analyzer.stimulus` since 0.0.12 or so, flat arguments before."""
    stimulus = config.table("perf_analyzer").table("stimulus") if "perf_analyzer" in config else config
    inputs = config.table("input") if isinstance(config.raw("input"), dict) else config
    synthetic = inputs.table("synthetic_tokens") if "synthetic_tokens" in inputs else None
    answer = inputs.table("output_tokens") if isinstance(inputs.raw("output_tokens"), dict) else None
    where: dict[str, Fact | None] = {
        "concurrency": stimulus.count("concurrency"),
        "request_rate": whole(stimulus.number("request_rate")),
        "input_tokens": whole(synthetic.number("mean") if synthetic else inputs.number("synthetic_input_tokens_mean")),
        "output_tokens": whole(answer.number("mean") if answer else inputs.number("output_tokens_mean")),
    }
    limits = inputs.table("goodput") if isinstance(inputs.raw("goodput"), dict) else Fields(None)
    slo = {ours: limits.number(theirs) for theirs, ours in _LIMITS.items() if theirs in limits}
    return stated(where), stated({"model": _model(config), **slo})


def _model(config: Fields) -> str | None:
    for key in ("model_names", "model"):
        names = config.raw(key)
        if isinstance(names, list) and names:
            return Fields({"model": names[0]}).text("model")
        if isinstance(names, str):
            return config.text(key)
    return None
