"""Two facts about one release that disagree.

## What it flags
Two entries of a component's `facts` whose ranges overlap, under the same `when`, and that give different values for one
option, variable, default, argument, requirement, or the wire version. `unknown` disagrees with nothing.

## Why it matters
Whether a default changed between two releases is read off these facts; two answers for one release are none.

## Example
    # entries/components/it.yaml
    kind: connector
    ships_in: vllm
    facts:
      - {versions: ">=0.24.0", options: {num_threads: "4"}}
      - {versions: ">=0.26.0", options: {num_threads: "8"}}

## What to do
Close the earlier range where the later begins, or say under `when` what separates them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from kb.component import Component, Facts
from kb.finding import Loc, Problem
from kb.library import Library
from kb.reading import Loaded
from kb.versions import overlap
from kb.vocabulary import UNKNOWN, Severity

CODE = "KB171"
NAME = "facts-disagree"
SEVERITY = Severity.ERROR

TABLES = ("requires", "options", "env", "defaults", "passes")


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Pairs of facts with two values for one key at one release."""
    record = loaded.record
    if not isinstance(record, Component):
        return
    known = [each.version for each in library.releases_of(record.id)]
    by_key: dict[tuple[str, ...], list[tuple[int, Facts, str]]] = {}
    for n, fact in enumerate(record.facts):
        for key, value in _values(fact):
            by_key.setdefault(key, []).append((n, fact, value))
    for key, stated in by_key.items():
        for (_, a, left), (n, b, right) in combinations(stated, 2):
            if left == right or UNKNOWN in {left, right} or a.when != b.when:
                continue
            if (version := overlap(a.versions, b.versions, known)) is not None:
                loc: Loc = ("facts", n, *key)
                message = f'{".".join(key)} at {version}: "{left}" by {a.versions}, "{right}" by {b.versions}'
                yield Problem(loc, message, "close the earlier range where the later begins")


def _values(fact: Facts) -> Iterator[tuple[tuple[str, ...], str]]:
    for table in TABLES:
        yield from (((table, key), value) for key, value in getattr(fact, table).items())
    if fact.wire_version is not None:
        yield ("wire_version",), fact.wire_version
