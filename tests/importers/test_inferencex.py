"""InferenceX aggregates and API rows."""

from __future__ import annotations

import json

import pytest

from kb.importers.run import Run
from tests.importers import given

ROWS = json.loads((given.FIXTURES / "inferencex" / "agg_bmk.json").read_text(encoding="utf-8"))


def runs(rows: object = ROWS) -> tuple[Run, ...]:
    return given.text(json.dumps(rows)).runs


def test_latencies_have_lost_their_suffix_and_are_seconds() -> None:
    """0.147 is 147 ms."""
    run = runs()[0]
    assert (given.value(run, "ttft"), given.value(run, "ttft", "p99_9"), given.value(run, "tpot")) == (147, 500, 12.5)


def test_interactivity_has_no_standard_deviation() -> None:
    """1 / std of TPOT means nothing; the mean is kept under its definition."""
    run = runs()[0]
    point = given.point(run, "output_throughput_per_user")
    assert point is not None
    assert (point.value, point.definition) == (80.0, "inferencex.output_throughput_per_user")
    assert given.value(run, "output_throughput_per_user", "std") is None
    assert any("std_intvty" in said for said in run.not_understood)


def test_rates_per_gpu_of_sides_have_definitions_of_their_own() -> None:
    """Per decode GPU is not per GPU."""
    together, apart, _ = (
        {p.metric: p.definition for p in run.points if p.metric.endswith("_per_gpu")} for run in runs()
    )
    assert together["output_throughput_per_gpu"] == "inferencex.output_throughput_per_gpu"
    assert apart["output_throughput_per_gpu"] == "inferencex.output_throughput_per_decode_gpu"
    assert apart["input_throughput_per_gpu"] == "inferencex.input_throughput_per_prefill_gpu"
    assert apart["total_throughput_per_gpu"] == together["total_throughput_per_gpu"]


def test_without_disagg_the_divisor_is_not_known() -> None:
    """And there is no topology."""
    row = {key: value for key, value in ROWS[0].items() if key != "disagg"}
    run = runs([row])[0]
    assert [p.definition for p in run.points if p.metric == "output_throughput_per_gpu"] == [None]
    assert "topology" not in run.setup


def test_sides_and_framework_become_setup() -> None:
    """Dynamo is the stack around its engine; a version in an image's tag is a suggestion."""
    together, apart, _ = runs()
    assert together.setup["both.tp"] == 8
    assert together.setup["both.speculative"] == "off"
    assert [(each.key, each.value) for each in together.suggestions if each.key == "engine.version"] == [
        ("engine.version", "0.13.0")
    ]
    assert (apart.setup["topology"], apart.setup["prefill.gpus"], apart.setup["decode.gpus"]) == ("1P1D", 4, 8)
    assert (apart.setup["stack.component"], apart.setup["engine.component"]) == ("dynamo", "tensorrt-llm")


def test_gpus_that_the_rates_contradict_are_not_believed() -> None:
    """Old rows put the whole machine on both sides: 36 and 36 where 4 and 32 were meant."""
    old = runs()[2]
    assert not [key for key in old.setup if key.endswith((".gpus", ".tp"))]
    assert any("do not agree with the rates per GPU" in said for said in old.not_understood)


def test_rows_filed_by_model_are_read() -> None:
    """The name they are filed under is the model."""
    run = runs({"Model-X": [ROWS[0]], "Model-Y": [ROWS[1]]})[1]
    assert (run.setup["model"], run.record) == ("Model-Y", 2)


@pytest.mark.parametrize(
    "record",
    [
        [{"model": "m", "isl": 1, "osl": 1, "hardware": "h100", "framework": "vllm", "date": "2025-10-19"}],
        [{"hardware": "h100", "task": "gsm8k", "metrics": {"em_strict": 0.9}}],
        [{"tput_per_gpu": 3.0}],
    ],
)
def test_other_rows_of_the_folder_are_not_results(record: list[dict[str, object]]) -> None:
    """What exists, and what it scored, is no throughput."""
    assert "inferencex" not in given.names(json.dumps(record))
    assert given.text(json.dumps(record)).runs == ()
