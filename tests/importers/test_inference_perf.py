"""inference-perf: seconds, what TPOT is in each release, the server's twin, the configuration beside the reports."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from . import given

FOLDER = given.FIXTURES / "inference-perf"
CONFIG = given.FIXTURES / "declined" / "inference-perf-config.yaml"


def report(**successes: Any) -> dict[str, Any]:
    """A stage's report of a release before 0.5."""
    stats = {"mean": 0.02, "min": 0.019, "median": 0.02, "p99": 0.021, "max": 0.022}
    latency = {
        "request_latency": {"mean": 0.4, "median": 0.4},
        "time_per_output_token": dict(stats),
        "time_to_first_token": {"mean": 0.1, "median": 0.1, "p99.9": 0.12},
        "inter_token_latency": dict(stats),
        "normalized_time_per_output_token": {"mean": 0.025, "min": 0.024},
    }
    done = {"count": 20, "latency": latency, "throughput": {"requests_per_sec": 5.0}, "prompt_len": {"mean": 32.0}}
    return {
        "load_summary": {"count": 20, "requested_rate": 5.0, "achieved_rate": 5.1, "send_duration": 3.9},
        "successes": done | successes,
        "failures": {"count": 0, "request_latency": None, "prompt_len": None},
    }


def test_0_2_is_told_by_the_gap_to_the_blank_line() -> None:
    """The mock's truth is 20 ms per token; 0.2 says 8.9, under a definition of its own. TTFT and latency are right."""
    run = given.only(given.file(FOLDER / "v0.2.0-summary.json"))
    assert run.tool_version == ">=0.2,<0.3"
    tpot, itl = given.point(run, "tpot"), given.point(run, "itl", "p50")
    assert tpot is not None
    assert itl is not None
    assert (tpot.value, tpot.definition) == (8.93081247599886, "inference-perf.tpot-0.2")
    assert (itl.value, itl.definition) == (0.05344500004866859, "inference-perf.itl-0.2")
    assert given.value(run, "ttft") == 102.90512330002458
    assert given.value(run, "e2el") == 415.94217370003206
    assert given.value(run, "normalized_time_per_output_token") == 25.996385856252004
    assert run.stage == "summary"


def test_0_7_gives_the_truth() -> None:
    """20 ms per token; lengths as the server counted them."""
    run = given.only(given.file(FOLDER / "v0.7.0-stage_0_lifecycle_metrics.json"))
    assert run.tool_version == ">=0.7"
    tpot, prompt = given.point(run, "tpot"), given.point(run, "input_tokens")
    assert tpot is not None
    assert prompt is not None
    assert (tpot.value, tpot.definition) == (20.838524783334835, "inference-perf.tpot")
    assert (prompt.value, prompt.definition) == (8.2, "server.input_tokens")
    assert given.value(run, "duration", "value") == 4.331543760999921
    assert run.stage == "stage 0"
    assert run.where["request_rate"] == 5


@pytest.mark.parametrize(
    ("successes", "top", "version", "definition"),
    [
        ({}, {}, ">=0.3,<0.5", "inference-perf.tpot-0.3"),
        ({"token_count_mismatches": 0}, {"benchmark_time_seconds": 4.0}, ">=0.5,<0.6", "inference-perf.tpot-0.5"),
        ({"request_size_bytes": {}}, {"benchmark_time_seconds": 4.0}, ">=0.6,<0.7", "inference-perf.tpot"),
        ({"client_fallback_requests": {}}, {"benchmark_time_seconds": 4.0}, ">=0.7", "inference-perf.tpot"),
    ],
)  # fmt: skip
def test_the_keys_tell_the_releases_apart(
    successes: dict[str, Any], top: dict[str, Any], version: str, definition: str
) -> None:
    """Each counted tokens in another way."""
    run = given.only(given.record(report(**successes) | top))
    assert run.tool_version == version
    found = given.point(run, "tpot")
    assert found is not None
    assert (found.value, found.definition) == (20.0, definition)


def test_seconds_become_milliseconds_in_decimal() -> None:
    """0.147 s is 147 ms and nothing after the point."""
    made = report()
    made["successes"]["latency"]["time_to_first_token"] = {"mean": 0.147, "p99.9": 1.005}
    run = given.only(given.record(made))
    assert (given.value(run, "ttft"), given.value(run, "ttft", "p99_9")) == (147.0, 1005.0)


def test_without_streaming_the_streamed_metrics_are_missing() -> None:
    """null, not 0."""
    made = report()
    for name in ("time_per_output_token", "time_to_first_token", "inter_token_latency"):
        made["successes"]["latency"][name] = None
    run = given.only(given.record(made))
    assert {point.metric for point in run.points} & {"ttft", "tpot", "itl"} == set()
    assert given.value(run, "e2el") == 400.0


def test_all_failed_leaves_counts() -> None:
    """Throughput of 0 is no measurement."""
    made = report(count=0, latency={"request_latency": None}, throughput={"requests_per_sec": 0.0}, prompt_len=None)
    made["failures"]["count"] = 20
    run = given.only(given.record(made))
    assert (run.requests.sent, run.requests.completed, run.requests.failed) == (20, 0, 20)
    assert not [point for point in run.points if point.metric in {"request_throughput", "e2el", "input_tokens"}]


def test_requests_without_output_stand_in_ntpot_as_0() -> None:
    """The zeros are left out and the pulled mean is said."""
    made = report()
    made["successes"]["latency"]["normalized_time_per_output_token"] = {"mean": 0.02, "min": 0.0, "p90": 0.03}
    run = given.only(given.record(made))
    assert given.point(run, "normalized_time_per_output_token", "min") is None
    assert given.value(run, "normalized_time_per_output_token") == 20.0
    assert any("without output" in said for said in run.not_understood)


def test_the_servers_side_has_definitions_of_its_own() -> None:
    """Same labels, another place of measurement."""
    run = given.only(given.file(FOLDER / "stage_2_prometheus_metrics.json"))
    assert run.server_side
    ttft = given.point(run, "ttft")
    assert ttft is not None
    assert (ttft.value, ttft.definition) == (21.207, "inference-perf-server.ttft")
    assert given.value(run, "tpot", "p50") == 10.0
    assert given.value(run, "output_throughput", "value") == 6108.5
    assert given.point(run, "input_tokens") is None
    assert given.point(run, "hit_rate", "value") is None
    assert run.stage == "stage 2"


def test_the_configuration_beside_the_reports_is_read_along(tmp_path: Path) -> None:
    """It alone names the model and the lengths."""
    shutil.copy(CONFIG, tmp_path / "config.yaml")
    shutil.copy(FOLDER / "v0.2.0-summary.json", tmp_path / "summary_lifecycle_metrics.json")
    run = given.only(given.file(tmp_path / "summary_lifecycle_metrics.json"))
    assert run.setup["model"] == "mock-model"
    assert (run.where["input_tokens"], run.where["output_tokens"]) == (32, 16)
    assert run.facts["config"] == "config.yaml beside it"


def test_a_report_alone_says_nothing_of_the_model(tmp_path: Path) -> None:
    """Nothing is taken from elsewhere."""
    shutil.copy(FOLDER / "v0.2.0-summary.json", tmp_path / "summary_lifecycle_metrics.json")
    run = given.only(given.file(tmp_path / "summary_lifecycle_metrics.json"))
    assert run.setup == {}
    assert run.where == {}


@pytest.mark.parametrize(
    "config", ["not: [closed", "just text", "api: 1\ndata: 2\nload: 3\nserver: 4\nreport: 5\n", ""]
)
def test_a_configuration_that_cannot_be_used_does_no_harm(tmp_path: Path, config: str) -> None:
    """The report is read without it."""
    shutil.copy(FOLDER / "v0.2.0-summary.json", tmp_path / "summary_lifecycle_metrics.json")
    (tmp_path / "config.yaml").write_text(config)
    run = given.only(given.file(tmp_path / "summary_lifecycle_metrics.json"))
    assert given.value(run, "ttft") == 102.90512330002458
    assert "model" not in run.setup


def test_limits_of_the_configuration_are_in_seconds(tmp_path: Path) -> None:
    """They become ms; the token is not repeated."""
    text = CONFIG.read_text().replace("  token: null", "  token: hf_verysecretverysecret")
    (tmp_path / "config.yaml").write_text(text + "goodput:\n  constraints:\n    ttft: 0.25\n    tpot: 0.03\n")
    (tmp_path / "stage_1_lifecycle_metrics.json").write_text(json.dumps(report()))
    run = given.only(given.file(tmp_path / "stage_1_lifecycle_metrics.json"))
    assert (run.setup["slo.ttft"], run.setup["slo.tpot"]) == (250, 30)
    assert run.stage == "stage 1"
    assert "secret" not in json.dumps(run.as_dict())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (CONFIG.read_text(), "a setup, not results"),
        ('{"global": {"warnings": []}, "reports": {}}', "check of its own reports"),
        ('[{"start_time": 1.0, "end_time": 2.0, "request": "{}", "response": "", "info": {}}]', "one by one"),
    ],
    ids=["configuration", "validation", "requests"],
)
def test_what_lies_beside_a_report_is_declined_by_what_it_is(text: str, words: str) -> None:
    """A sentence instead of numbers."""
    got = given.text(text)
    assert not got.runs
    assert words in got.declined[0].why


@pytest.mark.parametrize(
    "text",
    [
        '{"load_summary": {}, "successes": {}}',
        '{"global": 1}',
        '[{"start_time": 1.0, "end_time": 2.0}]',
        "api: x\ndata: y\n",
    ],
)
def test_what_is_not_inference_perf(text: str) -> None:
    """Shapes that come near."""
    assert "inference-perf" not in given.names(text)


@pytest.mark.parametrize(
    "more",
    [
        {"load_summary": 3}, {"failures": "none"}, {"load_summary": {"count": -4, "requested_rate": "fast"}},
        {"benchmark_time_seconds": "long"},
    ],
)  # fmt: skip
def test_members_of_another_type_are_said(more: dict[str, Any]) -> None:
    """The rest is read."""
    run = given.only(given.record(report() | more))
    assert given.value(run, "e2el") == 400.0
    assert run.not_understood


@pytest.mark.parametrize(
    "successes", [7, [], {"count": "x"}, {"count": 3, "latency": [1]}, {"count": 3, "latency": {"request_latency": 4}}]
)
def test_successes_of_another_type_do_no_harm(successes: Any) -> None:
    """No numbers, no failure."""
    got = given.record(report() | {"successes": successes})
    assert got.runs or got.declined
