"""GenAI-Perf: thousands separators, two tables in one file, units in names, both shapes of its arguments."""

from __future__ import annotations

from typing import Any

import pytest

from . import given

FOLDER = given.FIXTURES / "genai-perf"


def test_the_table_reads_thousands_separators_and_stops_at_the_gpus() -> None:
    """Numbers as written, rounded to two digits."""
    run = given.only(given.file(FOLDER / "profile_export_genai_perf.csv"))
    assert given.value(run, "ttft") == 1204.5
    assert given.value(run, "ttft", "max") == 4000.0
    assert given.value(run, "e2el", "p95") == 9046.58
    assert given.value(run, "input_tokens") == 3000.05
    assert given.value(run, "output_throughput", "value") == 261.25
    assert given.value(run, "output_throughput_per_user") == 32.95
    assert run.requests.completed == 40
    assert not [point for point in run.points if "gpu" in point.metric]
    assert run.not_understood == ()


def test_the_export_reads_its_arguments() -> None:
    """Stimulus, synthetic tokens and limits of the later shape."""
    run = given.only(given.file(FOLDER / "profile_export_genai_perf.json"))
    assert given.value(run, "ttft") == 1146.3125
    assert given.value(run, "itl", "p99") == 35.23
    assert run.where == {"concurrency": 10, "input_tokens": 3000, "output_tokens": 175}
    assert run.setup == {"model": "some/model-8b", "slo.ttft": 2000.0}


def test_the_earlier_arguments_are_flat() -> None:
    """As the command line named them."""
    config = {"model": ["m"], "concurrency": 4, "synthetic_input_tokens_mean": 550, "output_tokens_mean": 150}
    made = {"request_latency": {"unit": "ms", "avg": 12.5}, "input_config": config}
    run = given.only(given.record(made))
    assert run.where == {"concurrency": 4, "input_tokens": 550, "output_tokens": 150}
    assert run.setup == {"model": "m"}


@pytest.mark.parametrize(
    ("header", "cell", "value"),
    [
        ("Time To First Token (ms)", "23.94", 23.94),
        ("Time To First Token (ns)", '"23,940,000"', 23.94),
        ("Time To First Token (us)", "23940", 23.94),
        ("Time To First Token", "23.94", None),
        ("Time To First Token (parsecs)", "23.94", None),
        ("Time To First Token (ms)", "N/A", None),
        ("Time To First Token (ms)", "fast", None),
    ],
)
def test_the_unit_stands_in_the_name(header: str, cell: str, value: float | None) -> None:
    """A time without a unit is not guessed."""
    run = given.only(
        given.text(f"Metric,avg,min,max,p99\n{header},{cell},N/A,N/A,N/A\n\nMetric,Value\nRequest Count,3\n")
    )
    assert given.value(run, "ttft") == value
    assert bool(run.not_understood) == (value is None and cell != "N/A")


def test_lengths_without_a_unit_are_tokens() -> None:
    """As older versions write them."""
    run = given.only(given.text("Metric,avg,min,max,p99\nOutput Sequence Length,511.90,505.00,516.00,515.91\n"))
    assert given.value(run, "output_tokens") == 511.9


def test_a_goodput_that_it_could_not_judge_is_missing() -> None:
    """It writes -1."""
    run = given.only(given.text("Metric,avg,min,max,p99\nx,1,1,1,1\n\nMetric,Value\nRequest Goodput (per sec),-1.00\n"))
    assert given.point(run, "goodput", "value") is None
    assert "could not judge" in run.not_understood[0]


def test_a_run_without_requests_has_no_numbers() -> None:
    """Whatever else stands in it."""
    text = (
        "Metric,avg,min,max,p99\nRequest Latency (ms),0.00,0.00,0.00,0.00\n\nMetric,Value\nRequest Count (count),0.00\n"
    )
    run = given.only(given.text(text))
    assert [point.metric for point in run.points] == ["completed"]


def test_raw_records_are_declined() -> None:
    """Nanoseconds of single requests."""
    got = given.text('{"experiments": [{"experiment": {"mode": "concurrency"}, "requests": []}], "version": "1"}')
    assert "perf_analyzer" in got.declined[0].why


@pytest.mark.parametrize(
    "text",
    [
        "Metric,avg,min,max,sum,p1,p99,std\nx,1,1,1,1,1,1,1\n",
        "Metric,Value\nx,1\n",
        '{"request_latency": {"unit": "ms", "avg": 1}, "input_config": {}, "was_cancelled": false}',
        '{"request_latency": {"unit": "ms", "avg": 1}}',
        '{"experiments": []}',
    ],
)
def test_what_is_not_genai_perf(text: str) -> None:
    """AIPerf's files and tables of strangers."""
    assert "genai-perf" not in given.names(text)


@pytest.mark.parametrize(
    "more",
    [
        {"time_to_first_token": [1]}, {"time_to_first_token": {"unit": 3, "avg": "x"}}, {"input_config": 5},
        {"request_count": {"unit": "count", "avg": -3}}, {"request_count": {"unit": "count", "avg": 2.5}},
    ],
)  # fmt: skip
def test_members_of_another_type_do_no_harm(more: dict[str, Any]) -> None:
    """The rest is read."""
    made = {"request_latency": {"unit": "ms", "avg": 12.5}, "input_config": {}}
    assert given.value(given.only(given.record(made | more)), "e2el") == 12.5
