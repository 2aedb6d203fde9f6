"""A table of symbols that cannot be used.

## What it flags
A file `<component>.symbols.tsv` beside the component's record that is damaged, was written in a newer layout, or is the
table of another component.

## Why it matters
Without its table nothing is said of the component's anchored code: audits and `kb show` pass over it.

## Example
    # entries/components/damaged.yaml
    kind: connector

## What to do
Take the file back from version control, or delete it and begin a new one with `kb scan COMPONENT --from A --to B
--index --write`. For a newer layout, use a newer version of the tool.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.component import Component
from kb.errors import KbError
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB173"
NAME = "symbols-unreadable"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """The component's own table."""
    if not isinstance(loaded.record, Component):
        return
    try:
        table = library.digests.read(loaded.record.id)
    except KbError as error:
        yield Problem(("id",), error.message, error.hint)
        return
    if table and table.component != loaded.record.id:
        yield Problem(
            ("id",),
            f"its table of symbols is that of {table.component}",
            "take it back from version control, or delete it",
        )
