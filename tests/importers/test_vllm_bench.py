# ruff: noqa: E501  rows read better unbroken
"""`vllm bench serve` JSON of every age."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kb.importers import read, vllm_bench, vllm_offline
from kb.importers.run import Run
from kb.importers.source import of_text
from kb.importers.vllm_shape import writer
from kb.vocabulary import Statistic

FIXTURES = Path(__file__).parent / "fixtures"
WHOLE: dict[str, Any] = {
    "date": "20260601-120000", "endpoint_type": "openai", "backend": "openai", "label": None, "model_id": "org/model",
    "tokenizer_id": "org/model", "num_prompts": 200, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 8,
    "duration": 50.5, "completed": 200, "failed": 0, "total_input_tokens": 204800, "total_output_tokens": 25600,
    "request_throughput": 3.96, "request_goodput": None, "output_throughput": 506.9, "total_token_throughput": 4562.5,
    "mean_ttft_ms": 45.5, "median_ttft_ms": 43.5, "p99_ttft_ms": 61.25, "mean_tpot_ms": 8.5, "mean_itl_ms": 8.25,
}  # fmt: skip


def made(**changes: Any) -> Run:
    """The run of a whole result with some members changed; `...` takes one away."""
    record = {key: value for key, value in (WHOLE | changes).items() if value is not ...}
    [run] = vllm_bench.read(of_text(json.dumps(record)))
    return run


def fixture(name: str) -> list[Run]:
    return list(read([str(FIXTURES / "vllm-bench" / name)]).runs)


RECOGNISED = [
    json.dumps(WHOLE), json.dumps([WHOLE, WHOLE]), json.dumps(WHOLE) + "\n" + json.dumps(WHOLE),
    json.dumps({key: WHOLE[key] for key in ("num_prompts", "model_id", "request_throughput", "mean_ttft_ms")}),
    json.dumps({"num_prompts": 3, "model_id": "m", "request_throughput": 1, "p99_e2el_ms": 3}),
]  # fmt: skip
OTHERS = [
    json.dumps(WHOLE | {"server_info": {}}), json.dumps(WHOLE | {"mean_e2e_latency_ms": 3}), '{"mean_ttft_ms": 3.5}',
    '{"mean_ttft_ms": 3.5, "config": {}, "input_throughput": 3}', "{}", "[]", "3", "mean_ttft_ms: 3\nnum_prompts: 4\n",
    '{"model_id": "m", "num_prompts": 4, "request_throughput": 3}', "num_prompts,model_id\n3,m\n",
]  # fmt: skip


@pytest.mark.parametrize("text", RECOGNISED)
def test_recognised(text: str) -> None:
    """By what it holds, whatever it is called."""
    assert vllm_bench.recognises(of_text(text))


@pytest.mark.parametrize("text", OTHERS)
def test_not_recognised(text: str) -> None:
    """SGLang's, LMCache's, and what only looks alike."""
    assert not vllm_bench.recognises(of_text(text))


AGES = {
    "v0.10.2-chat-k1.json": (">0.8.5,<0.12.0", "vllm-bench.ttft-role-chunk", "vllm-bench.itl-role-chunk"),
    "v0.12.0-compl-rate20.json": (">0.10.2,<0.25.1", "vllm-bench.ttft", "vllm-bench.itl"),
    "v0.25.1-chat-k4.json": (">0.12.0,<0.33.0", "vllm-bench.ttft-role-chunk", "vllm-bench.itl-role-chunk"),
    "v0.33.0-chat-k4.json": (">0.25.1", "vllm-bench.ttft", "vllm-bench.itl"),
    "v0.33.0-detailed.json": (">0.25.1", "vllm-bench.ttft", "vllm-bench.itl"),
}


@pytest.mark.parametrize("name", AGES)
def test_age_and_definitions(name: str) -> None:
    """Which release wrote it is told by its keys; on chat the first chunk changed its meaning."""
    [run] = fixture(name)
    version, ttft, itl = AGES[name]
    assert run.tool_version == version
    definitions = {point.metric: point.definition for point in run.points}
    assert (definitions["ttft"], definitions["itl"], definitions["tpot"]) == (ttft, itl, "vllm-bench.tpot")


def test_old_chat_counts_the_first_text() -> None:
    """0.6 and forks of it wait for content."""
    run = made(endpoint_type=..., backend="openai-chat", best_of=1)
    assert {p.definition for p in run.points if p.metric == "ttft"} == {"vllm-bench.ttft-0.6"}
    assert {p.definition for p in run.points if p.metric == "itl"} == {"vllm-bench.itl"}


def test_an_unknown_endpoint_leaves_the_definition_open() -> None:
    """Neither flavour nor endpoint: what counts as first token is not known."""
    run = made(endpoint_type=None, backend=...)
    assert {p.definition for p in run.points if p.metric in {"ttft", "itl"}} == {None}


@pytest.mark.parametrize(
    ("keys", "tool"),
    [
        ({"backend", "best_of"}, "vllm benchmark_serving.py"), ({"backend"}, "vllm benchmark_serving.py"),
        ({"benchmark_start_time_unix", "best_of"}, "InferenceX benchmark_serving.py"),
        ({"endpoint_type", "request_goodput:"}, "vllm bench serve"),
    ],
)  # fmt: skip
def test_writer(keys: set[str], tool: str) -> None:
    """Script, command or fork."""
    assert writer(keys).tool == tool


def test_the_colon_inside_the_key() -> None:
    """`request_goodput:` is goodput; times of the fork are UTC; p50 beside the median is the same number."""
    [run] = fixture("fork-colon-key.json")
    assert run.get("goodput") == 0.41
    assert (run.started, run.ended) == ("2026-06-07T09:06:18Z", "2026-06-07T09:07:28Z")
    assert run.get("ttft", Statistic.P99_9) == 640.5
    assert [p.value for p in run.points if p.metric == "ttft" and p.stat is Statistic.P50] == [338.5]
    assert run.not_understood == ("p25_tpot_ms: a percentile that has no name here",)
    assert (run.get("input_tokens"), run.get("output_tokens")) == (7199.275, 905.85)


def test_json_lines_in_a_json_file() -> None:
    """`--append-result` writes one object after the other."""
    runs = fixture("v0.33.0-append.json")
    assert [(run.record, run.where["concurrency"], run.where["conc"]) for run in runs] == [(1, 1, "1"), (2, 2, "2"), (3, 4, "4")]  # fmt: skip
    assert [run.get("ttft") for run in runs] == [102.64519816663172, 102.9946696666381, 107.59540049995546]


def test_an_all_failed_run_has_no_latency() -> None:
    """Its zeros are no measurements."""
    [run] = fixture("all-failed.json")
    assert {(p.metric, p.value) for p in run.points} == {("completed", 0), ("failed", 8), ("duration", 0.005)}


def test_completed_without_a_token() -> None:
    """Old clients count empty answers as completed and write 0."""
    run = made(total_output_tokens=0, output_throughput=0.0, mean_ttft_ms=0.0, median_ttft_ms=0.0, p99_ttft_ms=0.0,
               mean_tpot_ms=0.0, mean_itl_ms=0.0)  # fmt: skip
    assert not {"ttft", "tpot", "itl"} & {p.metric for p in run.points}
    assert "no answer had a token" in run.not_understood[0]


def test_failed_is_what_is_missing() -> None:
    """Releases before 0.11 do not say how many failed."""
    assert made(failed=..., completed=190).requests.failed == 10
    assert made(failed=..., completed=...).requests.failed is None
    assert made(failed=3, completed=190).requests.failed == 3


def test_metadata_at_top_level() -> None:
    """Factors of the author's own; lengths he asked for are suggestions; secrets are hidden; a path names no model."""
    [run] = fixture("metadata.json")
    assert run.where == {"request_rate": 10.0, "burstiness": 1.0, "num_prompts": 300, "deployment": "no-features",
                         "gpu": "4xL40S", "input_len": "1000", "prefill_replicas": "0", "api_key": "***"}  # fmt: skip
    assert {(each.key, each.value) for each in run.suggestions} == {("where.input_tokens", 1000), ("hardware.gpu", "4xL40S")}  # fmt: skip
    assert "model" not in run.setup
    assert run.facts["model_path"] == "/models/mine/model"
    assert run.get("tpot") is None
    assert run.requests.failed == 10


def test_ramp_up_takes_the_rate() -> None:
    """While the rate ramps, `request_rate` says nothing."""
    [run] = fixture("v0.33.0-rampup.json")
    assert "request_rate" not in run.where
    assert (run.where["ramp_up_strategy"], run.where["ramp_up_start_rps"], run.where["ramp_up_end_rps"]) == ("linear", 2, 20)  # fmt: skip


def test_speculative_decoding() -> None:
    """Counters are taken when there were drafts."""
    assert made(spec_decode_num_drafts=60, spec_decode_acceptance_rate=73.5).get("spec_decode_acceptance_rate") == 73.5
    assert made(spec_decode_num_drafts=0, spec_decode_acceptance_rate=0.0).get("spec_decode_acceptance_rate") is None


def test_lists_are_summed_up() -> None:
    """Per-request lists are counted and summed, not kept."""
    [run] = fixture("v0.33.0-detailed.json")
    assert (run.detail["itl"].count, run.detail["ttft"].count, run.detail["output_tokens"].total) == (48, 12, 192)
    assert "generated_texts" not in str(run.as_dict())


def test_repeats_of_a_sweep() -> None:
    """`run_number` is the repeat; swept serve options are factors."""
    run = made(run_number=1, max_num_seqs=4)
    assert (run.repeat, run.where["max_num_seqs"]) == (1, 4)


def test_dates_are_the_end_in_local_time() -> None:
    """The start is the end less the duration; no zone is made up."""
    run = made(duration=60.4)
    assert (run.started, run.ended) == ("2026-06-01T11:59:00", "2026-06-01T12:00:00")
    assert (made(date="soon").ended, made(date=None).started) == (None, None)


@pytest.mark.parametrize(
    "change",
    [
        {"mean_ttft_ms": "soon"}, {"mean_ttft_ms": {"a": 1}}, {"completed": -3}, {"completed": "many"}, {"num_prompts": [1]},
        {"date": 3}, {"duration": {}}, {"ttfts": {"a": 1}}, {"itls": "x"}, {"max_concurrency": "8x"}, {"model_id": {"a": 1}},
    ],
)  # fmt: skip
def test_other_types_are_said(change: dict[str, Any]) -> None:
    """A member of another type is left out and named; the rest is read."""
    run = made(**change)
    assert run.get("mean_tpot", Statistic.MEAN) is None
    assert run.get("tpot") == 8.5
    assert run.not_understood or change in ({"ttfts": {"a": 1}}, {"itls": "x"}, {"date": 3})


def test_offline() -> None:
    """Throughput counts prompt and answer; latency is of a batch, in seconds."""
    [latency, throughput] = read([str(FIXTURES / "vllm-offline")]).runs
    assert (latency.get("latency"), latency.get("latency", Statistic.P99)) == (84.25, 84.3725)
    assert [p.unit for p in latency.points] == ["s"] * 5
    assert (throughput.get("total_throughput"), throughput.get("duration")) == (1298.5, 214.5)
    assert throughput.requests.completed == 128


@pytest.mark.parametrize("text", ['{"avg_latency": 3, "latencies": []}', json.dumps(WHOLE), "{}", '{"elapsed_time": 3, "num_requests": 3}', "avg_latency: 1\nlatencies: [1]\npercentiles: {}\n"])  # fmt: skip
def test_not_offline(text: str) -> None:
    """All of the keys, in JSON."""
    assert not vllm_offline.recognises(of_text(text))
