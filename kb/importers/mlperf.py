"""MLPerf inference, loadgen's `mlperf_log_summary.txt` (v4.1 to v5.1).

All latencies are in nanoseconds, percentiles by nearest rank. Server and Interactive give scheduled and completed rates
and latencies of tokens, Offline only its rate: there all samples are sent at once, so that the latency is the queue.
What ran on which machine stands in no log but in the path and in `systems/<system>.json`. Accuracy runs write the same
file name, told by `Mode : AccuracyOnly`. Written by github.com/mlcommons/inference, loadgen/results.cc.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from kb.importers import NotResults
from kb.importers.fields import Fields
from kb.importers.plain import labelled, whole_lines
from kb.importers.points import Points, exact
from kb.importers.run import Fact, Run
from kb.importers.source import Source

NAME = "mlperf"
TOOL = "MLPerf loadgen"

_LATENCY = re.compile(
    r"(?P<stat>min|max|mean|[\d.]+ percentile) (?P<of>first token latency|time to output token|latency) \(ns\)", re.I
)
_EVENT = ":::MLLOG"
_ANSWERS = {"qsl_idx", "seq_id", "data"}
_METRICS = {"latency": "e2el", "first token latency": "ttft", "time to output token": "tpot"}
_RATES = {
    "Completed samples per second": "request_throughput",
    "Samples per second": "request_throughput",
    "Completed tokens per second": "output_throughput",
    "Tokens per second": "output_throughput",
}
_UNITS = {"request_throughput": "req/s", "output_throughput": "tok/s"}
_CHECKS = (
    "Performance constraints satisfied",
    "Min duration satisfied",
    "Min queries satisfied",
    "Early stopping satisfied",
)


def recognises(source: Source) -> bool:
    """By the summary's title, or by what stands in an accuracy file or a description of a system."""
    if source.shape == "object":
        return {"accelerator_model_name", "accelerators_per_node", "system_name"} <= source.keys or (
            {"weight_data_types", "starting_weights_filename", "input_data_types"} <= source.keys
        )
    if source.shape in {"list", "lines"}:
        return source.keys >= _ANSWERS
    return source.shape in {"text", "yaml", "table"} and (
        "MLPerf Results Summary" in source.head or _is_accuracy(source) or source.head.startswith(_EVENT)
    )


def _is_accuracy(source: Source) -> bool:
    return "gen_tok_len" in source.head and "\nhash=" in source.head


def read(source: Source) -> Iterator[Run]:
    """One run. Raises NotResults for accuracy and for descriptions."""
    if source.shape == "object":
        what = "system" if "system_name" in source.keys else "submission's weights"
        raise NotResults(f"describes a {what} of MLPerf: setup, no results")
    if source.head.startswith(_EVENT):
        raise NotResults("is loadgen's log of events; the results stand in mlperf_log_summary.txt beside it")
    if source.shape in {"list", "lines"} or _is_accuracy(source):
        raise NotResults("holds MLPerf accuracy scores, no performance results")
    yield _run(source)


def _run(source: Source) -> Run:
    lines = whole_lines(source, ("=", "No ", "1 "))
    stated = dict(filter(None, map(labelled, lines)))
    fields = Fields(stated)
    mode = fields.text("Mode")
    if mode is not None and mode != "PerformanceOnly":
        raise NotResults(f"an MLPerf run in mode {mode}: no performance results")
    points = _points(stated, fields)
    return Run(
        source.name,
        NAME,
        TOOL,
        setup=_limits(fields) if points.points else {},
        where=_where(fields),
        facts=_facts(fields),
        points=tuple(points.points),
        not_understood=(*fields.odd, *points.odd, *_validity(stated), *lines.odd),
    )


def _points(stated: Mapping[str, str], fields: Fields) -> Points:
    points = Points(NAME)
    for label, metric in _RATES.items():
        value = fields.number(label)
        if value:
            points.add(metric, value, _UNITS[metric])
    for label in stated:
        if (found := _LATENCY.fullmatch(label)) and (value := fields.number(label)):
            points.add(_METRICS[found["of"].lower()], exact(value, "ns", "ms"), "ms", _stat(found["stat"]))
    return points


def _stat(word: str) -> str:
    """`99.00 percentile` -> p99, `99.90 percentile` -> p99.9."""
    share = word.split()[0]
    return f"p{Decimal(share).normalize():f}" if share[0].isdigit() else share.lower()


def _limits(fields: Fields) -> dict[str, Fact]:
    """The scenario's limits; they count only in Server and Interactive, and Offline prints them all the same."""
    if fields.text("Scenario") not in {"Server", "Interactive"}:
        return {}
    limits = {"slo.ttft": fields.count("ttft_latency (ns)"), "slo.tpot": fields.count("tpot_latency (ns)")}
    return {key: _ms(value) for key, value in limits.items() if value}


def _ms(nanoseconds: int) -> Fact:
    shifted = Decimal(nanoseconds).scaleb(-6)
    return int(shifted) if shifted == int(shifted) else float(shifted)


def _where(fields: Fields) -> dict[str, Fact]:
    """Offline sends every sample in one query; its `target_qps` only sizes that query and is no rate of arrival."""
    scenario = fields.text("Scenario")
    samples, target = fields.count("samples_per_query"), fields.number("target_qps")
    where: dict[str, Fact] = {"scenario": scenario} if scenario else {}
    if scenario == "Offline":
        return where | {"request_rate": "inf"} | ({"num_prompts": samples} if samples else {})
    return where | ({"request_rate": target} if target else {})


def _facts(fields: Fields) -> dict[str, Fact]:
    named = {"sut_name": "SUT name", "result": "Result is", "performance_sample_count": "performance_sample_count"}
    facts: dict[str, Fact] = {name: value for name, label in named.items() if (value := fields.text(label)) is not None}
    for name, label in (
        ("scheduled_samples_per_second", "Scheduled samples per second"),
        ("min_duration_ms", "min_duration (ms)"),
    ):
        if measured := fields.number(label):
            facts[name] = measured
    return facts


def _validity(stated: Mapping[str, str]) -> Iterator[str]:
    result = stated.get("Result is")
    if result is None:
        yield "the result line (VALID or INVALID) is missing: the summary is not whole"
    elif result != "VALID":
        missed = [label for label in _CHECKS if stated.get(label, "").casefold() == "no"]
        yield f"MLPerf calls this run {result}" + (f": not met are {', '.join(missed)}" if missed else "")
