"""GuideLLM's report in JSON or YAML, 0.2 to 0.8."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.importers.facts import moment, stated
from kb.importers.fields import Fields
from kb.importers.guidellm import groups, load
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source

_BEFORE_CONFIG = {"worker", "run_stats", "request_loader"}
"""What a benchmark of 0.2 or 0.3 has instead of `config`."""


def recognises(record: Any) -> bool:
    """Every benchmark says what it is."""
    members = record.get("benchmarks") if isinstance(record, dict) else None
    first = members[0] if isinstance(members, list) and members else None
    return isinstance(first, dict) and first.get("type_") == "generative_benchmark" and "metrics" in first


def read(source: Source) -> Iterator[Run]:
    """One run per benchmark."""
    top = Fields(source.record)
    version = top.table("metadata").text("guidellm_version")
    spec = top.table("config").table("spec")
    arguments = spec if "spec" in top.table("config") else top.table("args")
    for place, member in enumerate(top.members("benchmarks"), 1):
        fields = Fields(member)
        yield _run(source.name, place, fields, arguments, version or _version(fields))


def _version(fields: Fields) -> str:
    if "config" in fields:
        return ">=0.4,<0.5"
    latency = fields.table("metrics").table("request_latency").table("successful").table("percentiles")
    return ">=0.3,<0.4" if "p50" in latency else ">=0.2,<0.3"


def _run(name: str, place: int, fields: Fields, arguments: Fields, version: str) -> Run:
    metrics = fields.table("metrics")
    before = not _BEFORE_CONFIG.isdisjoint(fields)
    requests, incomplete = _requests(fields, metrics)
    points = Points("guidellm")
    if requests.completed != 0:
        _points(points, metrics, before=before)
    points.add("duration", _positive(fields.number("duration")), "s", definition=None)
    points.add("completed", requests.completed, "count", definition=None)
    points.add("failed", requests.failed, "count", definition=None)
    asked = _asked(fields, arguments)
    return Run(
        file=name,
        importer="guidellm",
        tool="GuideLLM",
        tool_version=version,
        record=place,
        setup=stated({"model": _model(fields, arguments)}),
        where=asked.where,
        facts={**asked.facts, **stated({"incomplete_requests": incomplete})},
        points=tuple(points.points),
        requests=requests,
        started=moment(fields.number("start_time")),
        ended=moment(fields.number("end_time")),
        stage=asked.stage,
        not_understood=(*fields.odd, *points.odd),
    )


def _positive(value: float | None) -> float | None:
    return value if value else None


def _requests(fields: Fields, metrics: Fields) -> tuple[Requests, int | None]:
    """Requests cut off at the end of the measured time are incomplete: neither answered nor failed."""
    totals = metrics.table("request_totals") if "request_totals" in metrics else fields.table("request_totals")
    incomplete = totals.count("incomplete")
    return Requests(totals.count("total"), totals.count("successful"), totals.count("errored")), incomplete


def _points(points: Points, metrics: Fields, *, before: bool) -> None:
    for name, metric in groups.METRICS.items():
        group = metrics.table(name).table("successful")
        count = group.count("count")
        if not count:
            continue
        percentiles = group.table("percentiles")
        stats = {stat: group.raw(stat) for stat in ("mean", "median", "std_dev", "min", "max")}
        stats |= {ours: percentiles.raw(theirs) for theirs, ours in groups.PERCENTILES.items() if theirs != "p50"}
        if stats["median"] is None:
            stats["p50"] = percentiles.raw("p50")
        groups.add(points, groups.TPOT_BEFORE if before and metric is groups.TPOT else metric, stats, count)


def _asked(fields: Fields, arguments: Fields) -> load.Load:
    holder = fields.table("config") if "config" in fields else fields.table("args")
    asked = load.of_strategy(holder.table("strategy"))
    profile = holder.table("profile")
    data = fields.table("request_loader").raw("data") if "request_loader" in fields else arguments.raw("data")
    asked.where |= load.of_data(data)
    asked.where |= stated({"num_prompts": _limit(holder, arguments, "max_requests", "max_number", "count")})
    asked.facts |= stated(
        {
            "profile": profile.text("type_") or profile.text("kind"),
            "target": _target(fields, arguments),
            "max_seconds": _limit(holder, arguments, "max_seconds", "max_duration", "seconds"),
            "processor": fields.table("request_loader").text("processor") or arguments.text("processor"),
            "request_format": arguments.table("backend").text("request_format") if _has_spec(arguments) else None,
        }
    )
    return asked


def _has_spec(arguments: Fields) -> bool:
    return isinstance(arguments.raw("backend"), dict)


def _limit(holder: Fields, arguments: Fields, name: str, before: str, inner: str) -> Fact | None:
    """A limit of requests or seconds: in the benchmark (0.2), in the arguments (0.4), or as a constraint (0.7)."""
    if before in holder or name in arguments:
        return holder.number(before) if before in holder else arguments.number(name)
    constraint = holder.table("constraints").table(name)
    return constraint.table("args").number(inner) if "args" in constraint else None


def _model(fields: Fields, arguments: Fields) -> str | None:
    if "worker" in fields:
        return fields.table("worker").text("backend_model")
    if _has_spec(arguments):
        return arguments.table("backend").text("model")
    return arguments.text("model") or arguments.table("backend_kwargs").text("model")


def _target(fields: Fields, arguments: Fields) -> str | None:
    if "worker" in fields:
        return fields.table("worker").text("backend_target")
    if _has_spec(arguments):
        return arguments.table("backend").text("target")
    return arguments.text("target") or arguments.table("backend_kwargs").text("target")
