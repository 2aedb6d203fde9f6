"""TTFT and the time per token that do not make up the whole request.

## What it flags
Mean TTFT plus mean time per token times the tokens after the first, more than 30 percent away from the mean of the
whole request.

## Why it matters
One of the three is something else than its label says: another unit, a count of lines in place of tokens, a length that
was asked for and not generated, tokens of reasoning that are left out.

## Example
    "mean_ttft_ms": 100, "mean_tpot_ms": 8.9, "mean_e2el_ms": 400      with 16 tokens

## What to do
Trust TTFT and the whole request; look up how this version of the tool counts tokens before the third is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.measured import decode, mean, shown
from kb.importers.run import Run
from kb.vocabulary import Severity

CODE = "KB310"
NAME = "latencies-do-not-add-up"
SEVERITY = Severity.WARNING

APART = 0.3


def gap(run: Run) -> float | None:
    """(TTFT + time per token x (tokens - 1) - whole) / whole, of means; None where one of them is missing."""
    ttft, per_token, whole, tokens = mean(run, "ttft"), decode(run), mean(run, "e2el"), mean(run, "output_tokens")
    if ttft is None or per_token is None or not whole or not tokens or tokens < 2:
        return None
    return (ttft + per_token * (tokens - 1) - whole) / whole


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs whose means leave a gap."""
    for n, run in enumerate(runs):
        apart = gap(run)
        if apart is not None and abs(apart) > APART:
            whole = mean(run, "e2el") or 0.0
            parts = f"TTFT and time per token make {shown(whole * (1 + apart))} ms"
            hint = "look up how this version counts tokens"
            yield Said(n, f"{parts}, the whole request took {shown(whole)} ms", hint)
