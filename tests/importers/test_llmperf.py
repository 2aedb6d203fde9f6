"""llmperf summaries, forks and responses."""

from __future__ import annotations

import json

import pytest

from tests.importers import given

SUMMARY = json.loads((given.FIXTURES / "llmperf" / "summary.json").read_text(encoding="utf-8"))
BY_CONCURRENCY = (given.FIXTURES / "llmperf" / "by_concurrency.json").read_text(encoding="utf-8")
RESPONSES = (given.FIXTURES / "llmperf" / "individual_responses.json").read_text(encoding="utf-8")


def test_seconds_become_ms_exactly() -> None:
    """0.147 s is 147 ms, and ITL keeps its own definition, which includes TTFT."""
    run = given.only(given.record(SUMMARY))
    assert given.value(run, "ttft", "p50") == 147
    itl = given.point(run, "itl")
    assert itl is not None
    assert (itl.value, itl.definition) == (22, "llmperf.itl")


def test_lengths_may_be_texts() -> None:
    """Minimum and maximum are written in quotes."""
    run = given.only(given.record(SUMMARY))
    assert (given.value(run, "input_tokens", "min"), given.value(run, "input_tokens", "max")) == (440, 600)


def test_counts_and_load_are_those_of_the_file() -> None:
    """Asked lengths are the load point, a spread of 0 is none; errors are counted."""
    run = given.only(given.record(SUMMARY))
    assert run.where == {"input_tokens": 512, "output_tokens": 64, "concurrency": 8, "input_tokens_std": 32}
    assert (run.requests.sent, run.requests.completed, run.requests.failed) == (100, 98, 2)
    assert given.value(run, "request_throughput", "value") == 5.3
    assert run.ended == "2025-06-15T15:06:40Z"


def test_a_user_in_an_address_is_hidden() -> None:
    """The API's address may carry one."""
    assert "secret" not in str(given.only(given.record(SUMMARY)).as_dict())


def test_an_unlikely_speed_of_a_request_is_left_out() -> None:
    """Files of 2023 hold a number that lengths and latencies contradict."""
    run = given.only(given.record(SUMMARY | {"results_request_output_throughput_token_per_s_mean": 0.5}))
    assert given.value(run, "output_throughput_per_user") is None
    assert any("tokens per second of a request" in said for said in run.not_understood)
    assert given.value(given.only(given.record(SUMMARY)), "output_throughput_per_user") == 45.5


def test_all_failed_gives_no_latencies() -> None:
    """NaN or zeros come of nothing."""
    failed = SUMMARY | {"results_num_completed_requests": 0, "results_number_errors": 100}
    assert given.only(given.record(failed)).points == ()


def test_summaries_filed_by_concurrency_are_runs() -> None:
    """In ms, as their keys say."""
    runs = given.text(BY_CONCURRENCY).runs
    assert [run.where["concurrency"] for run in runs] == [1, 8]
    assert [given.value(run, "ttft") for run in runs] == [150.5, 512.125]


def test_responses_one_by_one() -> None:
    """An error is counted; an answer without tokens puts no 0 into the time per token."""
    run = given.only(given.text(RESPONSES))
    assert (run.requests.sent, run.requests.failed) == (3, 1)
    assert [given.value(run, "ttft", stat) for stat in ("mean", "max")] == [375, 500]
    assert given.value(run, "itl") == 20


@pytest.mark.parametrize(
    "record",
    [
        {"results_ttft_s_mean": 1},
        {"1": {"concurrency": 1}, "2": {"concurrency": 2}},
        {"a": SUMMARY, "b": 1},
        {"ttft_s": 1, "error_code": None},
    ],
)
def test_other_json_is_not_recognised(record: dict[str, object]) -> None:
    """Half of the keys is not enough."""
    assert "llmperf" not in given.names(json.dumps(record))
