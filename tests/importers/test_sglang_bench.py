"""SGLang bench_serving: recognition, versions, what zeros and infinities mean, the setup of its servers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from . import given

V040 = {
    "backend": "sglang", "dataset_name": "random", "request_rate": 8.0, "max_concurrency": None,
    "total_input_tokens": 4096, "total_output_tokens": 1024, "total_output_tokens_retokenized": 1020,
    "mean_e2e_latency_ms": 900.5, "median_e2e_latency_ms": 880.25, "median_ttft_ms": 61.5, "median_itl_ms": 9.75,
    "output_throughput": 512.5, "sharegpt_output_len": None, "random_input_len": 1024, "random_output_len": 256,
    "random_range_ratio": 1.0, "duration": 2.0, "completed": 4,
}  # fmt: skip
"""What 0.4.0 writes, in its order."""


def v05(**more: Any) -> dict[str, Any]:
    """A line of 0.5.x."""
    base: dict[str, Any] = {
        "tag": None, "backend": "sglang-oai-chat", "dataset_name": "random-ids", "request_rate": float("inf"),
        "max_concurrency": 4, "sharegpt_output_len": None, "random_input_len": 32, "random_output_len": 16,
        "random_range_ratio": 1.0, "server_info": {}, "duration": 2.0, "completed": 20, "total_input_tokens": 640,
        "total_output_tokens": 320, "request_throughput": 10.0, "output_throughput": 160.0,
        "mean_e2e_latency_ms": 412.5, "p99_e2e_latency_ms": 420.5, "mean_ttft_ms": 103.5, "p99_ttft_ms": 106.0,
        "mean_tpot_ms": 20.5, "mean_itl_ms": 20.25, "concurrency": 3.75, "accept_length": None,
    }  # fmt: skip
    return base | more


@pytest.mark.parametrize(
    ("given_record", "recognised"),
    [
        (V040, True),
        (v05(), True),
        ({"mean_ttft_ms": 1.0, "num_prompts": 3, "model_id": "m", "request_throughput": 2.0}, False),
        ({key: value for key, value in v05().items() if not key.endswith("e2e_latency_ms")}, False),
        ({"backend": "sglang", "sharegpt_output_len": None, "random_input_len": 3}, False),
    ],
    ids=["0.4.0", "0.5", "vllm bench", "no latency", "arguments alone"],
)
def test_it_is_told_by_its_arguments_and_latencies(given_record: dict[str, Any], recognised: bool) -> None:
    """A name or one shared key is not enough."""
    found = given.names(json.dumps(given_record))
    assert ("sglang-bench" in found) is recognised
    assert len(found) <= 1


def test_the_mock_with_one_token_per_chunk_gives_the_truth() -> None:
    """TTFT 100 ms, 20 ms per token, 16 tokens: TPOT and the gaps agree."""
    run = given.only(given.file(given.FIXTURES / "sglang-bench" / "v0.5.5-k1.jsonl"))
    assert given.value(run, "ttft") == 103.62508279999929
    assert given.value(run, "tpot") == 20.598808493335433
    assert given.value(run, "itl") == 20.59822156999265
    assert given.value(run, "e2el") == 412.60721020003075
    assert (run.where["request_rate"], run.where["concurrency"]) == ("inf", 4)


def test_with_four_tokens_per_chunk_only_the_gaps_grow() -> None:
    """The definition says that they are gaps between chunks, not times per token."""
    run = given.only(given.file(given.FIXTURES / "sglang-bench" / "v0.5.5-k4.jsonl"))
    assert given.value(run, "tpot") == 20.175819723332705
    gaps = given.point(run, "itl", "p50")
    assert gaps is not None
    assert (gaps.value, gaps.definition) == (80.54861850041561, "sglang-bench.itl-chunk")


@pytest.mark.parametrize(
    ("more", "definition"),
    [
        ({"backend": "sglang"}, "sglang-bench.itl-per-token"),
        ({"backend": "sglang-oai", "accept_length": 2.5}, "sglang-bench.itl"),
        ({"backend": "sglang-oai"}, "sglang-bench.itl-chunk"),
        ({"backend": "vllm", "accept_length": 2.5}, "sglang-bench.itl-chunk"),
    ],
)
def test_what_a_gap_is_depends_on_the_backend(more: dict[str, Any], definition: str) -> None:
    """The native backend divides by tokens; the others do where the server tells the accepted length."""
    found = given.point(given.only(given.record(v05(**more))), "itl")
    assert found is not None
    assert found.definition == definition


def test_before_the_accepted_length_the_native_backend_did_not_divide() -> None:
    """0.4.0 has no such key, and fewer statistics."""
    run = given.only(given.record(V040))
    assert run.tool_version == "<0.4.4"
    found = given.point(run, "itl", "p50")
    assert found is not None
    assert (found.value, found.definition) == (9.75, "sglang-bench.itl-chunk")
    assert given.value(run, "ttft") is None
    assert given.value(run, "input_tokens") == 1024.0
    assert run.where["request_rate"] == 8.0
    assert "concurrency" not in run.where


def test_one_file_holds_several_runs() -> None:
    """The tool appends; every line is a run with its place."""
    got = given.lines([v05(max_concurrency=1), v05(max_concurrency=8), V040])
    assert [(run.record, run.where.get("concurrency")) for run in got.runs] == [(1, 1), (2, 8), (3, None)]


def test_a_run_in_which_all_failed_has_no_latencies_and_no_rates() -> None:
    """It writes 0 for the medians and NaN for the means."""
    failed = {key: 0.0 for key in v05() if key.endswith(("_ms", "_throughput"))} | {"mean_e2e_latency_ms": float("nan")}
    run = given.only(
        given.record(v05(completed=0, total_input_tokens=0, total_output_tokens=0, concurrency=0.0) | failed)
    )
    assert [point.metric for point in run.points] == ["duration", "completed"]
    assert run.requests.completed == 0


def test_a_statistic_over_nothing_is_missing_and_said() -> None:
    """One-token answers have no TPOT; the tool writes 0."""
    run = given.only(given.record(v05(mean_tpot_ms=0.0, mean_itl_ms=0.0)))
    assert given.value(run, "tpot") is None
    assert given.value(run, "itl") is None
    assert given.value(run, "ttft") == 103.5
    assert [said for said in run.not_understood if said.startswith("tpot: 0 throughout")]


def test_without_streaming_there_is_no_ttft() -> None:
    """The tool writes the whole latency in its place."""
    run = given.only(given.record(v05(mean_ttft_ms=412.5, p99_ttft_ms=420.5)))
    assert given.value(run, "ttft") is None
    assert given.value(run, "e2el") == 412.5


def test_lengths_count_only_for_the_data_set_in_use() -> None:
    """random_input_len stands in ShareGPT runs too, as a default."""
    run = given.only(given.record(v05(dataset_name="sharegpt", sharegpt_output_len=64)))
    assert "input_tokens" not in run.where
    assert run.where["output_tokens"] == 64


def test_prompts_that_nobody_counted_are_missing() -> None:
    """A total of 0 with completed requests is no measurement."""
    run = given.only(given.record(v05(total_input_tokens=0)))
    assert given.value(run, "input_tokens") is None
    assert given.value(run, "output_tokens") == 16.0


def test_traces_have_no_rate() -> None:
    """The word stands in the place of the rate."""
    run = given.only(given.record(v05(request_rate="trace")))
    assert "request_rate" not in run.where
    assert run.facts["arrival"] == "trace"


def test_goodput_keeps_its_limits() -> None:
    """0.5.2x writes them in ms."""
    goodput = {"goodput_slos_ms": {"ttft": 200.0, "tpot": 30}, "request_goodput": 9.5, "slo_attainment": 0.95}
    run = given.only(given.record(v05(**goodput)))
    assert (run.setup["slo.ttft"], run.setup["slo.tpot"]) == (200.0, 30)
    assert given.value(run, "goodput", "value") == 9.5
    share = given.point(run, "slo_attainment", "value")
    assert share is not None
    assert (share.value, share.unit) == (0.95, "fraction")


def test_detailed_lists_count_the_requests_sent() -> None:
    """Successes are fewer than lines of the lists where some failed."""
    run = given.only(
        given.record(v05(completed=2, output_lens=[16, 0, 16], ttfts=[0.1, 0.0, 0.3], itls=[[0.1], [], [0.2]]))
    )
    assert (run.requests.sent, run.requests.completed, run.requests.failed) == (3, 2, 1)
    assert run.detail["ttft"].count == 3


SERVER = {
    "model_path": "some/model", "tp_size": 2, "dp_size": 1, "quantization": "fp8", "kv_cache_dtype": "auto",
    "page_size": 64, "attention_backend": "fa3", "disable_radix_cache": False, "disable_cuda_graph": False,
    "chunked_prefill_size": 8192, "speculative_algorithm": None, "disaggregation_mode": "null",
    "disaggregation_transfer_backend": "mooncake", "version": "0.5.5", "api_key": "sk-verysecretverysecret",
}  # fmt: skip


def test_the_setup_of_one_server() -> None:
    """Without prefill and decode apart, the transfer backend is a default that nothing uses."""
    run = given.only(given.record(v05(server_info=SERVER)))
    assert run.setup["topology"] == "aggregated"
    assert run.setup["engine.version"] == "0.5.5"
    assert run.setup["both.tp"] == 2
    assert run.setup["both.block_size"] == 64
    assert run.setup["precision"] == "fp8"
    assert run.setup["both.speculative"] == "off"
    assert not [key for key in run.setup if key.startswith(("connector", "transfer_library"))]
    assert "both.kv_dtype" not in run.setup
    assert "secret" not in json.dumps(run.as_dict())


def test_the_setup_of_prefill_and_decode() -> None:
    """What both sides share is said once, what differs per side; the lists of the router are no topology."""
    prefill = SERVER | {"disaggregation_mode": "prefill", "disaggregation_transfer_backend": "nixl"}
    decode = prefill | {"disaggregation_mode": "decode", "version": "0.5.6", "disable_radix_cache": True}
    run = given.only(given.record(v05(server_info={"internal_states": [], "prefill": [prefill], "decode": [decode]})))
    assert run.setup["connector.component"] == "sglang-nixl"
    assert run.setup["transfer_library.component"] == "nixl"
    assert (run.setup["prefill.engine.version"], run.setup["decode.engine.version"]) == ("0.5.5", "0.5.6")
    assert (run.setup["prefill.prefix_caching"], run.setup["decode.prefix_caching"]) == ("on", "off")
    assert run.setup["both.tp"] == 2
    assert "topology" not in run.setup
    assert run.facts["server_info.decode"] == 1


def test_servers_of_a_side_that_differ_are_said() -> None:
    """Neither of two values is taken for both."""
    one, other = SERVER | {"disaggregation_mode": "decode"}, SERVER | {"disaggregation_mode": "decode", "tp_size": 4}
    run = given.only(given.record(v05(server_info={"prefill": [one], "decode": [one, other]})))
    assert "decode.tp" not in run.setup
    assert "both.tp" not in run.setup
    assert any("differ in tp" in said for said in run.not_understood)


@pytest.mark.parametrize(
    "more",
    [
        {"mean_ttft_ms": "slow"}, {"completed": "many"}, {"server_info": [1, 2]}, {"goodput_slos_ms": 3},
        {"duration": True}, {"max_concurrency": -1}, {"cache_report": "none"},
        {"server_info": {"prefill": "x", "decode": [3]}},
    ],
)  # fmt: skip
def test_a_member_of_another_type_is_said_and_the_rest_is_read(more: dict[str, Any]) -> None:
    """No value is made up for it."""
    run = given.only(given.record(v05(**more)))
    assert given.value(run, "e2el") == 412.5
    assert run.not_understood or "server_info" in more


def test_a_file_cut_short_keeps_the_runs_before_the_cut() -> None:
    """The last of them says that something follows that cannot be read."""
    whole = json.dumps(v05())
    got = given.text(f"{whole}\n{whole[:200]}")
    assert len(got.runs) == 1
    assert any("what follows it" in said for said in got.runs[0].not_understood)


def test_a_single_line_cut_short_is_declined_with_a_place() -> None:
    """Nothing of half a record is imported."""
    got = given.text(json.dumps(v05())[:-40])
    assert not got.runs
    assert got.declined[0].why
