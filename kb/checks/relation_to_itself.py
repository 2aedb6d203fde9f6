"""A record related to itself.

## What it flags
A relation whose target is the record that states it.

## Why it matters
A result cannot replicate, contradict or supersede itself; the target was probably another record.

## Example
    relations: [{relation: replicates, to: it}]

## What to do
Name the other record.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.change import Change
from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB119"
NAME = "relation-to-itself"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Relations that come back."""
    record = loaded.record
    if isinstance(record, Evaluation | Change):
        for n, to in enumerate([relation.to for relation in record.relations]):
            if to == record.id:
                yield Problem(("relations", n, "to"), f'"{record.id}" is related to itself', "name the other record")
