"""A reference to a record that does not exist.

## What it flags
An evaluation, a change or a component named somewhere in the record (relations, pins, anchors, symbols, signals, impact
statements, reviews, `versions.COMPONENT` in conditions) that neither this base nor a mounted one holds. Old ids that a
record keeps under `aliases` are fine.

## Why it matters
An audit follows these names. A name that leads nowhere drops a component's changes, or a contradicting result, in
silence.

## Example
    relations:
      - {relation: related, to: no-such-evaluation}

## What to do
Correct the id, or write the record that is missing. A component without a record is left out of the pin until it has
one.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.finding import Problem
from kb.library import Library
from kb.mentions import Reference, references
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.vocabulary import Kind, Severity

CODE = "KB110"
NAME = "unknown-record"
SEVERITY = Severity.ERROR

FOLDERS = {Kind.EVALUATION: "evaluations/{}.md", Kind.CHANGE: "changes/{}.md", Kind.COMPONENT: "components/{}.yaml"}


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """References that nothing answers to."""
    for reference in references(loaded.record):
        if reference.id.casefold() not in library.answering[reference.kind]:
            yield _problem(reference, library)


def _problem(reference: Reference, library: Library) -> Problem:
    hint = did_you_mean(reference.id, library.answering[reference.kind])
    missing = f"or write entries/{FOLDERS[reference.kind].format(reference.id)}"
    return Problem(reference.loc, f'no {reference.kind} is called "{reference.id}"', hint or f"correct it, {missing}")
