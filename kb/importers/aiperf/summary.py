"""The export of an AIPerf run: `profile_export_aiperf.json`. 0.1 has its metrics under `records`, later ones on top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.importers.aiperf import load, metrics
from kb.importers.facts import stated
from kb.importers.fields import Fields
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source

_FRAME = (
    *("schema_version", "benchmark_id", "telemetry_data", "server_metrics_data", "input_config", "run_info"),
    *("was_cancelled", "is_complete", "error_summary", "start_time", "end_time", "aiperf_version", "sessions"),
)


def recognises(record: Any) -> bool:
    """Metrics as tables with a unit, and what only AIPerf says: whether the run was cancelled, or its version."""
    if not isinstance(record, dict) or not ({"was_cancelled", "aiperf_version"} & record.keys()):
        return False
    held = record["records"] if isinstance(record.get("records"), dict) else record
    return any(isinstance(held.get(tag), dict) and "unit" in held[tag] for tag in metrics.METRICS)


def read(source: Source) -> Iterator[Run]:
    """One run."""
    fields = Fields(source.record)
    early = "records" in fields
    held = fields.table("records") if early else fields
    points = Points("aiperf")
    requests = _requests(held)
    _points(held, points, requests)
    asked = load.of_config(fields.table("input_config"))
    said = _unknown(held)
    yield Run(
        file=source.name,
        importer="aiperf",
        tool="AIPerf",
        tool_version=fields.text("aiperf_version") or (">=0.1,<0.2" if early else ">=0.2,<0.4"),
        setup={**asked.setup, **_gpus(fields.table("telemetry_data"))},
        where=asked.where,
        facts={**asked.facts, **_facts(fields)},
        points=tuple(points.points),
        requests=requests,
        started=fields.text("start_time"),
        ended=fields.text("end_time"),
        not_understood=(*fields.odd, *points.odd, *said),
    )


def _scalar(fields: Fields, tag: str) -> int | None:
    return fields.table(tag).count("avg") if fields.raw(tag) is not None else None


def _requests(fields: Fields) -> Requests:
    """Failed requests are counted from some release on, and left out where there were none."""
    completed, failed = _scalar(fields, "request_count"), _scalar(fields, "error_request_count")
    sent = _scalar(fields, "completed_request_count")
    if failed is None and sent is not None and completed is not None and sent >= completed:
        failed = sent - completed
    if sent is None and completed is not None and failed is not None:
        sent = completed + failed
    return Requests(sent, completed, failed)


def _points(fields: Fields, points: Points, requests: Requests) -> None:
    for tag in metrics.METRICS:
        if fields.raw(tag) is None or (requests.completed == 0 and tag not in metrics.COUNTS):
            continue
        stats = fields.table(tag)
        values = {stat: stats.raw(stat) for stat in metrics.STATS}
        metrics.add(points, tag, stats.text("unit") or "", values, stats.count("count"))
    if requests.failed is not None and fields.raw("error_request_count") is None:
        points.add("failed", requests.failed, "count", definition=None)


def _facts(fields: Fields) -> dict[str, Fact]:
    """What ended the run, and the command that began it."""
    info = fields.table("run_info")
    cancelled, complete = fields.flag("was_cancelled"), fields.flag("is_complete")
    kinds = len(fields.members("error_summary"))
    return stated(
        {
            "command": info.text("cli_command"),
            "was_cancelled": cancelled or None,
            "is_complete": complete,
            "kinds_of_error": kinds or None,
            "benchmark_id": fields.text("benchmark_id"),
        }
    )


def _gpus(telemetry: Fields) -> dict[str, Fact]:
    """The GPU model where DCGM told it and all GPUs are alike; how many were watched is not how many served."""
    names: set[str] = set()
    endpoints = telemetry.table("endpoints")
    for address in endpoints:
        gpus = endpoints.table(address).table("gpus")
        names |= {name for gpu in gpus if (name := gpus.table(gpu).text("gpu_name"))}
    return {"hardware.gpu": names.pop()} if len(names) == 1 else {}


def _unknown(fields: Fields) -> list[str]:
    fields.skip(*_FRAME)
    return [
        f"{tag}: not known to this importer"
        for tag, value in fields.rest().items()
        if value and not metrics.is_known(tag)
    ]
