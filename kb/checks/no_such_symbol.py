"""An anchor that names code which no scanned release has.

## What it flags
A `component:symbol` of a claim, of a statement about code that was read, or of a change that ships in a scanned
release, that is in none of the releases in the component's table of symbols. Silent where a component has no table, or
has code in other languages than Python.

## Why it matters
An audit follows the code of an anchor from release to release. A misspelt name is followed nowhere, and nobody notices.

## Example
    claims:
      - id: reads
        kind: mechanism
        says: Decode reads.
        anchors: {pull: ["vllm-nixl-pull:NixlPullConnectorWorker._reed_blocks"]}

## What to do
Correct the name; `kb scan COMPONENT --from A --to B --index` lists the symbols of two releases.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.anchors import anchors
from kb.change import Change
from kb.digests import Table
from kb.evaluation import Evaluation
from kb.finding import Loc, Problem
from kb.library import Library
from kb.reading import Loaded
from kb.suggest import nearest
from kb.versions import contains
from kb.vocabulary import Severity, Ships

CODE = "KB167"
NAME = "no-such-symbol"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Anchors against the tables of symbols."""
    for loc, component, symbol in _named(loaded, library):
        table = library.digests.table(component)
        if table and not table.partial and not table.exists(symbol):
            span = f"{table.releases[0]} to {table.releases[-1]}"
            yield Problem(loc, f"{component} has no {symbol} in any scanned release ({span})", _hint(symbol, table))


def _named(loaded: Loaded, library: Library) -> Iterator[tuple[Loc, str, str]]:
    record = loaded.record
    if isinstance(record, Evaluation):
        yield from ((each.loc, each.component, each.symbol) for each in anchors(record, library))
        for n, impact in enumerate(record.impacts):
            for m, name in enumerate(impact.symbols):
                component, _, symbol = name.partition(":")
                yield ("impacts", n, "symbols", m), component, symbol
    elif isinstance(record, Change):
        for n, name in enumerate(record.symbols):
            component, _, symbol = name.partition(":")
            table = library.digests.table(component)
            if table and _ships(record, table):
                yield ("symbols", n), component, symbol


def _ships(change: Change, table: Table) -> bool:
    """Whether a scanned release carries the change: the code of a proposal may be in none yet."""
    carried = [each for each in change.ships if each.ships is Ships.YES and each.distribution == table.distribution]
    return any(contains(each.versions, version) for each in carried for version in table.releases)


def _hint(symbol: str, table: Table) -> str | None:
    """The nearest name: the same function of another class first, then the same class, then any."""
    owner, _, last = symbol.rpartition(".")
    groups = (
        [name for name in table.names if name.rpartition(".")[2] == last],
        [name for name in table.names if owner and name.rpartition(".")[0] == owner],
        table.names,
    )
    near = next((found for group in groups if (found := nearest(symbol, group))), None)
    return f'did you mean "{near}"?' if near else None
