"""The tools' own output against a server with known truth: TTFT 100 ms, 20 ms a token, 16 tokens, one or four a chunk.

`generated/` holds it; each definition meets the truth of what it says, whatever the tool calls it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from kb.importers import read
from kb.importers.measured import DECODE, positive
from kb.importers.run import Run
from kb.vocabulary import Statistic

GENERATED = Path(__file__).parents[3] / "shared" / "generated"
TOOLS = ("vllm-bench", "sglang-bench", "guidellm", "aiperf", "inference-perf")
DEFECT = "inference-perf.tpot-0.2"
needs_files = pytest.mark.skipif(not GENERATED.is_dir(), reason="the generated files (../shared) are not here")


@cache
def runs(tool: str) -> tuple[Run, ...]:
    """Runs of load points that the server kept up with: no probe of the throughput, no more than 100 req/s."""
    got = read([str(GENERATED / tool)])
    return tuple(
        run for run in got.runs if run.stage != "throughput" and (positive(run.where.get("request_rate")) or 0) < 100
    )


def means(tool: str, *definitions: str) -> list[float]:
    return [
        point.value
        for run in runs(tool)
        for point in run.points
        if point.definition in definitions and point.stat is Statistic.MEAN
    ]


@needs_files
@pytest.mark.parametrize("tool", TOOLS)
def test_first_token(tool: str) -> None:
    """100 ms and what the machine adds."""
    found = [p.value for run in runs(tool) for p in run.points if p.metric == "ttft" and p.stat is Statistic.MEAN]
    assert found
    assert all(95 < value < 140 for value in found), found


@needs_files
@pytest.mark.parametrize("tool", TOOLS)
def test_time_per_token_after_the_first(tool: str) -> None:
    """20 ms, by every definition that leaves TTFT out, with one or four tokens a chunk."""
    found = means(tool, *(DECODE - {DEFECT}))
    assert found
    assert all(19 < value < 24 for value in found), found


@needs_files
@pytest.mark.parametrize(
    ("tool", "definition"), [("guidellm", "guidellm.tpot"), ("inference-perf", "inference-perf.ntpot")]
)
def test_time_per_token_with_the_first(tool: str, definition: str) -> None:
    """(100 + 15 x 20) / 16 = 25 ms."""
    found = means(tool, definition)
    assert found
    assert all(24 < value < 29 for value in found), found


@needs_files
def test_time_per_token_of_old_guidellm() -> None:
    """15 x 20 / 16 = 18.75 ms."""
    found = means("guidellm", "guidellm.tpot-0.2")
    assert found
    assert all(18 < value < 22 for value in found), found


@needs_files
@pytest.mark.parametrize("tool", TOOLS)
def test_whole_request(tool: str) -> None:
    """100 + 15 x 20 = 400 ms; GuideLLM and inference-perf write seconds."""
    found = [p.value for run in runs(tool) for p in run.points if p.metric == "e2el" and p.stat is Statistic.MEAN]
    assert found
    assert all(395 < value < 470 for value in found), found


@needs_files
def test_the_defect_of_inference_perf_is_found() -> None:
    """0.2 halves TPOT; 0.7 does not, and only the old runs are said to."""
    wrong = [run for run in runs("inference-perf") if any(f.name == "blank-lines-counted" for f in run.findings)]
    assert wrong
    assert {point.definition for run in wrong for point in run.points if point.metric == "tpot"} == {DEFECT}
    assert all(value < 12 for value in means("inference-perf", DEFECT))


@needs_files
@pytest.mark.parametrize("tool", ["vllm-bench", "sglang-bench"])
def test_four_tokens_a_chunk_are_found(tool: str) -> None:
    """Gaps between chunks of about 80 ms are said to be no time per token; with one a chunk nothing is said."""
    for run in runs(tool):
        if "-k4" in run.file or "-k1" in run.file:
            said = any(finding.name == "several-tokens-per-chunk" for finding in run.findings)
            assert said == ("-k4" in run.file), run.file


@needs_files
@pytest.mark.parametrize("tool", TOOLS)
def test_nothing_is_called_saturated(tool: str) -> None:
    """The drain of a short run lowers the rate, and the server was never busy."""
    assert [run.file for run in runs(tool) for finding in run.findings if finding.name == "saturated"] == []


@needs_files
@pytest.mark.parametrize("tool", TOOLS)
def test_lengths(tool: str) -> None:
    """16 tokens were answered."""
    found = [
        p.value for run in runs(tool) for p in run.points if p.metric == "output_tokens" and p.stat is Statistic.MEAN
    ]
    assert found
    assert all(value == pytest.approx(16, abs=0.5) for value in found), found
