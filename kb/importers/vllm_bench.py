"""`vllm bench serve` and `benchmark_serving.py`, JSON, 0.6 to 0.33, and InferenceX's fork of it.

Written by `--save-result`: one object, JSON Lines with `--append-result`, a list in a sweep's `summary.json`. Traps:
`request_goodput:` with a colon up to 0.9; `--metadata` merged at top level as text; statistics of an all-failed run are
0.0; `backend` is the client's flavour, not the server; asked lengths are nowhere. Source: vllm/benchmarks/serve.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kb.importers.fields import Fields
from kb.importers.points import STATS, Points, series
from kb.importers.run import Fact, Requests, Run, Series, Suggestion
from kb.importers.source import Source
from kb.importers.streaming import Long
from kb.importers.times import before, of_epoch, of_text
from kb.importers.vllm_shape import Writer, first_token, is_chat, writer
from kb.redact import clean

NAME = "vllm-bench"
TOOL = "vllm bench serve"

_STATISTIC = re.compile(r"(mean|median|std|min|max|p[0-9.]+)_(\w+?)_ms")
_LATENCIES = {"ttft": "ttft", "tpot": "tpot", "itl": "itl", "e2el": "e2el", "client_queue_time": "queue_time"}
_RATES = {
    "request_throughput": ("request_throughput", "req/s"),
    "request_goodput": ("goodput", "req/s"),
    "request_goodput:": ("goodput", "req/s"),
    "output_throughput": ("output_throughput", "tok/s"),
    "total_token_throughput": ("total_throughput", "tok/s"),
    "max_output_tokens_per_s": ("max_output_tokens_per_s", "tok/s"),
    "max_concurrent_requests": ("max_concurrent_requests", "count"),
    "total_input_tokens": ("total_input_tokens", "count"),
    "total_output_tokens": ("total_output_tokens", "count"),
}
_DRAFTS = {
    "spec_decode_acceptance_rate": "%",
    "spec_decode_acceptance_length": "tokens",
    "spec_decode_num_drafts": "count",
    "spec_decode_draft_tokens": "count",
    "spec_decode_accepted_tokens": "count",
}
_SERIES = {
    "ttfts": ("ttft", "s"),
    "itls": ("itl", "s"),
    "latencies": ("e2el", "s"),
    "queue_times": ("queue_time", "s"),
    "input_lens": ("input_tokens", "count"),
    "output_lens": ("output_tokens", "count"),
}
_NOT_KEPT = (
    *("generated_texts", "errors", "start_times", "rps_change_events", "spec_decode_per_position_acceptance_rates"),
    *("server_ttfts", "server_queue_times", "server_prefill_times", "server_decode_times", "rtfx"),
)
_ASKED = {"input_len": "where.input_tokens", "output_len": "where.output_tokens", "isl": "where.input_tokens",
          "osl": "where.output_tokens", "tp": "both.tp", "gpu": "hardware.gpu"}  # fmt: skip
"""Names under which people put what they asked for into `--metadata`."""


def recognises(source: Source) -> bool:
    """A model, a number of prompts, a throughput and a latency in ms, and nothing of SGLang's."""
    keys = source.keys
    return (
        {"num_prompts", "model_id", "request_throughput"} <= keys
        and not keys & {"server_info", "mean_e2e_latency_ms", "median_e2e_latency_ms"}
        and (any(_STATISTIC.fullmatch(key) for key in keys) or "burstiness" in keys)
    )


def read(source: Source) -> Iterator[Run]:
    """One run per object."""
    for number, record in enumerate(source.records(), start=1):
        yield _run(source.name, number, record)


def _run(file: str, number: int, record: object) -> Run:
    fields = Fields(record)
    by = writer(frozenset(fields))
    flavour, endpoint = fields.text("backend"), fields.text("endpoint_type")
    requests = _requests(fields)
    chat = is_chat(flavour, endpoint)
    points = _points(fields, by, chat, requests)
    _lengths(points, fields, requests.completed, server=bool(chat) and by.counts_at_server)
    where, setup, facts = _where(fields), _model(fields), _facts(fields, flavour or endpoint)
    ended = of_epoch(fields.number("benchmark_end_time_unix")) or of_text(fields.text("date"), "%Y%m%d-%H%M%S")
    started = of_epoch(fields.number("benchmark_start_time_unix")) or before(ended, fields.number("duration"))
    repeat, detail = fields.count("run_number"), _detail(fields)
    fields.skip(*_NOT_KEPT)
    metadata, unknown = _metadata(fields.rest())
    return Run(
        file, NAME, by.tool, by.version, number,
        setup=setup, where=where | metadata, facts=facts, points=tuple(points.points), requests=requests,
        started=started, ended=ended, repeat=repeat, detail=detail, suggestions=tuple(_asked(metadata)),
        not_understood=(*fields.odd, *points.odd, *unknown),
    )  # fmt: skip


def _requests(fields: Fields) -> Requests:
    """Releases before 0.11 do not say how many failed; it is what is missing from those sent."""
    sent, completed, failed = fields.count("num_prompts"), fields.count("completed"), fields.count("failed")
    if failed is None and sent is not None and completed is not None and completed <= sent:
        failed = sent - completed
    return Requests(sent, completed, failed)


def _points(fields: Fields, by: Writer, chat: bool | None, requests: Requests) -> Points:
    """An all-failed run has counts and a duration only: its zeros are no measurements. Nor are those of answers without
    a single token, which some clients count as completed."""
    points = Points(NAME)
    latencies = [(found, key) for key in fields if (found := _STATISTIC.fullmatch(key))]
    measured, silent = requests.completed != 0, fields.number("total_output_tokens") == 0
    for key, (metric, unit) in _RATES.items():
        value = fields.number(key) if key in fields else None
        if measured:
            points.add(metric, value, unit)
    for found, key in latencies:
        value = fields.raw(key)
        if measured and not (value == 0 and silent):
            _latency(points, found[1], found[2], value, first_chunk=by.first_chunk, chat=chat, n=requests.completed)
    if measured and silent and any(fields.raw(key) == 0 for _, key in latencies):
        points.odd.append("latencies of 0 were left out: no answer had a token")
    points.add("completed", requests.completed, "count")
    points.add("failed", requests.failed, "count")
    points.add("duration", fields.number("duration"), "s")
    _drafts(points, fields)
    return points


def _latency(
    points: Points, stat: str, label: str, value: object, *, first_chunk: str, chat: bool | None, n: int | None
) -> None:
    if stat not in STATS:
        points.odd.append(f"{stat}_{label}_ms: a percentile that has no name here")
        return
    if stat == "p50" and any(p.metric == _LATENCIES.get(label, label) and p.stat is STATS[stat] for p in points.points):
        return
    metric = _LATENCIES.get(label, label)
    definition = first_token(metric, first_chunk, chat) if metric in {"ttft", "itl"} else f"{NAME}.{metric}"
    points.add(metric, value, "ms", stat, definition=definition, n=None if metric == "itl" else n)


def _lengths(points: Points, fields: Fields, completed: int | None, *, server: bool) -> None:
    """Mean lengths, from the totals."""
    counted = {"input_tokens": f"{'server' if server else 'client'}.input_tokens", "output_tokens": ""}
    for metric, definition in counted.items() if completed else ():
        tokens = fields.number(f"total_{metric}")
        if completed and tokens is not None:
            points.add(metric, tokens / completed, "count", "mean", definition=definition, n=completed)


def _drafts(points: Points, fields: Fields) -> None:
    drafts = fields.number("spec_decode_num_drafts")
    for key, unit in _DRAFTS.items():
        value = fields.number(key) if key in fields else None
        if drafts:
            points.add(key, value, unit)


def _where(fields: Fields) -> dict[str, Fact]:
    """While the rate ramps, `request_rate` stays "inf" and means nothing."""
    ramp = {
        key: fields.raw(key) for key in ("ramp_up_strategy", "ramp_up_start_rps", "ramp_up_end_rps") if key in fields
    }
    rate = fields.rate("request_rate")
    where = {
        "request_rate": None if ramp.get("ramp_up_strategy") else rate,
        "concurrency": fields.count("max_concurrency"),
        "burstiness": fields.number("burstiness"),
        "num_prompts": fields.count("num_prompts"),
        **ramp,
    }
    return {key: value for key, value in where.items() if isinstance(value, str | int | float)}


def _model(fields: Fields) -> dict[str, Fact]:
    """A path on somebody's disk names no model."""
    model = fields.text("model_id")
    return {"model": model} if model and not model.startswith(("/", "./", "~")) else {}


def _facts(fields: Fields, flavour: str | None) -> dict[str, Fact]:
    model, tokenizer, best_of = fields.text("model_id"), fields.text("tokenizer_id"), fields.count("best_of")
    facts: dict[str, Fact | None] = {
        "backend": flavour,
        "model_path": model if model and model.startswith(("/", "./", "~")) else None,
        "tokenizer": tokenizer if tokenizer != model else None,
        "label": fields.text("label"),
        "use_beam_search": fields.flag("use_beam_search"),
        "best_of": best_of if best_of and best_of > 1 else None,
    }
    return {key: value for key, value in facts.items() if value is not None and value is not False}


def _detail(fields: Fields) -> dict[str, Series]:
    found = {metric: series(fields.raw(key), unit) for key, (metric, unit) in _SERIES.items() if key in fields}
    return {metric: each for metric, each in found.items() if each is not None}


def _metadata(rest: Mapping[str, object]) -> tuple[dict[str, Fact], list[str]]:
    """What `--metadata` and sweeps put at top level: their own factors. Tables and lists are not known."""
    factors: dict[str, Fact] = {}
    unknown: list[str] = []
    for key, value in rest.items():
        if isinstance(value, str | int | float):
            factors[key] = clean(key, value)
        elif isinstance(value, dict | list | Long):
            unknown.append(f"{key}: a list or table that is not known to this importer")
    return factors, unknown


def _asked(metadata: Mapping[str, Fact]) -> Iterator[Suggestion]:
    for name, key in _ASKED.items():
        value = metadata.get(name)
        if value is not None and str(value).casefold() not in {"", "none", "unknown"}:
            number = int(value) if isinstance(value, str) and value.isdigit() else value
            yield Suggestion(key, number, f"metadata {name}")
