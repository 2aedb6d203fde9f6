"""Lengths that are not those asked for.

## What it flags
A mean prompt or answer length more than a tenth away from what the file (or only its name) says was asked for.

## Why it matters
Answers that end early (no `ignore_eos`), a range of lengths in place of one, prompts cut or padded by a template:
throughput and latencies are of another load than the label says. vLLM's range ratio turned its meaning round in 0.8.4.

## Example
    1p3d_in128_out2048.json with a mean of 682 tokens

## What to do
Write the lengths that were reached. Compare only runs whose mean lengths are alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.measured import asked, mean, shown
from kb.importers.run import Run
from kb.vocabulary import Severity

CODE = "KB331"
NAME = "lengths-not-as-asked"
SEVERITY = Severity.WARNING

APART = 0.1
TEMPLATE = 64
"""Tokens that a chat template may add to a prompt."""


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs with other lengths."""
    for n, run in enumerate(runs):
        for key, name in (("input_tokens", "prompts"), ("output_tokens", "answers")):
            wanted, got = asked(run, key), mean(run, key)
            if wanted is None or got is None or abs(got - wanted[0]) <= APART * wanted[0]:
                continue
            if key == "input_tokens" and 0 < got - wanted[0] <= TEMPLATE:
                continue
            yield Said(n, f"{name} have {shown(got)} tokens on average, {shown(wanted[0])} were asked for{wanted[1]}")
