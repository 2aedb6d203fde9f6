"""Code that the claim is anchored in behaves differently, and no record says what changed.

## What it flags
An anchored function or class whose body differs in behaviour between the two builds, by the component's table of
symbols, while no change record that came with the same release names it. Any code of which a person has said that its
difference affects the claim (recheck) or that it is being looked into (unknown).

## Why it matters
It ships, it is the code that ran, and it is what the claim rests on; only what it does to the number is open.

## What it leaves alone
Code that only moved, was renamed, or differs in comments, types and logging; differences that a change record
accounts for: that record is judged instead. A draft by scan that says that nothing behaves differently does not account
for code that does: a person must have read it. Differences of which a person who read them has said, for this claim,
that they do not matter; what differs after the release up to which it was read speaks again. Differences that a review
was shown, release by release.

## Example
    vllm-nixl-pull:NixlPullConnectorWorker._read_blocks, changed in 0.30.0 by a pull request nobody recorded

## What to do
Read the hunk (`kb scan COMPONENT --from A --to B`). Record the change with its guards and dimensions, or, where it is
no matter for the claim, say so: `kb state COMPONENT:SYMBOL --claim ID/CLAIM --from A --to B --status not-affected
--justification WHY --because TEXT`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb import accounted
from kb.bearings import SILENT_KINDS
from kb.change import Change
from kb.digests import Between, Outcome
from kb.evaluation import Impact
from kb.passage import Passage
from kb.rules.draft_change import is_draft
from kb.turns import turns
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import ImpactStatus, Severity
from kb.vocabulary import Outcome as Answer

CODE = "KB248"
NAME = "anchor-changed"
SEVERITY = Severity.WARNING
STRONGEST = Answer.RECHECK
CONFIRMS = True


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Anchors of the claim in this line's components, and code that a person named."""
    if passage.was is None or passage.now is None or passage.scene.only is not None:
        return
    for anchor in passage.anchors:
        found = _between(anchor, passage)
        untold = _untold(found, anchor, passage)
        said = {each.turn.release: each for each in accounted.of_anchor(anchor, passage)} if untold else {}
        unread = tuple(release for release in untold if release not in said)
        if unread:
            yield _ruling(anchor, found, unread, passage)
        yield from _stated((said[release] for release in untold if release in said), passage)
    yield from _stated(accounted.beside_anchors(passage), passage)


def differs(passage: Passage) -> dict[str, tuple[str, ...]]:
    """Anchors -> the releases in which they differ, by no record that names them: what a reviewer is shown."""
    if passage.was is None or passage.now is None:
        return {}
    found = {anchor: _untold(_between(anchor, passage), anchor, passage) for anchor in passage.anchors}
    return {anchor: releases for anchor, releases in found.items() if releases}


def _between(anchor: str, passage: Passage) -> Between:
    component, _, symbol = anchor.partition(":")
    return passage.scene.registry.between(component, symbol, passage.was or "", passage.now or "")


def _untold(found: Between, anchor: str, passage: Passage) -> tuple[str, ...]:
    """Releases in which an anchor differs and that no change record which names it accounts for."""
    naming = [flip.change for _, flip, _ in passage.moved if _accounts(flip.change, anchor, passage)]
    component, _, symbol = anchor.partition(":")
    table = passage.scene.library.digests.table(component)
    releases = found.changed_in if found.outcome is Outcome.CHANGED else ()
    if found.outcome is Outcome.ABSENT_AT_SECOND and table is not None:
        releases = tuple(each.release for each in turns(table, symbol, passage.was or "", passage.now or ""))
    return tuple(release for release in releases if not _told(release, component, naming, passage))


def _accounts(change: Change, anchor: str, passage: Passage) -> bool:
    """Whether a record says what became of an anchor. That nothing did a person must have read: the table of symbols
    found that it behaves differently."""
    return anchor in passage.anchored(change) and not (is_draft(change) and change.kind in SILENT_KINDS)


def _told(release: str, component: str, naming: list[Change], passage: Passage) -> bool:
    """Whether one of the changes that name the anchor came or went with a release."""
    registry = passage.scene.registry
    before = registry.release_before(component, release)
    turned = (registry.carried(e, component, before) is not registry.carried(e, component, release) for e in naming)
    return any(turned)


def _ruling(anchor: str, found: Between, untold: tuple[str, ...], passage: Passage) -> Ruling:
    gone = found.outcome is Outcome.ABSENT_AT_SECOND
    what = f"is not in {passage.now}" if gone else f"behaves differently since {', '.join(untold)}"
    component = anchor.partition(":")[0]
    return Ruling(
        f"{anchor} {what}, and no change record between {passage.interval()} names it",
        Answer.RECHECK,
        confirm=True,
        place=Place(passage.scene.evaluation, (*passage.scene.loc, "anchors")),
        hint=f"read the hunk with `kb scan {component} --from {passage.was} --to {passage.now} --index`, "
        f"then record the change, or say what it means here with {passage.stating(anchor, code=True)}",
        symbol=anchor,
        expected=f"as in {passage.was}",
        found="gone" if gone else f"changed in {', '.join(untold)}",
        arm=passage.arm.id,
    )


def _stated(said: Iterable[accounted.Said], passage: Passage) -> Iterator[Ruling]:
    """What people found to matter, or are looking into, each statement once with the releases it speaks of."""
    by: dict[tuple[str, Impact], list[str]] = {}
    for each in said:
        if isinstance(each.statement, Impact) and not each.settles:
            by.setdefault((each.anchor, each.statement), []).append(each.turn.release)
    for (anchor, statement), releases in by.items():
        yield _by_person(anchor, statement, releases, passage)


def _by_person(anchor: str, statement: Impact, releases: list[str], passage: Passage) -> Ruling:
    matters = statement.status is ImpactStatus.AFFECTED
    changed = f"differs in {', '.join(releases)}"
    what = "a person who read it says that it matters" if matters else "a person is looking into it"
    evaluation = passage.scene.evaluation
    return Ruling(
        f"{anchor} {changed}, and {what} ({statement.date}): {statement.because}",
        Answer.RECHECK if matters else Answer.UNKNOWN,
        place=Place(evaluation, ("impacts", evaluation.impacts.index(statement))),
        hint=f"re-measure at {passage.asked_build}"
        if matters
        else f"say what came of it with {passage.stating(anchor, code=True)}",
        symbol=anchor,
        expected=f"as in {passage.was}",
        found=changed,
        arm=passage.arm.id,
        settles=None if matters else f"what {anchor} means for the claim since {', '.join(releases)}",
    )
