"""Kubernetes inference-perf, `*_lifecycle_metrics.json` and `*_prometheus_metrics.json` (0.2 to 0.7).

All times are in seconds, whatever docs/metrics.md says; without streaming the streamed metrics are null. A stage is one
rate; the summary mixes all stages. Model, lengths and rate plan stand only in `config.yaml` beside the reports; it is
read along. The Prometheus twin has the same top keys, an empty `load_summary` and the server's own histograms.

What TPOT and ITL are depends on the release, which the file does not name. 0.2 takes a time for every streamed line,
blank ones included: about half of the truth, and a median gap of microseconds. 0.3 and 0.4 take one per message, with
the end marker. 0.5 counts tokens chunk by chunk with special tokens: a tokenizer that adds a start token doubles them.
From 0.6 on both are per token. Keys tell 0.5, 0.6 and 0.7 apart (read in the wheels 0.3.0 to 0.7.0).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kb.importers import NotResults
from kb.importers.facts import stated, whole
from kb.importers.fields import Fields, number
from kb.importers.inference_perf_config import Asked, beside, stage_of
from kb.importers.inference_perf_config import recognises as _is_config
from kb.importers.points import Points, exact
from kb.importers.run import Requests, Run
from kb.importers.source import Source

NAME = "inference-perf"
TOOL = "inference-perf"

_SERVER = "inference-perf-server"
_KEYS = frozenset({"load_summary", "successes", "failures"})
_LATENCIES = {
    "time_to_first_token": "ttft",
    "time_per_output_token": "tpot",
    "inter_token_latency": "itl",
    "request_latency": "e2el",
    "normalized_time_per_output_token": "normalized_time_per_output_token",
}
_OF_EVERY_REQUEST = frozenset({"e2el", "normalized_time_per_output_token"})
"""The others leave out requests that streamed fewer than two times."""
_THROUGHPUTS = {
    "requests_per_sec": ("request_throughput", "req/s"),
    "input_tokens_per_sec": ("input_throughput", "tok/s"),
    "output_tokens_per_sec": ("output_throughput", "tok/s"),
    "total_tokens_per_sec": ("total_throughput", "tok/s"),
}
_BLANK_LINES = 0.05
"""A median gap below this share of the mean gap: every other gap is that between a line and the blank one after it."""
_SENTENCES = {
    "config": "a setup, not results: the configuration of an inference-perf run, read along with its reports",
    "validation": "inference-perf's check of its own reports, no results",
    "requests": "inference-perf's requests one by one; their statistics are in the summary and stage reports beside it",
}


def recognises(source: Source) -> bool:
    """By the three keys of every report, or one of the files written beside them."""
    return _kind(source) is not None


def _kind(source: Source) -> str | None:
    if source.shape == "object" and source.keys >= _KEYS:
        return "report"
    if source.shape == "object" and source.keys == {"global", "reports"}:
        return "validation"
    if source.shape == "list" and source.keys >= {"start_time", "end_time", "request", "info"}:
        return "requests"
    return "config" if source.shape == "yaml" and _is_config(source.record) else None


def read(source: Source) -> Iterator[Run]:
    """One run per report."""
    kind = _kind(source) or "report"
    if kind in _SENTENCES:
        raise NotResults(_SENTENCES[kind])
    fields = Fields(source.record)
    asked = beside(source)
    yield _server(source, fields, asked) if _is_twin(fields) else _client(source, fields, asked)


def _is_twin(fields: Fields) -> bool:
    """The server's side has rates among its successes and no load of its own."""
    return not list(fields.table("load_summary")) and "rate" in fields.table("successes")


# the client's side


def _client(source: Source, fields: Fields, asked: Asked) -> Run:
    load, done = fields.table("load_summary"), fields.table("successes")
    failures = fields.table("failures")
    requests = Requests(load.count("count"), done.count("count"), failures.count("count"))
    points = Points(NAME)
    layout = _layout(fields, done)
    if requests.completed != 0:
        _latencies(points, done.table("latency"), layout, requests.completed)
        _throughputs(points, done.table("throughput"))
        _lengths(points, done, requests.completed)
        goodput = done.table("goodput_metrics")
        points.add("goodput", goodput.raw("request_goodput"), "req/s")
        points.add("slo_attainment", goodput.raw("goodput_percentage"), "%", definition=None)
        points.add("token_goodput", goodput.raw("token_goodput"), "tok/s", definition=None)
    _extent(points, fields, load, requests)
    stage = load.number("requested_rate")
    run = _run(source, fields, points, asked, stage_of(source.name, whole_run=stage is None))
    where = stated(
        {"request_rate": whole(stage), "concurrency": load.count("concurrency"), "num_prompts": requests.sent}
    )
    said = ["all stages together: the load changed within it"] if stage is None and asked.stages != 1 else []
    return replace(
        run,
        tool_version=layout,
        where={**run.where, **(where if stage is not None else {})},
        requests=requests,
        not_understood=(*run.not_understood, *said),
    )


def _run(source: Source, fields: Fields, points: Points, asked: Asked, stage: str) -> Run:
    return Run(
        file=source.name,
        importer=NAME,
        tool=TOOL,
        setup=asked.setup,
        where=asked.where,
        facts=asked.facts,
        points=tuple(points.points),
        stage=stage,
        not_understood=(*asked.said, *fields.odd, *points.odd),
    )


def _layout(fields: Fields, done: Fields) -> str:
    """The releases that write these keys. Those without a benchmark time are told apart by the blank lines of 0.2."""
    if "client_fallback_requests" in done:
        return ">=0.7"
    if "request_size_bytes" in done:
        return ">=0.6,<0.7"
    if "benchmark_time_seconds" in fields:
        return ">=0.5,<0.6"
    gaps = done.table("latency").table("inter_token_latency")
    mean, median = gaps.number("mean"), gaps.number("median") if "median" in gaps else gaps.number("p50")
    if not mean or median is None:
        return ">=0.2,<0.5"
    return ">=0.2,<0.3" if median < _BLANK_LINES * mean else ">=0.3,<0.5"


_SUFFIXES = {">=0.2,<0.3": "-0.2", ">=0.3,<0.5": "-0.3", ">=0.5,<0.6": "-0.5"}


def _definition(metric: str, layout: str) -> str:
    if metric == "normalized_time_per_output_token":
        return f"{NAME}.ntpot"
    return f"{NAME}.{metric}" + (_SUFFIXES.get(layout, "") if metric in {"tpot", "itl"} else "")


def _latencies(points: Points, latency: Fields, layout: str, n: int | None) -> None:
    for name, metric in _LATENCIES.items():
        if latency.raw(name) is not None:
            stats = latency.table(name)
            _add(points, metric, stats, "s", _definition(metric, layout), n if metric in _OF_EVERY_REQUEST else None)


def _add(points: Points, metric: str, stats: Fields, unit: str, definition: str | None, n: int | None = None) -> None:
    """All statistics of a table; all zeros were not measured."""
    values = {stat: stats.raw(stat) for stat in stats}
    if not any(number(value) for value in values.values()):
        return
    if metric == "normalized_time_per_output_token" and number(values.get("min")) == 0:
        points.odd.append(
            f"{metric}: requests without output stand in it as 0 and pull its mean down; its zeros left out"
        )
        values = {stat: value for stat, value in values.items() if number(value) != 0}
    for stat, value in values.items():
        if metric == "normalized_time_per_output_token":
            points.add(metric, _in_ms(value), "ms", stat, definition=definition, n=n)
        else:
            points.add(metric, value, unit, stat, definition=definition, n=n)


def _in_ms(seconds: object) -> object:
    """Seconds as ms, as its definition stands among those of TPOT; what is no number stays what it is."""
    found = number(seconds)
    return seconds if found is None else exact(found, "s", "ms")


def _throughputs(points: Points, rates: Fields) -> None:
    """0 stands for a run of no length, and for tokens nobody counted."""
    for name, (metric, unit) in _THROUGHPUTS.items():
        points.add(metric, rates.number(name) or None, unit)


def _lengths(points: Points, done: Fields, n: int | None) -> None:
    """0.7 takes the server's counts, and says for how many requests it had none."""
    fallback = done.table("client_fallback_requests")
    for metric, server, client, kind in (
        ("input_tokens", "prompt_tokens", "prompt_len", "prompt"),
        ("output_tokens", "output_tokens", "output_len", "output"),
    ):
        counted = done.table(server)
        if "mean" in counted:
            known = fallback.number(kind) == 0
            definition = f"server.{metric}" if known else None
            _add(points, metric, _spread(counted), "count", definition, n)
        else:
            _add(points, metric, done.table(client), "count", f"client.{metric}", n)


def _spread(counted: Fields) -> Fields:
    return Fields({key: counted.raw(key) for key in counted if key not in {"total", "cached", "uncached"}})


def _extent(points: Points, fields: Fields, load: Fields, requests: Requests) -> None:
    points.add("duration", fields.number("benchmark_time_seconds") or None, "s", definition=None)
    points.add("send_duration", load.number("send_duration") or None, "s", definition=None)
    points.add("achieved_rate", load.number("achieved_rate") or None, "req/s", definition=None)
    _add(points, "schedule_delay", load.table("schedule_delay"), "s", None)
    points.add("completed", requests.completed, "count", definition=None)
    points.add("failed", requests.failed, "count", definition=None)


# the server's side


def _server(source: Source, fields: Fields, asked: Asked) -> Run:
    done = fields.table("successes")
    points = Points(_SERVER)
    completed = done.count("count")
    if completed:
        points.add("request_throughput", done.number("rate") or None, "req/s")
        points.add("input_throughput", done.table("prompt_len").number("rate") or None, "tok/s")
        points.add("output_throughput", done.table("output_len").number("rate") or None, "tok/s")
        for name, metric in _LATENCIES.items():
            if metric != "normalized_time_per_output_token":
                _add(points, metric, done.table(name), "s", f"{_SERVER}.{metric}")
        points.add("hit_rate", done.table("prefix_cache_hit_percent").number("mean") or None, "%")
        points.add("queue_len", done.table("queue_len").number("mean") or None, "count", "mean", definition=None)
    points.add("completed", completed, "count", definition="inference-perf-server.completed")
    run = _run(source, fields, points, asked, stage_of(source.name, whole_run=False))
    return replace(
        run,
        requests=Requests(completed=completed),
        server_side=True,
        facts={**run.facts, "scrape": "the server's counters over the window; other traffic is in them"},
        not_understood=(*run.not_understood, *_unread(done)),
    )


def _unread(done: Fields) -> list[str]:
    """The twin's mean lengths: no mean per request in the files seen (4995 where the client counted 204)."""
    means = [name for name in ("prompt_len", "output_len") if done.table(name).number("mean") is not None]
    return [f"{' and '.join(means)}: their mean is no mean per request; left out"] if means else []
