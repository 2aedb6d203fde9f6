"""The requests of an AIPerf run one by one, as an aborted run leaves them: counts and series, no statistics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.importers.aiperf.metrics import METRICS, UNITS
from kb.importers.fields import Fields, number
from kb.importers.run import Requests, Run, Series
from kb.importers.source import Source, Unreadable

_SERIES = (
    "time_to_first_token",
    "inter_token_latency",
    "request_latency",
    "output_sequence_length",
    "input_sequence_length",
)
_SENTENCE = (
    "requests one by one, as of a run that was aborted; AIPerf writes its statistics at the end, none are computed here"
)


def recognises(record: Any) -> bool:
    """`metadata` with the clock of the request, and its `metrics`."""
    metadata = record.get("metadata") if isinstance(record, dict) else None
    return (
        isinstance(metadata, dict)
        and {"request_start_ns", "benchmark_phase"} <= metadata.keys()
        and "metrics" in record
    )


def read(source: Source) -> Iterator[Run]:
    """One run out of all records; a file cut in the middle gives what stands before the cut."""
    held: dict[str, Series] = {}
    completed = failed = 0
    said = [_SENTENCE]
    try:
        for record in source.records():
            fields = Fields(record)
            metadata, error = fields.table("metadata"), fields.raw("error")
            if metadata.text("benchmark_phase") == "profiling":
                completed, failed = (completed, failed + 1) if error else (completed + 1, failed)
                _hold(held, fields.table("metrics"))
    except Unreadable as error:
        if not completed + failed:
            raise
        said.append(f"what follows request {completed + failed}: {error}")
    yield Run(
        file=source.name,
        importer="aiperf",
        tool="AIPerf",
        requests=Requests(completed + failed, completed, failed),
        detail=held,
        not_understood=tuple(said),
    )


def _hold(held: dict[str, Series], metrics: Fields) -> None:
    for tag in _SERIES:
        each = metrics.table(tag)
        value, unit = number(each.raw("value")), UNITS.get(each.text("unit") or "")
        if value is None or unit is None:
            continue
        name, before = METRICS[tag].name, held.get(METRICS[tag].name)
        held[name] = (
            Series(1, value, value, value, unit)
            if before is None
            else Series(before.count + 1, before.total + value, min(before.low, value), max(before.high, value), unit)
        )
