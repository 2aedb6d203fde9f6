"""A statement about code that does not differ where it is said to have been read.

## What it flags
An impact statement about symbols, one of which is the same in the two releases that it names (`since`, `until`), is in
neither, or whose component's table of symbols was not scanned at one of them. Silent where a component has no table, or
has code in other languages than Python.

## Why it matters
A statement settles what differs after `since` up to `until`. One about nothing settles nothing, and reads as if it did.

## Example
    impacts:
      - symbols: ["vllm-nixl-pull:NixlPullConnectorWorker._read_blocks"]
        since: 0.26.0
        until: 0.29.0
        claim: reads
        status: not-affected
        justification: refactor-only
        because: The hunk renames an argument.
        date: 2026-11-30

## What to do
Name the two releases between which it differs; `kb show` says in which an anchor changed, `kb state` refuses others.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.digests import Table
from kb.evaluation import Evaluation, Impact
from kb.finding import Loc, Problem
from kb.library import Library
from kb.reading import Loaded
from kb.turns import turns
from kb.vocabulary import Severity

CODE = "KB195"
NAME = "reading-of-nothing"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Statements about symbols against the tables of symbols."""
    for n, impact in enumerate(loaded.record.impacts if isinstance(loaded.record, Evaluation) else ()):
        for m, name in enumerate(impact.symbols):
            component, _, symbol = name.partition(":")
            table = library.digests.table(component)
            if table and not table.partial and table.exists(symbol):
                yield from _of(impact, symbol, table, ("impacts", n), ("impacts", n, "symbols", m))


def _of(impact: Impact, symbol: str, table: Table, statement: Loc, place: Loc) -> Iterator[Problem]:
    since, until = impact.since or "", impact.until or ""
    unscanned = [(key, each) for key, each in (("since", since), ("until", until)) if table.position(each) is None]
    for key, version in unscanned:
        hint = f"scanned are {', '.join(table.releases)}"
        yield Problem((*statement, key), f"{version} of {table.component} was not scanned", hint)
    if not unscanned and not turns(table, symbol, since, until):
        found = [each.release for each in turns(table, symbol, table.releases[0], table.releases[-1])]
        hint = f"it differs in {', '.join(found)}" if found else "it is the same in every scanned release"
        yield Problem(place, f"{table.component} has the same {symbol} in {since} and {until}", hint)
