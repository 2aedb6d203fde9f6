"""A later comparable evaluation gives the same answer.

## What it flags
A measured claim of a later evaluation that is comparable field by field and points the same way.

## Why it matters
It strengthens the claim. It does not settle a change by itself: a person says that the change was measured with it
(`kb state ... --status remeasured`).

## What it leaves alone
Everything that is not comparable. It has no outcome of its own.

## Example
    the same comparison, repeated on the newest release, with the same arm ahead

## What to do
Nothing; or move the review forward with it as the reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.later import Sort, later
from kb.scene import Scene
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Severity

CODE = "KB222"
NAME = "later-supports"
SEVERITY = Severity.INFO
STRONGEST = None
CONFIRMS = False


def judge(scene: Scene) -> Iterator[Said]:
    """Later claims with the same answer."""
    for each in later(scene):
        if each.sort is Sort.SUPPORTS:
            yield Ruling(
                f"{each.name} ({each.evaluation.date}) gives the same answer: {each.claim.says}",
                place=Place(each.evaluation, ("claims", each.evaluation.claims.index(each.claim))),
                expected=scene.claim.says,
                found=each.claim.says,
            )
