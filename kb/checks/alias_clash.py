"""A name that two records answer to.

## What it flags
An id, alias or class name of this record that another record of the same kind also carries.

## Why it matters
`component:NixlConnector` in a search, or an old id in a link, finds the wrong one of the two.

## Example
    aliases: [taken-id]  # another evaluation is called so

## What to do
Keep the alias where people mean that record, and drop it from the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.component import Component
from kb.finding import Loc, Problem
from kb.library import KIND_OF, Library
from kb.model import RecordModel
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB113"
NAME = "alias-clash"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Names that lead to more than one record."""
    record = loaded.record
    if not isinstance(record, RecordModel):
        return
    answering = library.answering[KIND_OF[type(record)]]
    for loc, name in _names(record):
        for other in sorted(answering.get(name.casefold(), frozenset()) - {record.id}):
            yield Problem(loc, f'"{name}" is also a name of "{other}"', "keep it in one of the two")


def _names(record: RecordModel) -> Iterator[tuple[Loc, str]]:
    yield from ((("aliases", n), name) for n, name in enumerate(record.aliases))
    if isinstance(record, Component):
        yield from ((("classes", n, "name"), each.name) for n, each in enumerate(record.classes))
