"""llm-d benchmark report 0.1, 0.2 and 0.2.1, YAML or JSON; inference-perf writes 0.2.1 itself, one file per stage.

Every statistic carries `units` and they are always read: converters keep the unit of their tool, ms or s. What the
labels mean depends on the harness: GuideLLM's time_per_output_token includes TTFT, AIPerf's inter-token latency is what
others call TPOT, and AIPerf's failures count kinds of errors. 0.1 gives throughput without units, in the key.
Percentile keys are p0p1 to p99p9. Specified by github.com/llm-d/llm-d-benchmark, benchmark_report schemas.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.importers import NotResults
from kb.importers.fields import Fields
from kb.importers.llmd.harness import Harness
from kb.importers.llmd.results import measured
from kb.importers.llmd.scenario import harness, load, setup
from kb.importers.plain import whole_records
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source
from kb.importers.times import of_epoch

NAME = "llm-d"
TOOL = "llm-d benchmark report"


def recognises(source: Source) -> bool:
    """By a version 0.x with a scenario and metrics, or a run and results."""
    if source.shape not in {"object", "yaml", "lines", "list"} or not isinstance(source.record, dict):
        return False
    version = str(source.record.get("version", ""))
    tables = (
        {"scenario", "metrics"} <= source.keys
        or {"run", "results"} <= source.keys
        or {"run", "scenario"} <= source.keys
    )
    return version.startswith("0.") and tables and "$defs" not in source.keys


def read(source: Source) -> Iterator[Run]:
    """A run for each report. Raises NotResults for one without results."""
    records, said = whole_records(source)
    for record, value in enumerate(records, 1):
        fields = Fields(value)
        yield _run(source, record, fields, said)


def _run(source: Source, record: int, fields: Fields, said: tuple[str, ...]) -> Run:
    version = fields.text("version")
    by = harness(fields)
    first = "metrics" in fields
    if first:
        results = fields.table("metrics")
        started, ended = _moments(results.table("time"))
    else:
        results = fields.table("results").table("request_performance").table("aggregate")
        started, ended = _dates(fields.table("run").table("time"))
    points = Points(by.prefix)
    requests, odd = measured(points, results, by, first)
    if requests == Requests() and not points.points and not odd:
        raise NotResults(f"an llm-d benchmark report {version} without results")
    left = [*results.leftover(), *(f"results.{key}: not read" for key in _elsewhere(fields))]
    return Run(
        source.name,
        NAME,
        by.tool,
        by.version,
        record,
        setup=setup(fields),
        where=load(fields),
        facts=_facts(fields, version),
        points=tuple(points.points),
        requests=requests,
        started=started,
        ended=ended,
        stage=_stage(fields),
        not_understood=(*fields.odd, *points.odd, *odd, *left, *said),
    )


def _elsewhere(fields: Fields) -> list[str]:
    """Parts of the results that are no client's numbers: the server's own metrics, sessions, health."""
    return [key for key in fields.table("results") if key != "request_performance"]


def _moments(time: Fields) -> tuple[str | None, str | None]:
    """0.1: seconds since 1970; an end before the start is none."""
    start, stop = time.number("start"), time.number("stop")
    if start is not None and stop is not None and stop < start:
        return None, None
    return of_epoch(start), of_epoch(stop)


def _dates(time: Fields) -> tuple[str | None, str | None]:
    return time.text("start"), time.text("end")


def _stage(fields: Fields) -> str | None:
    stage = fields.table("scenario").table("load").table("standardized").count("stage")
    if stage is not None:
        return f"stage {stage}"
    named = (fields.table("run").text("uid") or "").split("-")
    return (
        f"stage {named[3]}"
        if named[:3] == ["inference", "perf", "stage"] and len(named) > 3 and named[3].isdigit()
        else None
    )


def _facts(fields: Fields, version: str | None) -> dict[str, Fact]:
    facts: dict[str, Fact] = {"report_version": version} if version else {}
    run = fields.table("run")
    return facts | {f"run.{key}": value for key in ("uid", "eid") if (value := run.text(key))}


__all__ = ["NAME", "TOOL", "Harness", "read", "recognises"]
