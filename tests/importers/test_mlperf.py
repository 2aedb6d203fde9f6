"""MLPerf summaries."""

from __future__ import annotations

import pytest

from tests.importers import given

FIXTURE = given.FIXTURES / "mlperf" / "mlperf_log_summary.txt"
TEXT = FIXTURE.read_text(encoding="utf-8")


def test_nanoseconds_are_shifted_not_multiplied() -> None:
    """2500000001 ns is 2500.000001 ms."""
    run = given.only(given.text(TEXT))
    assert given.value(run, "ttft") == 2500.000001
    assert given.value(run, "tpot", "p99_9") == 157.046729
    assert given.value(run, "e2el", "p50") == 31107.282906


def test_percentiles_without_a_name_here_are_left_out() -> None:
    """97.00 is none of ours, and is not taken for another."""
    run = given.only(given.text(TEXT))
    assert {p.stat.value for p in run.points if p.metric == "e2el"} == {"min", "max", "mean", "p50", "p99", "p99_9"}


def test_a_run_that_is_not_valid_says_so() -> None:
    """With the limit that was missed."""
    run = given.only(given.text(TEXT))
    assert run.facts["result"] == "INVALID"
    assert "MLPerf calls this run INVALID: not met are Performance constraints satisfied" in run.not_understood


def test_limits_and_rate_of_a_server_run() -> None:
    """Limits in ms; the target is the rate asked for, the scheduled one a fact."""
    run = given.only(given.text(TEXT))
    assert run.setup == {"slo.ttft": 2000, "slo.tpot": 200}
    assert run.where == {"scenario": "Server", "request_rate": 10.5}
    assert run.facts["scheduled_samples_per_second"] == 10.75


def test_offline_sends_all_at_once() -> None:
    """Its target is no rate of arrival, its printed limits do not count, and latencies of hours are kept."""
    text = TEXT.replace("Scenario : Server", "Scenario : Offline").replace("196445828", "16860026492051")
    run = given.only(given.text(text))
    assert run.where == {"scenario": "Offline", "request_rate": "inf", "num_prompts": 1}
    assert run.setup == {}
    assert given.value(run, "e2el", "min") == 16860026.492051


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TEXT.replace("PerformanceOnly", "AccuracyOnly"), "mode AccuracyOnly"),
        ("\nResults\n\n{'rouge1': 44.5, 'gen_tok_len': 7157992}\nhash=6d9daf9d8a14\n", "accuracy scores"),
        (':::MLLOG {"key": "loadgen_version", "value": "4.1"}\n', "log of events"),
        ('[{"seq_id": 0, "qsl_idx": 3, "data": "AAAA"}]', "accuracy scores"),
        ('{"accelerator_model_name": "X", "accelerators_per_node": 8, "system_name": "Y"}', "setup, no results"),
    ],
)
def test_what_holds_no_performance_is_declined(text: str, words: str) -> None:
    """With a sentence that says what it is."""
    got = given.text(text)
    assert got.runs == ()
    assert words in got.declined[0].why


def test_zero_latencies_are_no_measurements() -> None:
    """A run without samples prints zeros."""
    run = given.only(given.text(TEXT.replace("2500000001", "0").replace("10.25", "0")))
    assert given.value(run, "ttft") is None
    assert given.value(run, "request_throughput", "value") is None


def test_a_cut_last_line_is_not_read() -> None:
    """A number may have lost its last digits."""
    cut = TEXT[: TEXT.index("Mean First Token latency") + len("Mean First Token latency (ns)               : 25000")]
    run = given.only(given.text(cut))
    assert given.value(run, "ttft") is None
    assert any("last line may be cut" in said for said in run.not_understood)
