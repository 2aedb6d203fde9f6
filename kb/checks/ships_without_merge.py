"""A change that ships although it was never merged.

## What it flags
`ships: yes` of a change whose status is `proposed` or `closed`.

## Why it matters
Either the status is old, or somebody's own build is meant; a release carries what was merged.

## Example
    # entries/changes/it.md
    component: vllm
    kind: performance
    status: proposed
    summary: Descriptors are posted in batches.
    ships: [{distribution: vllm, artifact: wheel, versions: ">=0.24.0", ships: yes, marker: m, checked: [0.24.0]}]

## What to do
Bring the status up to date. A change that shipped through another proposal is that proposal's record, related by
`replaces`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.change import Change
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Artifact, ChangeStatus, Severity, Ships

CODE = "KB162"
NAME = "ships-without-merge"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Releases that carry what was not merged; an image may be anybody's build."""
    record = loaded.record
    if isinstance(record, Change) and record.status in {ChangeStatus.PROPOSED, ChangeStatus.CLOSED}:
        for n, fact in enumerate(record.ships):
            if fact.ships is Ships.YES and fact.artifact is not Artifact.IMAGE:
                message = f"{record.status}, and {fact.distribution} {fact.versions} ships it"
                yield Problem(("ships", n, "ships"), message, "bring the status up to date")
