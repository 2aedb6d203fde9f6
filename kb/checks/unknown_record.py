"""A reference to a record that does not exist.

## What it flags
An evaluation, a change or a component named somewhere in the record (relations, pins, anchors, symbols, signals, impact
statements, reviews, `versions.COMPONENT` in conditions) that neither this base nor a mounted one holds. Old ids that a
record keeps under `aliases` are fine.

## Why it matters
An audit follows these names. A name that leads nowhere drops a component's changes, or a contradicting result, in
silence. A record that is there and cannot be read is not missing: its own findings say what is wrong.

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
from kb.mentions import Reference, once, references
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.vocabulary import Kind, Severity

CODE = "KB110"
NAME = "unknown-record"
SEVERITY = Severity.ERROR

FOLDERS = {Kind.EVALUATION: "evaluations/{}.md", Kind.CHANGE: "changes/{}.md", Kind.COMPONENT: "components/{}.yaml"}


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """References that nothing answers to."""
    lost = (each for each in references(loaded.record) if each.id.casefold() not in library.answering[each.kind])
    yield from once(_problem(each, library) for each in lost if not _is_unreadable(each, library))


def _is_unreadable(reference: Reference, library: Library) -> bool:
    """Whether a file of that name is there and no record came of it."""
    file = f"/{FOLDERS[reference.kind].format(reference.id)}"
    return any(path.endswith(file) for path in library.paths)


def _problem(reference: Reference, library: Library) -> Problem:
    hint = did_you_mean(reference.id, library.answering[reference.kind])
    missing = f"or write entries/{FOLDERS[reference.kind].format(reference.id)}"
    return Problem(reference.loc, f'no {reference.kind} is called "{reference.id}"', hint or f"correct it, {missing}")
