"""An artifact that was opened for another range.

## What it flags
A version under `checked` that does not lie in the range its entry speaks of, or that is no version.

## Why it matters
The range rests on what was opened; a witness from outside it witnesses nothing.

## Example
    # entries/changes/it.md
    component: vllm
    kind: performance
    status: merged
    summary: Descriptors are posted in batches.
    ships: [{distribution: vllm, artifact: wheel, versions: ">=0.26.0", ships: yes, marker: m, checked: [0.24.0]}]

## What to do
Correct the range or the versions.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.change import Change
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.versions import contains
from kb.vocabulary import Severity

CODE = "KB163"
NAME = "checked-outside-range"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Witnesses from elsewhere."""
    record = loaded.record
    if isinstance(record, Change):
        for n, fact in enumerate(record.ships):
            for m, version in enumerate(fact.checked):
                if contains(fact.versions, version) is not True:
                    yield Problem(("ships", n, "checked", m), f'"{version}" does not lie in {fact.versions}')
