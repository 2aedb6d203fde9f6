"""trtllm-bench: console and report."""

from __future__ import annotations

import json

import pytest

from tests.importers import given

LOG = (given.FIXTURES / "trtllm-bench" / "streaming.log").read_text(encoding="utf-8")
REPORT = json.loads((given.FIXTURES / "trtllm-report" / "report.json").read_text(encoding="utf-8"))
OLD = """
===========================================================
= ENGINE DETAILS
===========================================================
Model:\t\t\texample/model
TensorRT-LLM Version:\t0.16.0
Dtype:\t\t\tbfloat16
KV Cache Dtype:\t\tFP8
Quantization:\t\tFP8

===========================================================
= WORLD + RUNTIME INFORMATION
===========================================================
TP Size:\t\t8
Issue Rate (req/sec):\t5.7965E+13

===========================================================
= PERFORMANCE OVERVIEW
===========================================================
Number of requests:\t\t100
Average Output Length (tokens):\t10.0000
Token Throughput (tokens/sec):\t50.0000
Request Throughput (req/sec):\t5.0000
Total Latency (ms):\t\t20000.5000

===========================================================
"""


def test_console_and_report_of_a_run_say_the_same() -> None:
    """Latencies, rates per user, GPU and in total; what differs is the rounding of the wall time."""
    console, report = given.only(given.text(LOG)), given.only(given.record(REPORT))
    numbers = [
        {(p.metric, p.stat, p.definition): p.value for p in run.points if p.metric != "duration"}
        for run in (console, report)
    ]
    assert numbers[0] == numbers[1]
    assert (given.value(console, "duration", "value"), given.value(report, "duration", "value")) == (25.0, 25.0005)


def test_two_speeds_of_a_user_are_two_definitions() -> None:
    """One includes TTFT, the other is of the decode phase."""
    run = given.only(given.text(LOG))
    means = {p.definition: p.value for p in run.points if p.metric == "output_throughput_per_user" and p.stat == "mean"}
    assert means == {
        "trtllm-bench.output_throughput_per_user": 35.5,
        "trtllm-bench.generation_throughput_per_user": 40.25,
    }


def test_setup_rate_and_times_are_read_from_the_log() -> None:
    """The rate asked for stands in the log; `None` states nothing."""
    run = given.only(given.text(LOG))
    assert run.where == {"num_prompts": 100, "request_rate": 4}
    assert run.setup["hardware.gpu"] == "NVIDIA H200"
    assert run.setup["precision"] == "bfloat16"
    assert "both.kv_dtype" not in run.setup
    assert (run.started, run.ended) == ("2026-03-02T09:15:20", "2026-03-02T09:15:45")


def test_the_issue_rate_is_no_rate() -> None:
    """It is neither a load point nor a number of the run, and is said."""
    run = given.only(given.text(OLD))
    assert "request_rate" not in run.where
    assert any("Issue Rate" in said for said in run.not_understood)


def test_the_one_throughput_of_old_versions_counts_output_tokens() -> None:
    """Requests per second times length agree with it; where they do not, its meaning is not known."""
    other = OLD.replace("50.0000\n", "750.0000\n")
    assert [_meaning(text) for text in (OLD, other)] == [["trtllm-bench.output_throughput"], [None]]


def _meaning(text: str) -> list[str | None]:
    return [p.definition for p in given.only(given.text(text)).points if p.metric == "output_throughput"]


def test_two_overviews_are_two_runs() -> None:
    """With their own engine details."""
    runs = given.text(OLD + OLD.replace("TP Size:\t\t8", "TP Size:\t\t4")).runs
    assert [run.setup["both.tp"] for run in runs] == [8, 4]


@pytest.mark.parametrize("missing", ["engine", "world_info", "performance"])
def test_other_json_is_no_report(missing: str) -> None:
    """All four tables are needed."""
    assert given.names(json.dumps({key: value for key, value in REPORT.items() if key != missing})) == []


def test_a_report_of_no_requests_has_no_numbers() -> None:
    """Zeros that come of nothing are not measurements."""
    empty = REPORT | {"request_info": {"num_requests": 0, "avg_input_length": 0.0}}
    run = given.only(given.record(empty))
    assert (run.points, run.requests.sent) == ((), 0)


def test_members_of_other_types_are_said() -> None:
    """No member breaks the import."""
    odd = REPORT | {"performance": [1], "engine": {"model": ["x"], "version": 1.0}}
    run = given.only(given.record(odd))
    assert any("performance: a table expected" in said for said in run.not_understood)
    assert "model" not in run.setup


def test_a_cut_log_loses_its_last_number() -> None:
    """A throughput that lost digits would be silently wrong."""
    cut = OLD[: OLD.index("50.0000") + 2]
    assert given.value(given.only(given.text(cut)), "output_throughput", "value") is None
