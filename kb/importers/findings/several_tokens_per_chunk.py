"""Streamed chunks that carry several tokens.

## What it flags
A mean gap between chunks more than 1.3 times the mean time per token, or less than 0.7 times.

## Why it matters
Speculative decoding and a stream interval put several tokens into one chunk. The gap between chunks (ITL of vLLM and
SGLang, inter-chunk latency of AIPerf) is then no time per token, and its percentiles compare with nothing. A gap that
is smaller than the time per token means that tokens were counted which never came: the length asked for.

## Example
    "mean_itl_ms": 75.7, "mean_tpot_ms": 20.2

## What to do
Compare TPOT. Give ITL only together with the tokens per chunk, or with the acceptance length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.measured import decode
from kb.importers.run import Run
from kb.vocabulary import Severity, Statistic

CODE = "KB312"
NAME = "several-tokens-per-chunk"
SEVERITY = Severity.WARNING

GAPS = {
    "vllm-bench.itl", "vllm-bench.itl-role-chunk", "sglang-bench.itl-chunk", "sglang-bench.itl", "aiperf.icl",
    "inferencex.itl",
}  # fmt: skip
"""Definitions of gaps between chunks."""
MORE, LESS = 1.3, 0.7


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs whose gaps and times per token differ."""
    for n, run in enumerate(runs):
        gap = next((p.value for p in run.points if p.definition in GAPS and p.stat is Statistic.MEAN), None)
        per_token = decode(run)
        if gap is None or not per_token:
            continue
        ratio = gap / per_token
        if ratio > MORE:
            yield Said(n, f"chunks carry about {ratio:.1f} tokens: ITL is a time between chunks", "compare TPOT")
        elif 0 < ratio < LESS:
            yield Said(
                n, f"ITL is {ratio:.2f} of TPOT: more tokens were counted than came, or answers ended early",
                "compare the tokens counted with those asked for",
            )  # fmt: skip
