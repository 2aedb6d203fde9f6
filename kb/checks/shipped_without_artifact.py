"""A change said to ship without anybody having opened the artifact.

## What it flags
An entry of `ships` with `ships: yes` that names neither a marker that was looked for nor versions that were opened;
and a merged change that ships nowhere and does not say `not-established`.

## Why it matters
Merged is not released: a revert may have come first, and a wheel may lack what the tag has.

## Example
    # entries/changes/it.md
    component: vllm
    kind: performance
    status: merged
    summary: Descriptors are posted in batches.
    ships: [{distribution: vllm, artifact: wheel, versions: ">=0.24.0", ships: yes}]

## What to do
Open the artifact, and write what you looked for (`marker`) and in which versions (`checked`). What you could not
establish is `not-established`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.change import Change
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import ChangeStatus, Severity, Ships

CODE = "KB160"
NAME = "shipped-without-artifact"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Answers without a witness."""
    record = loaded.record
    if not isinstance(record, Change):
        return
    for n, fact in enumerate(record.ships):
        lacking = [key for key in ("marker", "checked") if not getattr(fact, key)]
        if fact.ships is Ships.YES and lacking:
            message = f"{fact.distribution} {fact.versions} ships it, without {' or '.join(lacking)}"
            yield Problem(("ships", n), message, "open the artifact; what cannot be established is not-established")
    if record.status is ChangeStatus.MERGED and not record.ships:
        hint = "say per distribution and artifact: yes, no or not-established"
        yield Problem(("status",), "merged, and nothing says which artifacts carry it", hint)
