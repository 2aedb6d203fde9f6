"""A component requires another version of something than the measured build did.

## What it flags
A requirement pin that differs between the measured build and the target's, for a component that the evaluation does
not pin itself.

## Why it matters
With the upgrade comes another transfer library, whatever the release notes say. What that changes is judged by the
changes of the library; this finding only says why it moves.

## What it leaves alone
It has no outcome of its own: a library that the record names is judged by its own changes, from its own pin. And what
is required under a condition that this setup is not known to meet: another engine's extra.

## Example
    vLLM 0.29.0 requires nixl 1.3.2, vLLM 0.33.0 requires nixl 1.5.0

## What to do
Pin the component in the record, or in the deployment, so that its own interval is judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.passage import Passage
from kb.together import required
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
        before = required(component, passage.was, passage.before, passage.scene.registry)
        after = required(component, passage.now, passage.after, passage.scene.registry)
        for name in sorted(before.keys() & after.keys()) if before is not after else ():
            if before[name] == after[name]:
                continue
            yield Ruling(
                f"{component} {passage.was} requires {name} {before[name]}, {passage.now} requires {after[name]}",
                place=Place(passage.scene.evaluation, passage.scene.loc),
                hint=f"{name} is judged by its own changes, where the record names it",
                expected=f"{name} {before[name]}",
                found=f"{name} {after[name]}",
                arm=passage.arm.id,
            )
