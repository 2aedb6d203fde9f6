"""TTFT up to a chunk that carries no token.

## What it flags
A chat run of vLLM's client 0.8 to 0.25, whose TTFT ends with the first chunk that has choices, even one that only names
the role.

## Why it matters
A server may send that chunk at once, before anything is computed. TTFT is then far too small, and the prefill hides in
the first gap and in TPOT. Two servers that differ in this do not compare, however fast they are.

## Example
    "endpoint_type": "openai-chat", "rtfx": 0.0

## What to do
Compare only runs of the same client against servers that send their first chunk alike, or measure with the completions
endpoint or a client from 0.33 on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.run import Run
from kb.vocabulary import Severity

CODE = "KB313"
NAME = "first-chunk-without-token"
SEVERITY = Severity.INFO


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs with that definition of TTFT."""
    for n, run in enumerate(runs):
        if any(point.definition == "vllm-bench.ttft-role-chunk" for point in run.points):
            yield Said(n, "TTFT ends with the first chunk, even one without a token; it can be far too small")
