"""A hypothesis: nobody has shown it.

## What it flags
A claim of kind `hypothesis`.

## Why it matters
It says what would have to be measured. There is nothing yet that could hold or age.

## What it leaves alone
Measured claims, and mechanisms, which explain what was measured.

## Example
    "holds with many decoders": a hypothesis, since one pair was measured

## What to do
Measure it (`kb plan`), and record the evaluation with a relation to this one.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.scene import Scene
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import ClaimKind, Outcome, Severity

CODE = "KB204"
NAME = "hypothesis-not-shown"
SEVERITY = Severity.INFO
STRONGEST = Outcome.UNKNOWN
CONFIRMS = False


def judge(scene: Scene) -> Iterator[Said]:
    """Claims that were never measured."""
    if scene.claim.kind is ClaimKind.HYPOTHESIS:
        yield Ruling(
            "nobody has shown this: it is a hypothesis",
            Outcome.UNKNOWN,
            place=Place(scene.evaluation, (*scene.loc, "kind")),
            hint="measure it, and record that with a relation to this evaluation",
            expected="a measurement",
            found="none",
            settles="a measurement",
        )
