"""A fact is missing that a reviewer will ask for.

## What it flags
One by one, with the reason: interconnect, transport backend, router dispatch and decoder choice, block size, prefix
caching and state of the KV pool per side, warm-up, repeats, client tool, GPUs per role where topologies differ... -
where the record neither states the fact nor says that the source does not.

## Why it matters
Each of them has turned a result round somewhere. A reviewer who does not find it has to ask you, or to distrust the
claim.

## Example
    setup: {model: Qwen3-32B, topology: 1P1D, router: {name: a proxy}}

## What to do
State the fact; where the source does not, write `unknown` at the key or list the key under `not_stated`. A record
with ten facts is valid; this is a list of questions, not of faults.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.checks.missing_pin import problem
from kb.completeness import State, missing_facts
from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB141"
NAME = "missing-fact"
SEVERITY = Severity.INFO


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Further facts that are absent."""
    record = loaded.record
    if isinstance(record, Evaluation):
        yield from (problem(f) for f in missing_facts(record) if f.state is State.ABSENT and not f.essential)
