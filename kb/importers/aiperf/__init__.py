"""AIPerf runs, 0.1 to 0.13: `profile_export_aiperf.json` and `.csv`, and `profile_export.jsonl` of an aborted one.

Metrics are tables of {unit, avg, p50...}; a scalar has `avg` alone. What was not measured is null in 2025's files and
absent later. `inter_token_latency` is per request, what vllm-bench calls TPOT; `inter_chunk_latency` is the gap between
chunks. Output sequence length includes reasoning tokens, output token count does not. The CSV is rounded to two digits.
Prompts, GPU telemetry, the scrape of the server and the console's tables are told apart and declined.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kb.importers import NotResults
from kb.importers.aiperf import records, summary, table
from kb.importers.run import Run
from kb.importers.source import Source

NAME = "aiperf"
TOOL = "AIPerf"

_CONSOLE = "NVIDIA AIPerf |"
_SENTENCES = {
    "prompts": "AIPerf's prompts (inputs.json), no results",
    "telemetry": "AIPerf's GPU telemetry, sample by sample; the run's results are in profile_export_aiperf.json",
    "server": "AIPerf's scrape of the server's own metrics, no results of requests",
    "timeslices": "AIPerf's results by slices of time; the whole run is in profile_export_aiperf.json",
    "aggregate": "AIPerf's statistics over several runs; import the runs themselves",
    "console": "AIPerf's tables for the terminal; the same run is in profile_export_aiperf.json",
}


def recognises(source: Source) -> bool:
    """By the metrics of a run, the records of its requests, or one of the files AIPerf writes beside them."""
    return _kind(source) is not None


def read(source: Source) -> Iterator[Run]:
    """The run; one per file."""
    kind = _kind(source)
    if kind in _SENTENCES:
        raise NotResults(_SENTENCES[kind])
    if kind == "table":
        return table.read(source)
    if kind == "summary":
        return summary.read(source)
    if beside := _summary_beside(source):
        raise NotResults(f"the requests of a run one by one; its statistics are in {beside} beside it")
    return records.read(source)


def _kind(source: Source) -> str | None:
    if source.shape in {"object", "lines"}:
        return _json_kind(source)
    if source.shape == "table" and table.recognises(source.rows_head):
        return "table"
    if _CONSOLE in source.head:
        return "console"
    return "server" if source.head.startswith("# AIPerf Server Metrics Export") else None


def _json_kind(source: Source) -> str | None:
    keys = source.keys
    if summary.recognises(source.record):
        return "summary"
    if records.recognises(source.record):
        return "records"
    if {"timestamp_ns", "gpu_uuid", "telemetry_data"} <= keys:
        return "telemetry"
    if "timeslices" in keys and "input_config" in keys:
        return "timeslices"
    if {"aiperf_version", "metrics"} <= keys:
        return "aggregate" if "metadata" in keys else "server"
    return "prompts" if _is_prompts(source) else None


def _is_prompts(source: Source) -> bool:
    members = source.record.get("data") if source.keys == {"data"} else None
    first = members[0] if isinstance(members, list) and members else None
    return isinstance(first, dict) and first.keys() >= {"session_id", "payloads"}


def _summary_beside(source: Source) -> str | None:
    """The export of the same run, where it was written; an aborted run has none."""
    if source.path is None:
        return None
    export = source.path.with_name(f"{Path(source.path).stem}_aiperf.json")
    return export.name if export.is_file() else None
