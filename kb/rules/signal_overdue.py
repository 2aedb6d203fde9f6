"""A signal's horizon has passed, and it has not fired.

## What it flags
A signal of the claim whose `until` is before the day that was given with `--today`.

## Why it matters
Its author wanted to know by then. Nobody does.

## What it leaves alone
Signals that have fired. Without `--today` nothing is overdue: the tool has no clock. It has no outcome of its own.

## Example
    until: 2027-01-19, audited with --today 2027-02-01

## What to do
Look for the evidence yourself, or set a new horizon with a reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.scene import Scene
from kb.signals import State, state
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Severity

CODE = "KB261"
NAME = "signal-overdue"
SEVERITY = Severity.INFO
STRONGEST = None
CONFIRMS = False


def judge(scene: Scene) -> Iterator[Said]:
    """Signals of the claim that are overdue."""
    for number, signal in enumerate(scene.evaluation.signals):
        if signal.claims and scene.claim.id not in signal.claims:
            continue
        if state(signal, scene.evaluation, scene.registry, scene.today).state is State.OVERDUE:
            yield Ruling(
                f"signal {signal.id} is overdue since {signal.until}: {signal.what}",
                place=Place(scene.evaluation, ("signals", number)),
                hint="look for the evidence, or set a new horizon",
                expected=f"known by {signal.until}",
                found=f"not fired on {scene.today}",
            )
