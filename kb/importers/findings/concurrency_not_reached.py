"""A concurrency that does not go with rate and latency.

## What it flags
A closed-loop run whose completed requests per second times mean request latency (Little's law) is above the stated
concurrency by more than a tenth, or below half of it.

## Why it matters
Above it one of the numbers is in another unit or of another run. Below it the load asked for was not there: too few
prompts for the ramp and the drain, or a limit elsewhere (the client, a proxy, `max_num_seqs`).

## Example
    "max_concurrency": 128, "num_prompts": 128, "request_throughput": 9.2, "mean_e2el_ms": 5400

## What to do
State the concurrency that was reached, or run with at least ten prompts for each place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.measured import decode, mean, positive
from kb.importers.run import Run
from kb.vocabulary import Severity

CODE = "KB330"
NAME = "concurrency-not-reached"
SEVERITY = Severity.WARNING

ABOVE, BELOW = 1.1, 0.5


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Closed loops in which the law does not hold."""
    for n, run in enumerate(runs):
        stated, reached = positive(run.where.get("concurrency")), _reached(run)
        closed = run.where.get("request_rate", "inf") == "inf"
        if stated is None or reached is None or not closed or run.server_side:
            continue
        if reached > ABOVE * stated:
            yield Said(
                n, f"rate x latency is {reached:.3g} requests in flight, {stated:g} were allowed",
                "one of the numbers is in another unit, or of another run",
            )  # fmt: skip
        elif reached < BELOW * stated:
            yield Said(
                n, f"about {reached:.3g} requests were in flight, not the {stated:g} asked for",
                "send more prompts for each place, or look for another limit",
            )  # fmt: skip


def _reached(run: Run) -> float | None:
    """Requests in flight by Little's law; the whole request from its parts where it is not written."""
    rate, whole = run.get("request_throughput"), mean(run, "e2el")
    if whole is None:
        ttft, per_token, tokens = mean(run, "ttft"), decode(run), mean(run, "output_tokens")
        if ttft is None or per_token is None or tokens is None:
            return None
        whole = ttft + per_token * max(0.0, tokens - 1)
    return rate * whole / 1000 if rate is not None else None
