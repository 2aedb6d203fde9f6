"""A record that hides one of a mounted base.

## What it flags
A record with the id of a record of the same kind in a mounted base.

## Why it matters
The base's own record goes before the mounted one, so corrections made there never arrive here.

## Example
    id: shared-result  # the mounted base has a record of this id, and the file is called shared-result.md

## What to do
Choose another id and relate the two; where hiding is meant, allow this check with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.finding import Problem
from kb.library import KIND_OF, Library
from kb.model import RecordModel
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB114"
NAME = "shadowed-record"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Mounted records of the same kind and id."""
    record = loaded.record
    if not isinstance(record, RecordModel):
        return
    for path in library.paths_of[(KIND_OF[type(record)], record.id)]:
        if path not in library.own:
            hint = "choose another id, or allow this check and say why"
            yield Problem(("id",), f'"{record.id}" hides {path}', hint)
