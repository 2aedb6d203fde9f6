"""The tools' own output against a server with known truth: every definition gives what it says it measures.

The server answers the first token after 100 ms, then one every 20 ms, 16 in all (`k1`), or four every 80 ms (`k4`). The
bounds leave room for a loaded machine; a wrong unit, a wrong definition or a group of zeros falls outside them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.importers import read
from kb.importers.run import Run

GENERATED = Path(__file__).parents[3] / "shared" / "generated"
pytestmark = pytest.mark.skipif(not GENERATED.is_dir(), reason="the generated files (../shared) are not here")

FIRST = (100, 135)
TOKEN = (19, 24)
WITH_FIRST = (25, 30)
REQUEST = (400, 460)
TRUTH = {
    "sglang-bench.ttft": FIRST,
    "sglang-bench.tpot": TOKEN,
    "sglang-bench.itl-chunk": TOKEN,
    "sglang-bench.e2el": REQUEST,
    "guidellm.ttft": FIRST,
    "guidellm.ttfo": FIRST,
    "guidellm.tpot": WITH_FIRST,
    "guidellm.tpot-0.2": (18, 21),
    "guidellm.itl": TOKEN,
    "guidellm.e2el": REQUEST,
    "aiperf.ttft": FIRST,
    "aiperf.ttfo": FIRST,
    "aiperf.itl": TOKEN,
    "aiperf.icl": TOKEN,
    "aiperf.e2el": REQUEST,
    "inference-perf.ttft": FIRST,
    "inference-perf.tpot": TOKEN,
    "inference-perf.itl": TOKEN,
    "inference-perf.tpot-0.2": (8, 10),
    "inference-perf.itl-0.2": (8, 10),
    "inference-perf.ntpot": WITH_FIRST,
    "inference-perf.e2el": REQUEST,
}
CHUNKS_OF_FOUR = (60, 85)
"""Gaps between chunks that hold four tokens."""
IMPORTERS = ("sglang-bench", "guidellm", "aiperf", "inference-perf")


def runs() -> list[Run]:
    """Runs at light load; the sweep's members beyond it measured the server's queue."""
    got = read([str(GENERATED / name) for name in IMPORTERS]).runs
    return [run for run in got if run.importer in IMPORTERS and not ("g061" in run.file and run.record > 1)]


def test_means_are_what_their_definitions_say() -> None:
    """Milliseconds of the mock, whatever unit the file used."""
    seen: set[str] = set()
    for run in runs():
        four = run.file.endswith("k4.jsonl")
        for point in run.points:
            if point.stat.value == "mean" and point.definition in TRUTH:
                of_four = four and point.definition == "sglang-bench.itl-chunk"
                low, high = CHUNKS_OF_FOUR if of_four else TRUTH[point.definition]
                assert low <= point.value <= high, (run.file, point)
                assert point.unit == "ms"
                seen.add(point.definition)
    assert seen == set(TRUTH)


def test_answers_have_sixteen_tokens() -> None:
    """In every file that says how long they were."""
    lengths = [point for run in runs() for point in run.points if point.metric == "output_tokens"]
    assert {point.value for point in lengths if point.stat.value == "mean"} == {16}


def test_nothing_is_zero_that_was_measured() -> None:
    """Latencies, rates and durations."""
    for run in runs():
        for point in run.points:
            if (
                point.stat.value != "std"
                and point.unit in {"ms", "req/s", "tok/s", "s"}
                and "delay" not in point.metric
            ):
                assert point.value > 0, (run.file, point)


def test_the_two_releases_of_inference_perf_do_not_share_a_definition_of_tpot() -> None:
    """0.2 is half of the truth and says so by its name; TTFT is the same in both."""
    found = {
        (run.file.split("/")[-2], point.definition)
        for run in runs()
        if run.importer == "inference-perf"
        for point in run.points
        if point.metric in {"tpot", "ttft"} and point.stat.value == "mean"
    }
    assert found == {
        ("0.2.0", "inference-perf.tpot-0.2"),
        ("0.2.0", "inference-perf.ttft"),
        ("0.7.0", "inference-perf.tpot"),
        ("0.7.0", "inference-perf.ttft"),
    }
