"""llm-d Prism's archive of runs: a JSON list of rows that Prism made of benchmark files.

Milliseconds; `p99: 0` (and p50 in older rows) means unknown. `throughput` is total tokens in rows made of benchmark
reports and output tokens in rows made of request logs; what it is here is told by requests/s x lengths. `target_qps`
repeats the rate reached. `tpot` of request logs is no E2E/N of the means: what it divides is not stated. Written by
github.com/llm-d/llm-d-prism.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.importers.facts import stated
from kb.importers.fields import Fields
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source

NAME = "prism"
TOOL = "llm-d Prism"

_NEAR = 0.02
"""Lengths in the archive are rounded."""


def recognises(source: Source) -> bool:
    """By what Prism adds to each row: where it came from."""
    return (
        source.shape in {"list", "lines", "object"} and {"source_info", "metrics", "workload", "source"} <= source.keys
    )


def read(source: Source) -> Iterator[Run]:
    """A run for each row."""
    for record, value in enumerate(source.records(), 1):
        yield _run(source, record, Fields(value))


def _run(source: Source, record: int, fields: Fields) -> Run:
    metrics, workload, metadata = fields.table("metrics"), fields.table("workload"), fields.table("metadata")
    points = Points(NAME)
    odd = [*_latencies(points, metrics), *_rates(points, metrics, workload)]
    for metric in ("input_tokens", "output_tokens"):
        points.add(metric, workload.number(metric) or None, "count", "mean", definition=None)
    errors, sent = metrics.count("error_count"), workload.count("request_count")
    fields.skip(*_KNOWN)
    return Run(
        source.name,
        NAME,
        _tool(fields),
        record=record,
        setup=_setup(fields, metadata),
        where=_where(workload),
        facts=_facts(fields, metadata),
        points=tuple(points.points),
        requests=Requests(sent, _completed(sent, errors), errors if sent else None),
        not_understood=(*fields.odd, *points.odd, *odd, *metrics.leftover(), *fields.leftover()),
    )


_KNOWN = (
    "id",
    "source_info",
    "model",
    "metadata",
    "filename",
    "_diagnostics",
    "_fileSizeKb",
    "accelerator_type",
    "pd_ratio",
    "configuration",
)


def _tool(fields: Fields) -> str:
    return f"{TOOL} ({fields.text('source') or 'unknown source'})"


def _completed(sent: int | None, errors: int | None) -> int | None:
    return sent - errors if sent and errors is not None and errors <= sent else None


def _latencies(points: Points, metrics: Fields) -> Iterator[str]:
    """The same numbers stand under several keys; one of each is taken. 0 is unknown."""
    for key, metric in (("ttft", "ttft"), ("latency", "e2el")):
        group = metrics.table(key)
        unknown = [stat for stat in group if group.number(stat) == 0]
        for stat in group:
            points.add(metric, group.number(stat) or None, "ms", stat, definition=None)
        if unknown:
            yield f"{key} {', '.join(unknown)}: 0, which stands for unknown"
    for keys, metric in ((("tpot", "tpot_ms", "time_per_output_token"), "tpot"), (("itl", "itl_ms"), "itl")):
        found = [value for key in keys if (value := metrics.number(key))]
        if len(set(found)) > 1:
            yield f"{metric}: {', '.join(keys)} differ, left out"
        else:
            points.add(metric, next(iter(found), None), "ms", "mean", definition=None)
    metrics.skip("ttft_ms", "e2e_latency")


def _rates(points: Points, metrics: Fields, workload: Fields) -> Iterator[str]:
    """`throughput` counts output tokens or all of them: the one that requests/s x lengths agree with, or neither."""
    requests = metrics.number("request_rate")
    points.add("request_throughput", requests or None, "req/s", definition=None)
    output, taken = metrics.number("output_tput"), metrics.number("throughput")
    points.add("input_throughput", metrics.number("input_tput") or None, "tok/s", definition=None)
    points.add("output_throughput", output or None, "tok/s", definition=None)
    if not taken or taken == output:
        return
    lengths = [workload.number(key) or 0.0 for key in ("input_tokens", "output_tokens")]
    if requests and abs(requests * sum(lengths) / taken - 1) < _NEAR:
        points.add("total_throughput", taken, "tok/s", definition=None)
    elif requests and abs(requests * lengths[1] / taken - 1) < _NEAR:
        points.add("output_throughput", taken, "tok/s", definition=None)
    else:
        points.add("token_throughput", taken, "tok/s", definition="unspecified.token_throughput")
        yield "throughput: counts neither output tokens nor all tokens at this request rate; which ones is not stated"


def _setup(fields: Fields, metadata: Fields) -> dict[str, Fact]:
    prefill, decode = fields.count("prefill_node_count"), fields.count("decode_node_count")
    kind = fields.text("architecture")
    apart = kind == "disaggregated"
    precision = metadata.text("precision")
    setup = {
        "model": fields.text("model_name"),
        "hardware.gpu": fields.text("hardware") or metadata.text("hardware"),
        "precision": precision if precision not in {"Unknown", "unknown"} else None,
        "topology": f"{prefill}P{decode}D"
        if apart and prefill and decode
        else "aggregated"
        if kind == "aggregated"
        else None,
        "prefill.tp": fields.count("prefill_tp") if apart else None,
        "decode.tp": fields.count("decode_tp") if apart else None,
        "both.tp": metadata.count("tensor_parallelism") if kind == "aggregated" else None,
    }
    return stated(setup)


def _where(workload: Fields) -> dict[str, Fact]:
    workload.skip("target_qps")
    return stated({"concurrency": workload.count("concurrency")})


def _facts(fields: Fields, metadata: Fields) -> dict[str, Fact]:
    """The time stamp is that of a file name or of the archiving, not of the run."""
    facts: dict[str, Fact | None] = {
        "source": fields.text("source"),
        "run_id": fields.text("run_id"),
        "stamp": fields.text("timestamp"),
        "accelerator_count": fields.count("accelerator_count"),
        "architecture": fields.text("architecture"),
        "client_backend": metadata.text("backend"),
        "variant": metadata.text("variant"),
        "configuration": metadata.text("configuration"),
        "file": fields.table("source_info").text("file_identifier"),
    }
    return stated(facts)
