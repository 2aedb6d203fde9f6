"""Code that the claim is anchored in behaves differently, and no record says what changed.

## What it flags
An anchored function or class whose body differs in behaviour between the two builds, by the component's table of
symbols, while no change record that came with the same release names it.

## Why it matters
It ships, it is the code that ran, and it is what the claim rests on; only what it does to the number is open.

## What it leaves alone
Code that only moved, was renamed, or differs in comments, types and logging; differences that a change record
accounts for: that record is judged instead.

## Example
    vllm-nixl-pull:NixlPullConnectorWorker._read_blocks, changed in 0.30.0 by a pull request nobody recorded

## What to do
Read the hunk (`kb scan COMPONENT --from A --to B`), record the change with its guards and dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.change import Change
from kb.digests import Between, Outcome
from kb.passage import Passage
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Outcome as Answer
from kb.vocabulary import Severity

CODE = "KB248"
NAME = "anchor-changed"
SEVERITY = Severity.WARNING


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Anchors of the claim in this line's components."""
    if passage.was is None or passage.now is None or passage.scene.only is not None:
        return
    for anchor in passage.anchors:
        component, _, symbol = anchor.partition(":")
        found = passage.scene.registry.between(component, symbol, passage.was, passage.now)
        naming = [each.change for each in passage.answers if anchor in each.symbols]
        if found.outcome is Outcome.ABSENT_AT_SECOND and not naming:
            yield _ruling(anchor, found, (), passage)
        elif found.outcome is Outcome.CHANGED:
            untold = tuple(release for release in found.changed_in if not _told(release, component, naming, passage))
            if untold:
                yield _ruling(anchor, found, untold, passage)


def _told(release: str, component: str, naming: list[Change], passage: Passage) -> bool:
    """Whether one of the changes that name the anchor came or went with a release."""
    registry = passage.scene.registry
    versions = [each.version for each in registry.releases(component)]
    place = versions.index(release) if release in versions else 0
    before = versions[place - 1] if place else release
    turned = (registry.carried(e, component, before) is not registry.carried(e, component, release) for e in naming)
    return any(turned)


def _ruling(anchor: str, found: Between, untold: tuple[str, ...], passage: Passage) -> Ruling:
    gone = found.outcome is Outcome.ABSENT_AT_SECOND
    what = f"is not in {passage.now}" if gone else f"behaves differently since {', '.join(untold)}"
    return Ruling(
        f"{anchor} {what}, and no change record between {passage.interval()} names it",
        Answer.RECHECK,
        confirm=True,
        place=Place(passage.scene.evaluation, (*passage.scene.loc, "anchors")),
        hint=f"read the hunk with `kb scan {anchor.partition(':')[0]} --from {passage.was} --to {passage.now} --index`",
        symbol=anchor,
        expected=f"as in {passage.was}",
        found="gone" if gone else f"changed in {', '.join(untold)}",
        arm=passage.arm.id,
    )
