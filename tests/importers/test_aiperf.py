"""AIPerf: the export, its table, the requests of an aborted run, and the files that lie beside them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from . import given

FOLDER = given.FIXTURES / "aiperf"


def export(**more: Any) -> dict[str, Any]:
    """A small export of 2025, without a version."""
    base: dict[str, Any] = {
        "request_throughput": {"unit": "requests/sec", "avg": 0.5},
        "request_count": {"unit": "requests", "avg": 64.0},
        "time_to_first_token": {
            "unit": "ms",
            "avg": 36.5,
            "p50": 36.0,
            "p99": 48.75,
            "min": 30.0,
            "max": 50.0,
            "std": 2.0,
        },
        "inter_token_latency": {"unit": "ms", "avg": 18.5, "p99": 20.5},
        "goodput": None,
        "error_request_count": None,
        "telemetry_data": {"endpoints": {"localhost:9400": {"gpus": {"gpu_0": {"gpu_name": "NVIDIA H200"}}}}},
        "input_config": {
            "endpoint": {"model_names": ["some/model"], "url": "http://me:pass@localhost:8000", "streaming": True},
            "loadgen": {"concurrency": 2, "request_count": 64, "request_rate": 1.5},
            "input": {"prompt": {"input_tokens": {"mean": 100}, "output_tokens": {"mean": 200}}},
        },
        "was_cancelled": False,
        "start_time": "2025-11-07T13:38:54.793124",
        "end_time": "2025-11-07T13:43:13.730640",
    }
    return base | more


def test_the_mock_gives_the_truth_per_definition() -> None:
    """TTFT 100 ms, 20 ms per token on a loaded machine; the token latency is per request."""
    run = given.only(given.file(FOLDER / "v0.13.0.json"))
    assert run.tool_version == "0.13.0"
    assert given.value(run, "ttft") == 108.49832215
    assert given.value(run, "itl") == 22.582722479999994
    assert given.value(run, "e2el") == 447.23915935
    chunks = given.point(run, "inter_chunk_latency")
    assert chunks is not None
    assert (chunks.value, chunks.definition, chunks.n) == (22.58272248, "aiperf.icl", 300)
    assert given.value(run, "goodput", "value") == 8.627279461280024
    assert (run.setup["slo.ttft"], run.setup["slo.itl"]) == (150.0, 25.0)
    assert run.where == {
        "concurrency": 4,
        "num_prompts": 20,
        "input_tokens": 32,
        "output_tokens": 16,
        "dataset": "synthetic",
    }
    assert (run.requests.sent, run.requests.completed, run.requests.failed) == (20, 20, 0)


def test_the_earlier_configuration_says_the_same_things() -> None:
    """Endpoint, load generator and input, as 2025 wrote them."""
    run = given.only(given.record(export()))
    assert run.tool_version == ">=0.2,<0.4"
    assert run.where == {
        "concurrency": 2, "request_rate": 1.5, "num_prompts": 64, "input_tokens": 100, "output_tokens": 200,
        "dataset": "synthetic",
    }  # fmt: skip
    assert run.setup == {"model": "some/model", "hardware.gpu": "NVIDIA H200"}
    assert "pass" not in json.dumps(run.as_dict())


def test_0_1_has_its_metrics_under_records() -> None:
    """Each with its tag and header."""
    made = export()
    tags = ("request_throughput", "request_count", "time_to_first_token", "inter_token_latency")
    made["records"] = {tag: made.pop(tag) | {"tag": tag, "header": tag, "count": 64} for tag in tags}
    run = given.only(given.record(made))
    assert run.tool_version == ">=0.1,<0.2"
    assert given.value(run, "ttft", "p99") == 48.75
    assert run.requests.completed == 64
    assert run.where["concurrency"] == 2
    assert run.not_understood == ()


def test_what_is_null_was_not_measured() -> None:
    """No goodput of 0, no failures of 0."""
    run = given.only(given.record(export()))
    assert given.point(run, "goodput", "value") is None
    assert given.point(run, "failed", "value") is None
    assert run.requests.failed is None


def test_failed_requests_are_counted_where_they_are_told() -> None:
    """Sent is what came back either way."""
    run = given.only(given.record(export(error_request_count={"unit": "requests", "avg": 6.0})))
    assert (run.requests.sent, run.requests.completed, run.requests.failed) == (70, 64, 6)


def test_a_run_in_which_all_failed_has_no_latencies() -> None:
    """Only counts are left."""
    none = {"unit": "requests", "avg": 0.0}
    run = given.only(given.record(export(request_count=none, error_request_count={"unit": "requests", "avg": 9.0})))
    assert {point.metric for point in run.points} == {"completed", "failed"}


def test_a_cancelled_run_says_so() -> None:
    """The numbers are those of what was done."""
    run = given.only(given.record(export(was_cancelled=True)))
    assert run.facts["was_cancelled"] is True


def test_the_table_has_two_digits_and_says_so() -> None:
    """The same run as the export, rounded."""
    run = given.only(given.file(FOLDER / "v0.13.0.csv"))
    assert given.value(run, "ttft") == 108.5
    assert given.value(run, "ttft", "p99") == 137.71
    assert given.value(run, "request_throughput", "value") == 8.63
    assert run.facts["rounded"]
    assert (run.requests.sent, run.requests.completed, run.requests.failed) == (20, 20, 0)


def test_an_aborted_run_gives_counts_and_series_and_no_statistics() -> None:
    """Three requests were written before it ended."""
    run = given.only(given.file(FOLDER / "v0.13.0-aborted.jsonl"))
    assert run.points == ()
    assert run.requests.completed == 3
    assert (run.detail["ttft"].count, run.detail["ttft"].unit) == (3, "ms")
    assert "aborted" in run.not_understood[0]


def test_warm_up_requests_are_not_counted() -> None:
    """Their phase says what they are."""
    records = [json.loads(line) for line in (FOLDER / "v0.13.0-aborted.jsonl").read_text().splitlines()]
    records[0]["metadata"]["benchmark_phase"] = "warmup"
    records[1]["error"] = {"type": "Timeout"}
    run = given.only(given.lines(records))
    assert (run.requests.sent, run.requests.completed, run.requests.failed) == (2, 1, 1)


def test_requests_beside_their_export_are_not_imported_twice(tmp_path: Path) -> None:
    """The export holds their statistics."""
    shutil.copy(FOLDER / "v0.13.0-aborted.jsonl", tmp_path / "profile_export.jsonl")
    shutil.copy(FOLDER / "v0.13.0.json", tmp_path / "profile_export_aiperf.json")
    got = given.file(tmp_path / "profile_export.jsonl")
    assert not got.runs
    assert "profile_export_aiperf.json beside it" in got.declined[0].why


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"data": [{"session_id": "a", "payloads": [{"messages": []}]}]}', "prompts"),
        ('{"timestamp_ns": 1, "gpu_uuid": "GPU-1", "telemetry_data": {}}', "telemetry"),
        ('{"schema_version": "1.1", "aiperf_version": "0.13.0", "summary": {}, "metrics": {}}', "server's own metrics"),
        ('{"schema_version": "1.0", "aiperf_version": "0.7.0", "metadata": {}, "metrics": {}}', "several runs"),
        ('{"timeslices": [{"timeslice_index": 0}], "input_config": {}}', "slices of time"),
        (
            "# AIPerf Server Metrics Export (CSV)\n# aiperf_version: 0.13.0\nEndpoint,Type\na,b\n",
            "server's own metrics",
        ),
        ("\n\n   NVIDIA AIPerf | LLM Metrics\n┃ Metric ┃ avg ┃\n", "terminal"),
    ],
    ids=["prompts", "gpus", "server", "aggregate", "slices", "server table", "console"],
)
def test_what_lies_beside_a_run_is_declined_by_what_it_is(text: str, words: str) -> None:
    """A sentence instead of numbers."""
    got = given.text(text)
    assert not got.runs
    assert words in got.declined[0].why


@pytest.mark.parametrize(
    "text",
    [
        '{"request_throughput": {"unit": "requests/sec", "avg": 1}, "input_config": {"perf_analyzer": {}}}',
        '{"data": [{"id": 1}]}',
        '{"metrics": {}, "metadata": {}}',
        "Metric,avg,min,max,p99,p95\nTime To First Token (ms),1,1,1,1,1\n",
    ],
)
def test_what_is_not_aiperf(text: str) -> None:
    """GenAI-Perf's files and strangers with like keys."""
    assert "aiperf" not in given.names(text)


@pytest.mark.parametrize(
    "more",
    [
        {"time_to_first_token": 5},
        {"time_to_first_token": {"unit": "fortnights", "avg": 1}},
        {"request_count": "many"},
        {"input_config": []},
        {"input_config": {"phases": [1], "datasets": "x", "models": 3}},
        {"telemetry_data": {"endpoints": 3}},
        {"error_summary": "none"},
        {"start_time": {}},
    ],
)
def test_members_of_another_type_are_said(more: dict[str, Any]) -> None:
    """The rest is read."""
    run = given.only(given.record(export(**more)))
    assert given.value(run, "itl") == 18.5
    assert run.not_understood or "input_config" in more
