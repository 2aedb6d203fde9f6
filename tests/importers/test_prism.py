"""Rows of Prism's archive."""

from __future__ import annotations

import json

from tests.importers import given

ROWS = json.loads((given.FIXTURES / "prism" / "rows.json").read_text(encoding="utf-8"))


def test_zero_percentiles_are_unknown() -> None:
    """And said once."""
    run = given.text(json.dumps(ROWS)).runs[0]
    assert given.value(run, "e2el", "p50") == 880.25
    assert given.value(run, "e2el", "p99") is None
    assert "latency p99: 0, which stands for unknown" in run.not_understood


def test_throughput_is_told_by_rate_and_lengths() -> None:
    """2 requests/s of 1100 tokens are 2200 tok/s in all; where neither count agrees, its meaning is not known."""
    first, second = given.text(json.dumps(ROWS)).runs
    assert given.value(first, "total_throughput", "value") == 2200
    assert given.value(first, "output_throughput", "value") is None
    point = given.point(second, "token_throughput", "value")
    assert point is not None
    assert point.definition == "unspecified.token_throughput"


def test_the_rate_reached_is_not_the_rate_asked_for() -> None:
    """`target_qps` repeats it."""
    assert given.text(json.dumps(ROWS)).runs[0].where == {"concurrency": 16}


def test_aliases_that_differ_are_left_out() -> None:
    """tpot 9.0 and time_per_output_token 9.5 cannot both be."""
    second = given.text(json.dumps(ROWS)).runs[1]
    assert given.value(second, "tpot") is None
    assert any("differ" in said for said in second.not_understood)


def test_setup_states_sides_only_where_they_are_apart() -> None:
    """An unknown precision is none, node counts of 0 are none."""
    first, second = given.text(json.dumps(ROWS)).runs
    assert first.setup == {
        "model": "model-8b",
        "hardware.gpu": "H100",
        "topology": "2P1D",
        "prefill.tp": 2,
        "decode.tp": 4,
    }
    assert second.setup == {"model": "model-8b", "hardware.gpu": "H100"}
    assert (second.requests.sent, second.requests.completed) == (50, 48)


def test_what_a_label_means_is_not_known() -> None:
    """The archive does not name the load generator."""
    run = given.text(json.dumps(ROWS)).runs[0]
    assert {point.definition for point in run.points} == {None}
