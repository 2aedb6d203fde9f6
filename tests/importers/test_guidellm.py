"""GuideLLM: layouts, definitions by version, groups of nothing, tables whose rows stand under the wrong header."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from kb.importers.fields import Fields
from kb.importers.guidellm import load

from . import given

FOLDER = given.FIXTURES / "guidellm"


def v05() -> Any:
    """The report of 0.5.4 with two members."""
    return json.loads((FOLDER / "v0.5.4.json").read_text())


@pytest.mark.parametrize(
    ("name", "version", "definition", "ttft", "tpot", "itl"),
    [
        ("v0.2.1.json", ">=0.2,<0.3", "guidellm.tpot-0.2", 104.87947861353555, 19.890325764815014, 21.216347482469345),
        ("v0.5.4.json", "0.5.4", "guidellm.tpot", 104.47041193644205, 25.85893372694651, 20.618168512980144),
        ("v0.8.1.json", "0.8.1", "guidellm.tpot", 103.12275091807048, 26.078647623459496, 20.94237407048543),
    ],
)  # fmt: skip
def test_the_truth_per_definition(
    name: str, version: str, definition: str, ttft: float, tpot: float, itl: float
) -> None:
    """TTFT 100 ms, 20 ms per token, 16 tokens: TPOT is 25 from 0.4 on, because the first token's wait is in it."""
    run = given.file(FOLDER / name).runs[0]
    assert run.tool_version == version
    assert (given.value(run, "ttft"), given.value(run, "itl")) == (ttft, itl)
    found = given.point(run, "tpot")
    assert found is not None
    assert (found.value, found.definition) == (tpot, definition)
    truth = 25 if definition == "guidellm.tpot" else 20
    assert abs(tpot - truth) < 1.5
    assert abs(itl - 20) < 1.5


def test_every_member_of_a_sweep_is_a_run() -> None:
    """Two concurrencies, two runs, each with what was asked for."""
    got = given.file(FOLDER / "v0.5.4.json")
    assert [(run.record, run.where["concurrency"], run.stage) for run in got.runs] == [
        (1, 2, "concurrent@2"),
        (2, 4, "concurrent@4"),
    ]
    assert got.runs[1].where["input_tokens"] == 32
    assert got.runs[1].where["num_prompts"] == 12
    assert got.runs[0].setup == {"model": "mock-model"}


def test_request_latency_is_in_seconds_beside_milliseconds() -> None:
    """0.4185037612915039 s is 418.5037612915039 ms, shifted in decimal."""
    run = given.file(FOLDER / "v0.5.4.json").runs[0]
    assert given.value(run, "e2el") == 414.21031951904297
    assert given.value(run, "e2el", "p99") == 418.5037612915039


def test_rates_have_a_mean_only() -> None:
    """Their percentiles are momentary rates."""
    run = given.file(FOLDER / "v0.5.4.json").runs[0]
    rates = [
        point for point in run.points if point.metric in {"output_throughput", "request_throughput", "concurrency"}
    ]
    assert {point.stat.value for point in rates} == {"mean"}
    assert given.value(run, "output_throughput") == 80.49912139397424


def test_the_smallest_percentiles_are_not_taken_for_others() -> None:
    """p001 is 0.1 % and p999 is 99.9 %."""
    made = v05()
    percentiles = made["benchmarks"][0]["metrics"]["time_to_first_token_ms"]["successful"]["percentiles"]
    percentiles |= {"p001": 1.5, "p01": 2.5, "p999": 999.5}
    run = given.record(made).runs[0]
    ttft = {point.stat.value: point.value for point in run.points if point.metric == "ttft"}
    assert ttft["p99_9"] == 999.5
    assert 1.5 not in ttft.values()
    assert 2.5 not in ttft.values()


def test_a_group_of_nothing_is_missing_though_it_is_all_zeros() -> None:
    """count 0 says so."""
    made = v05()
    group = made["benchmarks"][0]["metrics"]["time_to_first_token_ms"]["successful"]
    for key in group:
        group[key] = dict.fromkeys(group[key], 0.0) if isinstance(group[key], dict) else 0
    run = given.record(made).runs[0]
    assert given.point(run, "ttft") is None
    assert given.value(run, "itl") == 20.618168512980144


def test_a_member_in_which_all_failed_has_no_numbers() -> None:
    """Only the counts and the duration are left."""
    made = v05()
    made["benchmarks"][0]["metrics"]["request_totals"] = {"successful": 0, "errored": 12, "incomplete": 0, "total": 12}
    run = given.record(made).runs[0]
    assert {point.metric for point in run.points} == {"duration", "completed", "failed"}
    assert (run.requests.sent, run.requests.completed, run.requests.failed) == (12, 0, 12)


def test_requests_cut_off_at_the_end_are_no_failures() -> None:
    """They are counted apart."""
    made = v05()
    made["benchmarks"][0]["metrics"]["request_totals"] = {"successful": 10, "errored": 0, "incomplete": 2, "total": 12}
    run = given.record(made).runs[0]
    assert run.requests.failed == 0
    assert run.facts["incomplete_requests"] == 2


@pytest.mark.parametrize(
    ("strategy", "where", "stage"),
    [
        ({"type_": "synchronous"}, {"concurrency": 1}, "synchronous"),
        ({"type_": "concurrent", "streams": 8}, {"concurrency": 8}, "concurrent@8"),
        ({"type_": "throughput", "max_concurrency": 512}, {"request_rate": "inf"}, "throughput"),
        ({"type_": "constant", "rate": 2.5, "max_concurrency": 512}, {"request_rate": 2.5}, "constant@2.5"),
        ({"type_": "poisson", "rate": 4.0}, {"request_rate": 4, "burstiness": 1}, "poisson@4"),
        ({}, {}, None),
    ],
)
def test_what_was_asked_for(strategy: dict[str, Any], where: dict[str, Any], stage: str | None) -> None:
    """The client's own ceiling of an open loop is no concurrency that was asked for."""
    asked = load.of_strategy(Fields(strategy))
    assert (asked.where, asked.stage) == (where, stage)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ("prompt_tokens=128,output_tokens=64", {"dataset": "synthetic", "input_tokens": 128, "output_tokens": 64}),
        ('{"prompt_tokens":32,"output_tokens":16}', {"dataset": "synthetic", "input_tokens": 32, "output_tokens": 16}),
        (['{"prompt_tokens":32}'], {"dataset": "synthetic", "input_tokens": 32}),
        ([{"kind": "synthetic_text", "prompt_tokens": 8}], {"dataset": "synthetic", "input_tokens": 8}),
        ("someone/some-dataset", {"dataset": "someone/some-dataset"}),
        ("{broken", {"dataset": "{broken"}),
        (None, {}),
        (7, {}),
    ],
)
def test_what_the_data_says(data: Any, where: dict[str, Any]) -> None:
    """Lengths are written in four ways."""
    assert load.of_data(data) == where


def test_the_yaml_of_a_report_reads_as_its_json() -> None:
    """The same numbers come of both."""
    yaml = pytest.importorskip("yaml")
    made = v05()
    run, same = given.record(made).runs[0], given.text(yaml.safe_dump(made)).runs[0]
    assert run.points == same.points
    assert run.where == same.where


def test_0_1_keeps_requests_and_no_statistics() -> None:
    """Counts and what was asked for; nothing is computed."""
    result = {"first_token_time": 0.1, "start_time": 1.0, "end_time": 1.5, "output_token_count": 4}
    made = {
        "args": {"model": "m", "target": "http://user:secret@host:1/v1"},
        "benchmarks": [
            {"mode": "asynchronous", "rate": 2.0, "results": [result, result], "errors": [{}], "concurrencies": []}
        ],
    }
    run = given.only(given.record(made))
    assert run.points == ()
    assert (run.requests.completed, run.requests.failed) == (2, 1)
    assert run.where == {"request_rate": 2.0}
    assert run.detail["ttft"].count == 2
    assert "secret" not in json.dumps(run.as_dict())
    assert "no statistics" in run.not_understood[0]


# tables


def test_a_table_of_0_2_unpacks_its_cells() -> None:
    """min, 0.1, 1, 5, 10, 25, 75, 90, 95, 99, max share a cell."""
    run = given.only(given.file(FOLDER / "v0.2.1.csv"))
    ttft = {point.stat.value: point.value for point in run.points if point.metric == "ttft"}
    assert ttft["min"] == 102.94198989868164
    assert ttft["p75"] == 104.98476028442383
    assert ttft["p90"] == 105.3476333618164
    assert ttft["max"] == 106.62269592285156
    assert given.value(run, "e2el") == 417.8768793741862
    found = given.point(run, "tpot")
    assert found is not None
    assert found.definition == "guidellm.tpot-0.2"
    assert run.where == {
        "concurrency": 4,
        "dataset": "synthetic",
        "input_tokens": 32,
        "output_tokens": 16,
        "num_prompts": 12,
    }


def table(rows: list[list[str]], *, extra: tuple[str, ...] = ()) -> str:
    """A table with three header rows; `extra` cells stand before the throughput, as an omitted group shifts it."""
    header = [
        ("Run Info", "Run ID", ""), ("Run Info", "Run Index", ""), ("Benchmark", "Strategy", ""),
        ("Timings", "Duration", "Sec"), ("Request Counts", "Successful", ""), ("Request Counts", "Total", ""),
        ("Time to First Token", "Successful ms", "Mean"),
        *[(group, f"{group} {n}", "") for group in extra for n in range(4)],
        ("Server Throughput", "Successful Requests/Sec", "Mean"),
    ]  # fmt: skip
    out = io.StringIO()
    csv.writer(out).writerows([*zip(*header, strict=True), *rows])
    return out.getvalue()


def test_a_row_that_does_not_fit_the_header_of_the_first_is_not_believed() -> None:
    """GuideLLM to 0.6 leaves groups of nothing out of a row; what follows them stands under another name."""
    text = table(
        [
            ["a", "0", "synchronous", "10.0", "20", "20", "101.5", "2.0"],
            ["a", "1", "throughput", "10.0", "500", "600", "400.5", "50.0"],
            ["a", "2", "constant", "10.0", "300", "300", "105.5", "20.9"],
            ["a", "3", "constant", "10.0", "400", "400", "133.5", "40.0", "1.0", "1.0"],
        ]
    )
    got = given.text(text)
    assert [given.value(run, "ttft") for run in got.runs] == [101.5, 400.5, None, None]
    assert [run.requests.completed for run in got.runs] == [20, 500, 300, 400]
    assert all("import the JSON" in run.not_understood[0] for run in got.runs[2:])
    assert not got.runs[0].not_understood


@pytest.mark.parametrize(
    "text",
    [
        "Type,Run,Id,Name\n1,2,3,4\n",
        "Metric,avg,min,max,std\nx,1,2,3,4\n",
        '{"benchmarks": []}',
        '{"benchmarks": [{"type_": "other", "metrics": {}}]}',
        '{"benchmarks": {"type_": "generative_benchmark"}}',
        "<html><body>some page</body></html>",
    ],
)
def test_what_is_not_guidellm(text: str) -> None:
    """Shapes that come near."""
    assert "guidellm" not in given.names(text)


def test_its_page_is_declined_with_what_to_give_instead() -> None:
    """The page holds numbers for drawing."""
    got = given.text("<!DOCTYPE html>\n<html><head><title>GuideLLM</title></head></html>")
    assert "benchmarks.json" in got.declined[0].why


@pytest.mark.parametrize(
    "damage",
    [
        lambda made: made["benchmarks"][0].update(metrics=[1, 2]),
        lambda made: made["benchmarks"][0]["metrics"].update(time_to_first_token_ms="fast"),
        lambda made: made["benchmarks"][0]["metrics"]["request_latency"].update(successful=None),
        lambda made: made["benchmarks"][0].update(config="none", duration="long", start_time="yesterday"),
        lambda made: made.update(metadata=3, args=["x"]),
        lambda made: made["benchmarks"].append(7),
        lambda made: made["benchmarks"][0].update(start_time=1e300),
    ],
)
def test_members_of_another_type_are_said(damage: Any) -> None:
    """Whatever stands in the place of a table, no value is made up and nothing breaks."""
    made = v05()
    damage(made)
    got = given.record(made)
    assert got.runs or got.declined
    for run in got.runs:
        assert all(isinstance(point.value, int | float) for point in run.points)
