"""A component requires another version of something than the measured build did.

## What it flags
A requirement pin that differs between the measured build and the target's, for a component that the evaluation does
not pin itself.

## Why it matters
With the upgrade comes another transfer library, whatever the release notes say. What that changes is judged by the
changes of the library; this finding only says why it moves.

## What it leaves alone
It has no outcome of its own: a library that the record names is judged by its own changes, from its own pin.

## Example
    vLLM 0.29.0 requires nixl 1.3.2, vLLM 0.33.0 requires nixl 1.5.1

## What to do
Pin the component in the record, or in the deployment, so that its own interval is judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.passage import Passage
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Severity

CODE = "KB245"
NAME = "requirement-moved"
SEVERITY = Severity.INFO
STRONGEST = None
CONFIRMS = False


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Requirements that differ and whose component the arm leaves open."""
    if passage.was is None or passage.now is None or passage.scene.only is not None:
        return
    for component in passage.line.components:
        moved = passage.scene.registry.required_anew(component, passage.was, passage.now)
        for name, before, after in moved:
            yield Ruling(
                f"{component} {passage.was} requires {name} {before}, {passage.now} requires {after}",
                place=Place(passage.scene.evaluation, passage.scene.loc),
                hint=f"{name} is judged by its own changes, where the record names it",
                expected=f"{name} {before}",
                found=f"{name} {after}",
                arm=passage.arm.id,
            )
