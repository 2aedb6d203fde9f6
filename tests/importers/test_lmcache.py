"""LMCache's benchmarks: engine console and summary, scripts, tables of requests."""

from __future__ import annotations

import json

import pytest

from tests.importers import given

FIXTURES = given.FIXTURES
CONSOLE = (FIXTURES / "lmcache-bench" / "console.txt").read_text(encoding="utf-8")
SUMMARY = json.loads((FIXTURES / "lmcache-bench" / "bench_summary.json").read_text(encoding="utf-8"))
LONG_DOC = (FIXTURES / "lmcache-scripts" / "long_doc_qa.log").read_text(encoding="utf-8")
MULTI = (FIXTURES / "lmcache-scripts" / "multi_round_qa.log").read_text(encoding="utf-8")
REQUESTS = (FIXTURES / "lmcache-requests" / "bench_results.csv").read_text(encoding="utf-8")


def test_the_summary_is_in_ms_and_not_of_vllm() -> None:
    """`mean_ttft_ms` alone identifies nobody."""
    run = given.only(given.record(SUMMARY))
    assert run.importer == "lmcache-bench"
    assert (given.value(run, "ttft"), given.value(run, "e2el", "p99")) == (250.5, 3900.5)
    assert given.value(run, "input_tokens") == 10000
    assert run.where == {"dataset": "long-doc-qa"}


def test_a_run_without_success_has_no_numbers() -> None:
    """All its statistics are 0."""
    zeros = dict.fromkeys(SUMMARY["results"], 0.0) | {"successful_requests": 0, "failed_requests": 40}
    run = given.only(given.record(SUMMARY | {"results": zeros}))
    assert run.points == ()
    assert (run.requests.sent, run.requests.failed) == (40, 40)


def test_with_failures_there_is_no_mean_length() -> None:
    """The console's totals count failed requests too."""
    run = given.only(given.text(CONSOLE))
    assert given.value(run, "ttft", "p90") == 180.0
    assert given.value(run, "input_tokens") is None


def test_rounds_are_runs_cold_and_warm() -> None:
    """Colours are dropped, seconds become ms."""
    cold, warm = given.text(LONG_DOC).runs
    assert (cold.where["cache"], given.value(cold, "ttft")) == ("cold", 1250)
    assert (warm.where["cache"], given.value(warm, "ttft")) == ("warm", 75)
    assert given.value(warm, "duration", "value") == 3.125


def test_a_mean_with_requests_without_output_is_left_out() -> None:
    """They stand in it as 0."""
    text = LONG_DOC + "Query round successful prompt count: 38\n"
    warm = given.text(text).runs[1]
    assert given.value(warm, "ttft") is None
    assert warm.requests.failed == 2
    assert any("38 of 40 succeeded" in said for said in warm.not_understood)


def test_the_summary_of_a_conversation_benchmark() -> None:
    """The rate asked for is the load point, what was processed a number."""
    run = given.only(given.text(MULTI))
    assert run.tool == "LMCache multi-round-qa.py"
    assert run.where == {"request_rate": 2.0}
    assert (given.value(run, "ttft"), given.value(run, "request_throughput", "value")) == (312.5, 1.95)


def test_a_cut_summary_says_so() -> None:
    """Lines below the cut are missing, not zero."""
    run = given.only(
        given.text(
            MULTI[: MULTI.index("Output tokens per second")] + "Average generation throughput (per request): 4\n"
        )
    )
    assert "the summary is not whole" in run.not_understood


def test_requests_one_by_one_give_what_the_tool_prints_of_them() -> None:
    """Mean, smallest, largest; a failed request is counted and not averaged."""
    run = given.only(given.text(REQUESTS))
    assert [given.value(run, "ttft", stat) for stat in ("mean", "min", "max")] == [pytest.approx(875 / 3), 125, 500]
    assert (run.requests.sent, run.requests.completed, run.requests.failed) == (4, 3, 1)
    assert run.detail["ttft"].count == 3
    assert run.facts["statistics"] == "computed here from the requests"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("r-4,True,0.5\n", "3 cells under 11 columns"),
        ("r-4,True,x,1,1,1,1,1,1,1,\n", "ttft of request 5: 'x' is no number"),
    ],
)
def test_rows_that_do_not_fit_are_said(row: str, said: str) -> None:
    """And the others are kept."""
    run = given.only(given.text(REQUESTS + row))
    assert any(said in each for each in run.not_understood)
    assert given.value(run, "ttft", "max") == 500


@pytest.mark.parametrize("text", ["a,ttft\n1,0.5\n2,0.5\n", "Mean TTFT (ms): 3\n", '{"results": {"mean_ttft_ms": 3}}'])
def test_other_texts_are_not_lmcaches(text: str) -> None:
    """One label in common is not enough."""
    assert not [name for name in given.names(text) if name.startswith("lmcache")]


def test_a_last_request_that_was_cut_is_left_out() -> None:
    """Its numbers may have lost digits."""
    run = given.only(given.text(REQUESTS[: REQUESTS.rindex("0.5,2.75") + 2]))
    assert (run.requests.sent, given.value(run, "ttft", "max")) == (3, 250)
    assert any("last row has no line end" in said for said in run.not_understood)


def test_rows_that_all_misfit_are_no_run() -> None:
    """A run of nothing would look like one without failures."""
    text = REQUESTS.splitlines()[0] + "\nr-0,True,0.25,2.5,1000,100,44.0,10.0,10.25,12.5\n"
    assert "without a row" in given.text(text).declined[0].why
