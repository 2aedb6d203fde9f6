"""A range in which nothing was released.

## What it flags
A range of a change's `ships`, or of a component's facts, classes and paths, that holds none of the known releases of
its distribution.

## Why it matters
A fact about versions that do not exist is never used; usually two ends were swapped or a version was mistyped.

## Example
    # entries/changes/it.md
    component: vllm
    kind: performance
    status: merged
    summary: Descriptors are posted in batches.
    ships: [{distribution: vllm, artifact: wheel, versions: ">=0.26.0,<0.24.0", ships: not-established}]

## What to do
Correct the range. One that begins after the newest known release is fine: the release is still to come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.change import Change
from kb.component import Component
from kb.finding import Loc, Problem
from kb.library import Library
from kb.reading import Loaded
from kb.versions import contains, overlap, parse
from kb.vocabulary import Severity

CODE = "KB166"
NAME = "range-of-no-release"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Ranges that hold nothing that was released or may still be."""
    for loc, distribution, span in _ranges(loaded.record):
        known = [each.version for each in library.releases.get(distribution, ())]
        if known and not any(contains(span, each) for each in known) and not _still_to_come(span, known):
            yield Problem((*loc, "versions"), f"no known release of {distribution} lies in {span}", "correct the range")


def _ranges(record: object) -> Iterator[tuple[Loc, str, str]]:
    if isinstance(record, Change):
        yield from ((("ships", n), fact.distribution, fact.versions) for n, fact in enumerate(record.ships))
    elif isinstance(record, Component):
        home = record.ships_in or record.id
        for part in ("facts", "classes", "paths"):
            yield from (((part, n), home, each.versions) for n, each in enumerate(getattr(record, part)))


def _still_to_come(span: str, known: Iterable[str]) -> bool:
    newest = max(parsed for each in known if (parsed := parse(each)))
    return overlap(span, f">{newest}", ()) is not None
