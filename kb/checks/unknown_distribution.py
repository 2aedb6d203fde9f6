"""A distribution that no component ships in.

## What it flags
`ships` of a change that names a distribution which neither its component, nor one it also changes, ships in.

## Why it matters
Whether a release carries the change is looked up by that name; under another name nobody finds it.

## Example
    # entries/changes/it.md
    component: vllm-nixl-push
    kind: performance
    status: merged
    summary: Descriptors are posted in batches.
    ships: [{distribution: vlllm, artifact: wheel, versions: ">=0.24.0", ships: yes, marker: m, checked: [0.24.0]}]

## What to do
Correct the name, or add it to the component's `also_ships_in`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.change import Change
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.vocabulary import Artifact, Severity

CODE = "KB164"
NAME = "unknown-distribution"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Distributions outside the component's own; images carry anything."""
    record = loaded.record
    if not isinstance(record, Change):
        return
    owners = [found for name in (record.component, *record.also) if (found := library.components.get(name))]
    names = {name for each in owners for name in (each.ships_in or each.id, *each.also_ships_in)}
    for n, fact in enumerate(record.ships):
        if names and fact.distribution not in names and fact.artifact is not Artifact.IMAGE:
            hint = did_you_mean(fact.distribution, names) or f"it ships in {', '.join(sorted(names))}"
            yield Problem(
                ("ships", n, "distribution"), f'{record.component} does not ship in "{fact.distribution}"', hint
            )
