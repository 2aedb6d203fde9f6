"""A fact is missing without which a claim can hardly be audited.

## What it flags
One by one, with the reason: model, accelerator, topology, the engine's build, connector class and mode, the transfer
library's version, lengths and rate of the load - where the record neither states the fact nor says that the source does
not. A fact written as `unknown`, or listed under `not_stated`, is never flagged here.

## Why it matters
An audit asks which changes came after the measured build and whether your deployment meets the claim's conditions.
Without these facts every answer is "unknown".

## Example
    setup: {model: Qwen3-32B, topology: 1P1D}

## What to do
State the fact; where the source does not, write `unknown` at the key or list the key under `not_stated`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.completeness import MissingFact, State, missing_facts
from kb.evaluation import Evaluation
from kb.finding import Loc, Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB140"
NAME = "missing-pin"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Indispensable facts that are absent."""
    record = loaded.record
    if isinstance(record, Evaluation):
        for fact in missing_facts(record):
            if fact.state is State.ABSENT and fact.essential:
                yield problem(fact)


def problem(fact: MissingFact) -> Problem:
    """One missing fact in a sentence, placed at the nearest key that exists."""
    arms = f" of {', '.join(fact.arms)}" if fact.arms else ""
    loc: Loc = ("setup", *fact.key.split("."))
    hint = f"state it, or where the source does not: not_stated: [{fact.key}]"
    return Problem(loc, f"{fact.key}{arms} is missing: {fact.why}", hint)
