# ruff: noqa: E501  rows read better unbroken
"""Result blocks in logs, terminals and pull requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.importers import read_source, vllm_console
from kb.importers.namespace import arguments
from kb.importers.run import Run
from kb.importers.source import of_text
from kb.vocabulary import Statistic

LOG = (Path(__file__).parent / "fixtures" / "vllm-console" / "three-blocks.log").read_text(encoding="utf-8")
BLOCK = """============ Serving Benchmark Result ============
Successful requests:                     40
Benchmark duration (s):                  60.82
Total Token throughput (tok/s):          1213.01
Mean TTFT (ms):                          90.00
P99.9 TTFT (ms):                         219.89
Mean Wobble (ms):                        3.00
Novelty:                                 12
==================================================
"""


def runs(text: str) -> list[Run]:
    return list(read_source(of_text(text)).runs)


def test_several_blocks_in_one_log() -> None:
    """Each is a run, in order, of whichever tool printed it."""
    assert [(run.record, run.tool) for run in runs(LOG)] == [(1, "vllm bench serve"), (2, "SGLang bench_serving"), (3, "vllm bench serve")]  # fmt: skip


def test_a_block_behind_a_progress_bar_and_in_colour() -> None:
    """Carriage returns and escapes do not hide it; thousands separators are read."""
    run = runs(LOG)[0]
    assert (run.get("ttft"), run.get("ttft", Statistic.P99), run.get("output_throughput")) == (412.25, 1204.75, 1345.59)
    assert (run.requests.sent, run.requests.completed, run.requests.failed) == (320, 318, 2)


def test_what_was_asked_for_stands_above() -> None:
    """`Namespace(...)` gives load, model, limits of goodput; its secrets stay there."""
    run = runs(LOG)[0]
    assert run.where == {"request_rate": "inf", "concurrency": 10, "burstiness": 1, "num_prompts": 320, "dataset": "random",
                         "input_tokens": 10240, "output_tokens": 256}  # fmt: skip
    assert run.setup == {"model": "meta-llama/Llama-3.1-8B", "slo.ttft": 200.0, "slo.tpot": 50.0}
    assert "secret" not in str(run.as_dict())
    assert "abcdefgh" not in str(run.as_dict())
    assert {p.definition for p in run.points if p.metric == "ttft"} == {"vllm-bench.ttft-role-chunk"}


def test_what_was_asked_for_belongs_to_the_next_block_only() -> None:
    """The second block does not inherit the first one's arguments."""
    assert runs(LOG)[1].setup == {}
    assert runs(LOG)[1].where == {"request_rate": "inf", "concurrency": 16}


def test_sglang_prints_its_own_names() -> None:
    """E2E latency and the concurrency that was reached, under SGLang's definitions."""
    run = runs(LOG)[1]
    assert (run.get("e2el"), run.get("concurrency")) == (3015.5, 15.75)
    assert {p.definition for p in run.points if p.metric == "e2el"} == {"sglang-bench.e2el"}


def test_a_block_that_breaks_off() -> None:
    """What is there is read, and that it broke off is said; nothing completed leaves no latency."""
    run = runs(LOG)[2]
    assert {p.metric for p in run.points} == {"completed", "duration"}
    assert "the block breaks off before its last line" in run.not_understood
    assert "KB342" in {finding.code for finding in runs_judged(LOG)[2].findings}


def runs_judged(text: str) -> tuple[Run, ...]:
    from kb.importers.findings import judged

    return judged(runs(text))


def test_an_unknown_endpoint() -> None:
    """Without arguments it is open whether chat was called: TTFT has no definition, TPOT would have."""
    [run] = runs(BLOCK)
    assert {p.definition for p in run.points if p.metric == "ttft"} == {None}
    assert run.get("ttft", Statistic.P99_9) == 219.89
    assert run.get("total_throughput") == 1213.01
    assert [each.partition(":")[0] for each in run.not_understood] == ["Mean Wobble (ms)", "Novelty", "whether chat or completions was called is not said"]  # fmt: skip


@pytest.mark.parametrize("mark", ["> ", "| ", "    ", "\x1b[32m", ">> "])
def test_quoted_in_a_pull_request(mark: str) -> None:
    """Quoting and indenting are taken off."""
    [run] = runs("\n".join(mark + line for line in BLOCK.splitlines()))
    assert run.get("ttft") == 90


def test_lengths_that_were_sampled() -> None:
    """One length is what was asked for, a range is not."""
    said = "INFO Sampling input_len from [{0}, {1}] and output_len from [256, 256]\n"
    assert runs(said.format(8000, 8000) + BLOCK)[0].where == {"input_tokens": 8000, "output_tokens": 256}
    assert runs(said.format(800, 8000) + BLOCK)[0].where == {"output_tokens": 256}


@pytest.mark.parametrize(
    "text",
    ["", "no block", "the Serving Benchmark Result is good\n", "============ Serving Benchmark Result ============,,,\nMean TTFT (ms):,1\n", "== Serving Benchmark Result ==\n"],
)  # fmt: skip
def test_not_recognised(text: str) -> None:
    """Words about it, and tables that were made of it, are no block."""
    assert not vllm_console.recognises(of_text(text))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Namespace(a=1, b='x, y', c=[1, 2], d={'k': (1, 2)}, e=<function f at 0x1>, f=None)", {"a": "1", "b": "x, y", "c": "[1, 2]", "d": "{'k': (1, 2)}", "e": "<function f at 0x1>", "f": "None"}),
        ("x Namespace(a='it\\'s', b=\"q)\") tail, c=3", {"a": "it\\'s", "b": "q)"}),
        ("Namespace()", {}), ("no such thing", {}), ("Namespace(a=1", {"a": "1"}), ("Namespace(a='x", {"a": "'x"}), ("Namespace(1, 2)", {}),
    ],
)  # fmt: skip
def test_namespace(text: str, wanted: dict[str, str]) -> None:
    """Names and values without running anything; brackets, quotes and functions are one value."""
    assert arguments(text) == wanted
