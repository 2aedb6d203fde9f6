"""An id used twice.

## What it flags
Two records with one id, and two arms, points, claims or signals of one record with one id; in the vocabulary, two
words of one list with one id.

## Why it matters
A reference to that id means either of the two; which one is found depends on the order of reading.

## Example
    signals:
      - {id: replication, what: an independent replication, until: 2027-01-19}
      - {id: replication, what: a replication with several decoders, until: 2027-01-19}

## What to do
Give one of them another id.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.finding import Loc, Problem
from kb.library import KIND_OF, Library
from kb.model import RecordModel
from kb.reading import Loaded
from kb.terms import Vocabulary
from kb.vocabulary import Kind, Severity

CODE = "KB109"
NAME = "duplicate-id"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Ids claimed twice in the base's own records or within this one."""
    if isinstance(loaded.record, RecordModel):
        yield from _across(loaded, loaded.record, library)
    for part, ids in _lists(loaded.record):
        yield from _within(part, ids)


def _across(loaded: Loaded, record: RecordModel, library: Library) -> Iterator[Problem]:
    kind = KIND_OF[type(record)]
    for other in Kind:
        for path in library.paths_of.get((other, record.id), ()):
            shadows = other is kind and path not in library.own
            if path != loaded.path and not shadows:
                yield Problem(("id",), f'"{record.id}" is also the id of {path}', "rename one of the two")


def _lists(record: object) -> Iterator[tuple[str, list[str | None]]]:
    if isinstance(record, Evaluation):
        yield "arms", [each.id for each in record.arms]
        yield "points", [each.id for each in record.points]
        yield "claims", [each.id for each in record.claims]
        yield "signals", [each.id for each in record.signals]
    elif isinstance(record, Vocabulary):
        yield "questions", [each.id for each in record.questions]
        yield "dimensions", [each.id for each in record.dimensions]
        yield "metrics", [each.id for each in record.metrics]
        yield "terms", [each.id for each in record.terms]


def _within(part: str, ids: list[str | None]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for n, name in enumerate(ids):
        if name is not None and first.setdefault(name, n) != n:
            loc: Loc = (part, n, "id")
            yield Problem(loc, f'{part}: "{name}" is used twice', "give one of them another id")
