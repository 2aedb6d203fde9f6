"""Two answers to whether a release carries a change.

## What it flags
Two entries of `ships` for one distribution and kind of artifact whose ranges overlap and whose answers differ.

## Why it matters
For a version in both ranges nobody can say whether the change is there.

## Example
    # entries/changes/it.md
    component: vllm
    kind: performance
    status: merged
    summary: Descriptors are posted in batches.
    ships:
      - {distribution: vllm, artifact: wheel, versions: ">=0.24.0", ships: yes, marker: m, checked: [0.24.0]}
      - {distribution: vllm, artifact: wheel, versions: ">=0.26.0", ships: no, marker: m, checked: [0.26.0]}

## What to do
Close the earlier range where the later begins: `>=0.24.0,<0.26.0`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from kb.change import Change
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.versions import overlap
from kb.vocabulary import Severity

CODE = "KB161"
NAME = "overlapping-ships"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Pairs of entries that disagree on a version."""
    record = loaded.record
    if not isinstance(record, Change):
        return
    for (_, a), (n, b) in combinations(enumerate(record.ships), 2):
        if (a.distribution, a.artifact) == (b.distribution, b.artifact) and a.ships is not b.ships:
            known = [each.version for each in library.releases.get(a.distribution, ())]
            if (version := overlap(a.versions, b.versions, known)) is not None:
                message = f"{a.distribution} {version}: {a.ships} by {a.versions}, {b.ships} by {b.versions}"
                yield Problem(("ships", n, "versions"), message, "close the earlier range where the later begins")
