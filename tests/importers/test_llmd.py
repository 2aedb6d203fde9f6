"""llm-d benchmark reports."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.importers import given

STAGE = (given.FIXTURES / "llm-d" / "inference-perf.partial.stage_1.yaml").read_text(encoding="utf-8")
FIRST = json.loads((given.FIXTURES / "llm-d" / "report_0.1.json").read_text(encoding="utf-8"))


def second(**load: Any) -> dict[str, Any]:
    """A report 0.2 of a harness."""
    latency = {
        "time_to_first_token": {"units": "s", "mean": 0.147},
        "time_per_output_token": {"units": "ms/token", "mean": 21.5},
    }
    aggregate = {
        "requests": {"total": 10, "failures": 1},
        "latency": latency | {"inter_token_latency": {"units": "s/token", "mean": 0.021}},
    }
    return {
        "version": "0.2",
        "run": {"uid": "x"},
        "scenario": {"load": {"standardized": load}},
        "results": {"request_performance": {"aggregate": aggregate}},
    }


def definitions(report: dict[str, Any]) -> dict[str, str | None]:
    return {point.metric: point.definition for point in given.only(given.record(report)).points}


def test_units_are_read_at_each_statistic() -> None:
    """Seconds and milliseconds stand side by side."""
    run = given.only(given.record(second(tool="inference-perf")))
    assert (given.value(run, "ttft"), given.value(run, "tpot"), given.value(run, "itl")) == (147, 21.5, 21)


def test_what_inference_perf_writes_itself_meets_the_known_truth() -> None:
    """TTFT 100 ms, 20 ms a token, 416 ms in all."""
    run = given.only(given.text(STAGE))
    assert (run.stage, run.tool, run.started) == ("stage 1", "inference-perf", "2026-11-29T16:51:01.967758Z")
    assert given.value(run, "ttft") == 102.29127849994862
    assert given.value(run, "normalized_time_per_output_token", "p90") == 26.237489900006496
    assert given.value(run, "e2el") == 416.7956945666598


@pytest.mark.parametrize(
    ("load", "tpot", "itl"),
    [
        ({"tool": "inference-perf", "tool_version": "0.7.1"}, "inference-perf.tpot", "inference-perf.itl"),
        ({"tool": "inference-perf", "tool_version": "0.3.0"}, None, None),
        ({"tool": "inference-perf"}, None, None),
        ({"tool": "guidellm", "tool_version": "v0.5.4"}, "guidellm.tpot", "guidellm.itl"),
        ({"tool": "guidellm"}, None, "guidellm.itl"),
        ({"tool": "vllm-benchmark"}, "vllm-bench.tpot", None),
        ({"tool": "aiperf"}, None, "aiperf.itl"),
        ({"tool": "my-bench"}, None, None),
        ({}, None, None),
    ],
)
def test_labels_mean_what_the_harness_means(load: dict[str, str], tpot: str | None, itl: str | None) -> None:
    """Where that changed between versions, an unknown version has no definition."""
    found = definitions(second(**load))
    assert (found["tpot"], found["itl"]) == (tpot, itl)


def test_zeros_beside_numbers_and_groups_of_zeros_are_unknown() -> None:
    """A p99 of 0 is no latency; a group of zeros was not measured; wrong units are not guessed."""
    run = given.only(given.record(FIRST))
    assert given.value(run, "ttft", "p50") == 240.0
    assert given.value(run, "ttft", "p99") is None
    assert given.value(run, "tpot") == 21.5
    assert {point.metric for point in run.points}.isdisjoint({"e2el", "itl"})
    said = " ".join(run.not_understood)
    assert "ttft: p99 is 0" in said
    assert "e2el: all zero" in said
    assert "itl: units 'percent'" in said


def test_setup_of_0_1() -> None:
    """Replicas only are an aggregated setup; what all parts share is stated."""
    run = given.only(given.record(FIRST))
    assert run.setup == {"model": "example/model-8b", "hardware.gpu": "H200", "topology": "aggregated"}
    assert (run.requests.sent, run.requests.completed, run.requests.failed) == (100, 95, 5)
    assert given.value(run, "output_throughput", "value") == 310.25
    assert (run.started, run.ended) == ("2025-06-15T15:06:40Z", "2025-06-15T15:07:00Z")


def test_all_failed_has_counts_only() -> None:
    """No latency comes of a failed request."""
    failed = copy.deepcopy(FIRST)
    failed["metrics"]["requests"]["failures"] = 100
    run = given.only(given.record(failed))
    assert run.points == ()
    assert run.requests.completed == 0


def test_failures_of_aiperf_are_kinds_of_errors() -> None:
    """They say nothing about how many requests completed."""
    run = given.only(given.record(second(tool="aiperf")))
    assert (run.requests.completed, run.requests.failed) == (None, None)
    assert any("kinds of errors" in said for said in run.not_understood)


def test_a_report_that_was_cut_in_a_number_loses_that_number() -> None:
    """YAML cut in its last line still reads; the number would be wrong."""
    at = STAGE.index("mean: 0.10229127849994862")
    run = given.only(given.text(STAGE[: at + len("mean: 0.1022")]))
    assert given.value(run, "ttft") is None
    assert any("last line may be cut" in said for said in run.not_understood)


@pytest.mark.parametrize(
    "record",
    [
        {"version": "0.2", "$defs": {}, "properties": {}},
        {"version": "1.0", "scenario": {}, "metrics": {}},
        {"version": "0.2", "results": {}},
        {"scenario": {}, "metrics": {}},
    ],
)
def test_other_json_is_no_report(record: dict[str, object]) -> None:
    """A schema of reports is none."""
    assert "llm-d" not in given.names(json.dumps(record))


def test_a_report_without_results_is_declined() -> None:
    """With a sentence."""
    got = given.record({"version": "0.2", "run": {"uid": "x"}, "results": {}})
    assert got.declined[0].why == "an llm-d benchmark report 0.2 without results"


@pytest.mark.parametrize(
    "broken",
    [
        {"latency": [1]},
        {"requests": "many"},
        {"throughput": {"request_rate": 3}},
        {"latency": {"time_to_first_token": None}},
    ],
)
def test_members_of_other_types_break_nothing(broken: dict[str, Any]) -> None:
    """They are said or missing."""
    report = second(tool="guidellm")
    report["results"]["request_performance"]["aggregate"] |= broken
    assert isinstance(given.record(report).runs, tuple)
