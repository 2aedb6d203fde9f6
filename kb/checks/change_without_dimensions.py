"""A change that touches nothing.

## What it flags
A change of behaviour without dimensions and without symbols. Documentation, tests, types, logging and refactoring alter
nothing and need none; a draft by `kb scan` waits for a person to add them.

## Why it matters
A change reaches claims through what it alters. Without that it makes no conclusion recheck, whatever it does.

## Example
    # entries/changes/it.md
    component: vllm
    kind: performance
    status: proposed
    summary: Descriptors are posted in batches.

## What to do
Name what it alters, not what it is near: a change that touches everything helps nobody.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.change import Change
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import ChangeKind, Severity

CODE = "KB165"
NAME = "change-without-dimensions"
SEVERITY = Severity.WARNING

INERT = frozenset(
    {ChangeKind.DOCS, ChangeKind.TESTS, ChangeKind.TYPES, ChangeKind.LOGGING, ChangeKind.REFACTOR, ChangeKind.HARNESS}
)


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Changes out of reach of every claim."""
    record = loaded.record
    if isinstance(record, Change) and record.kind not in INERT and not record.dimensions and not record.symbols:
        yield Problem((), f"a {record.kind} change without dimensions touches no claim", "name what it alters")
