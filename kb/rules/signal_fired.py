"""What would change the conclusion has happened.

## What it flags
A signal of the claim whose watch is fulfilled by the records: a change merged, released or measured; a later
evaluation of the question in the awaited relation or on the awaited setup.

## Why it matters
Its author wrote down in advance that this would reopen the conclusion. Which way, a person says.

## What it leaves alone
Merged is not released, and released is not measured: a watch that waits for a measurement is not fulfilled by a
merge. Signals that nothing computes. It has no outcome of its own.

## Example
    watches: {change: vllm-45211-pull-reader-thread, reaches: measured}, and an evaluation pins a release that
    carries it

## What to do
Read the records that fired it, and review the claim.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.scene import Scene
from kb.signals import State, state
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Severity

CODE = "KB260"
NAME = "signal-fired"
SEVERITY = Severity.WARNING
STRONGEST = None
CONFIRMS = True


def judge(scene: Scene) -> Iterator[Said]:
    """Signals of the claim that have fired."""
    for number, signal in enumerate(scene.evaluation.signals):
        if signal.claims and scene.claim.id not in signal.claims:
            continue
        seen = state(signal, scene.evaluation, scene.registry, scene.today)
        if seen.state is State.FIRED:
            yield Ruling(
                f"signal {signal.id} has fired ({', '.join(seen.by)}): {signal.what}",
                confirm=True,
                place=Place(scene.evaluation, ("signals", number)),
                hint="read what fired it, and review the claim",
                change=signal.watches.change if signal.watches else None,
                found=", ".join(seen.by),
            )
