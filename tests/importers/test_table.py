"""Tables by header and by mapping."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.importers import read
from kb.importers.run import Imported
from kb.importers.table.columns import Column
from kb.importers.table.headers import inferred
from tests.importers import given

BY_HAND = (given.FIXTURES / "table" / "by_hand.csv").read_text(encoding="utf-8")
ON_ITS_SIDE = (given.FIXTURES / "table" / "on_its_side.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("header", "column"),
    [
        ("ttft_p50_ms", Column(metric="ttft", stat="p50", unit="ms")),
        ("TTFT_p99_ms", Column(metric="ttft", stat="p99", unit="ms")),
        ("Mean TTFT (ms)", Column(metric="ttft", stat="mean", unit="ms")),
        ("mean_e2e_ms", Column(metric="e2el", stat="mean", unit="ms")),
        ("P95 ITL (s)", Column(metric="itl", stat="p95", unit="s")),
        ("req/s", Column(metric="request_throughput", unit="req/s")),
        ("out_tok/s", Column(metric="output_throughput", unit="tok/s")),
        ("Total Token throughput (tok/s)", Column(metric="total_throughput", unit="tok/s")),
        ("request_throughput_per_s", Column(metric="request_throughput", unit="req/s")),
        ("total_token_throughput_tok_per_s", Column(metric="total_throughput", unit="tok/s")),
        ("isl_median", Column(metric="input_tokens", stat="p50", unit="count")),
        ("Benchmark duration (s)", Column(metric="duration", unit="s")),
        ("Concurrency", Column(where="concurrency")),
        ("isl", Column(where="input_tokens")),
        ("completed", Column(requests="completed")),
        ("Total generated tokens", Column(total="output_tokens")),
        # nothing of what a header leaves open is guessed
        ("ttft", Column()),
        ("ttft_ms", Column()),
        ("mean_ttft", Column()),
        ("p50_p99_ttft_ms", Column()),
        ("decode_ms_avg", Column()),
        ("out_tput", Column()),
        ("throughput", Column()),
        ("throughput (tok/s)", Column()),
        ("tok/s", Column()),
        ("output throughput (req/s)", Column()),
        ("Peak output token throughput (tok/s)", Column()),
        ("success rate", Column()),
        ("interactivity_tok_s", Column()),
        ("wall_s", Column()),
        ("ttft (%)", Column()),
    ],
)
def test_only_what_a_header_says_outright_is_read(header: str, column: Column) -> None:
    """Metric, statistic and unit, or a key of the load point."""
    assert inferred(header) == column


def test_rows_are_runs() -> None:
    """Words tell rows apart, a rate may be inf, thousands have separators, and other numbers are said."""
    first, second = given.text(BY_HAND).runs
    assert second.where == {"profile": "short", "request_rate": "inf"}
    assert given.value(second, "output_throughput", "value") == 1737.5
    assert given.value(first, "input_tokens", "p50") == 512
    assert {point.definition for point in first.points} == {None}
    assert first.not_understood == ("column temperature: not named by its header or a mapping",)


def test_a_table_on_its_side_is_read_by_column() -> None:
    """An empty count is unknown, a latency of 0 too; means of lengths come from the totals."""
    push, pull = given.text(ON_ITS_SIDE).runs
    assert (push.where, pull.where) == ({"column": "push"}, {"column": "pull"})
    assert (push.requests.failed, pull.requests.failed) == (0, None)
    assert given.value(push, "input_tokens") == 10279
    assert given.value(pull, "ttft") is None
    assert "column Mean TTFT (ms): 0 is no latency, taken as unknown" in pull.not_understood


def test_titles_that_are_alike_are_told_apart_by_place() -> None:
    """Two arms under one title stay two runs."""
    runs = given.text(ON_ITS_SIDE.replace("push,pull", "10,10 ").replace("10,10 ", "c 10,c 10")).runs
    assert [run.where["column"] for run in runs] == ["c 10 (1)", "c 10 (2)"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BY_HAND + "medium,1\n", "row 3: 2 cells under 9 columns"),
        (BY_HAND.replace("rate,", "isl_median,"), "column isl_median: stands twice"),
        (BY_HAND.replace("248.5,", "many,"), "ttft p50: 'many' is no number of a result"),
        (BY_HAND.rstrip("\n"), "the last line has no line end"),
    ],
)
def test_what_does_not_fit_is_said(text: str, said: str) -> None:
    """And never shifted into other columns."""
    assert any(said in each for run in given.text(text).runs for each in run.not_understood)


def test_without_a_metric_a_mapping_is_proposed() -> None:
    """The file to write is named and shown, with ? for what the header leaves open."""
    got = given.text("label,conc,tput\na,1,3.5\nb,2,4.5\n", "folder/runs.csv")
    why = got.declined[0].why
    assert "say which is which in table.mapping.yaml beside it" in why
    assert "  conc: {where: concurrency}\n" in why
    assert '  tput: {metric: "?", stat: "?", unit: "?"}' in why


MAPPING = """
tool: my-bench
tool_version: "1.10"
columns:
  label: {arm: true}
  conc: {where: concurrency}
  tput: {metric: output_throughput, unit: tok/s, definition: vllm-bench.output_throughput}
  first: {metric: ttft, stat: p99, unit: s}
  ok: {requests: completed}
  net: {setup: hardware.interconnect}
  note: skip
constant:
  where: {input_tokens: 1024}
  setup: {model: example/model}
"""
TABLE = "label,conc,tput,first,ok,net,note\na,1,3.5,0.147,8,EFA,1\nb,2,4.5,0.25,8,EFA,2\n"


def imported(folder: Path, table: str, mapping: str, name: str = "runs.mapping.yaml") -> Imported:
    (folder / "runs.csv").write_text(table, encoding="utf-8")
    (folder / name).write_text(mapping, encoding="utf-8")
    return read([str(folder / "runs.csv")])


@pytest.mark.parametrize("name", ["runs.mapping.yaml", "mapping.yaml"])
def test_a_mapping_beside_the_table_says_the_rest(tmp_path: Path, name: str) -> None:
    """Metric, statistic, unit, definition, load, setup, arm, counts; units are converted."""
    run = imported(tmp_path, TABLE, MAPPING, name).runs[0]
    assert (run.tool, run.tool_version) == ("my-bench", "1.10")
    assert run.where == {"input_tokens": 1024, "concurrency": 1}
    assert run.setup == {"model": "example/model", "hardware.interconnect": "EFA"}
    assert run.facts == {"arm": "a"}
    assert run.requests.completed == 8
    assert given.value(run, "ttft", "p99") == 147
    point = given.point(run, "output_throughput", "value")
    assert point is not None
    assert (point.value, point.definition) == (3.5, "vllm-bench.output_throughput")
    assert run.not_understood == ()


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("metric: ttft", 'metric: "?"', "columns.first.metric is still '?'"),
        ("stat: p99", "stat: p42", "columns.first.stat is 'p42'"),
        ("unit: s}", "unit: tok/s}", "columns.first.unit 'tok/s' is not convertible into ms"),
        (", unit: s}", "}", "columns.first.unit is missing; ttft is kept in ms"),
        ("{metric: ttft", "{metrik: ttft", 'columns.first.metrik is not known (did you mean "metric"?)'),
        ("{where: concurrency}", "{where: concurrency, fact: c}", "columns.conc says none or several"),
        ("hardware.interconnect", "hardware.interconect", 'is no setup key (did you mean "hardware.interconnect"?)'),
        ("completed", "finished", "it may be sent, completed or failed"),
        ("columns:", "colums:", 'colums is not known (did you mean "columns"?)'),
        ("{arm: true}", "[1]", "columns.label is no table"),
        (MAPPING, "- 1\n", "it is no table"),
        (MAPPING, "a: [", "cannot be read"),
    ],
)
def test_a_wrong_mapping_is_said_not_guessed(tmp_path: Path, before: str, after: str, said: str) -> None:
    """Everything that is wrong in it, with the nearest word."""
    got = imported(tmp_path, TABLE, MAPPING.replace(before, after))
    assert got.runs == ()
    assert said in got.declined[0].why


def test_a_mapping_for_other_columns_is_said(tmp_path: Path) -> None:
    """One mapping of a folder may name more than a table has."""
    run = imported(tmp_path, TABLE.replace("note", "notes"), MAPPING).runs[0]
    assert "the mapping's column 'note' is not in this table" in run.not_understood
    assert "column notes: not named by its header or a mapping" in run.not_understood


def test_a_mapping_file_holds_no_results(tmp_path: Path) -> None:
    """A folder with one imports without a wrong complaint."""
    (tmp_path / "mapping.yaml").write_text(MAPPING, encoding="utf-8")
    assert "mapping file of a table" in read([str(tmp_path)]).declined[0].why


@pytest.mark.parametrize("text", ["Dear all, hello,\nthis is, a letter.\n", "1,2,3\n4,5,6\n", "a,b\nx,y\n"])
def test_other_texts_are_no_tables_of_results(text: str) -> None:
    """A header without numbers below, or numbers without a header."""
    assert "table" not in given.names(text)


def test_a_table_of_another_tool_is_left_to_it() -> None:
    """The fallback is asked last."""
    csv = (given.FIXTURES / "vllm-table" / "summary.csv").read_text(encoding="utf-8")
    assert given.names(csv) == ["vllm-table"]


def test_many_rows_are_read_to_the_end(tmp_path: Path) -> None:
    """More rows than are looked at for the header."""
    rows = "".join(f"short,{n},{n}.5,{n}.25,1,2,3,512,0.7\n" for n in range(1, 3001))
    (tmp_path / "long.csv").write_text(BY_HAND.splitlines()[0] + "\n" + rows, encoding="utf-8")
    runs = read([str(tmp_path)]).runs
    assert [len(runs), runs[-1].where["request_rate"], given.value(runs[-1], "request_throughput", "value")] == [
        3000,
        3000,
        3000.5,
    ]
