"""The arm's component is not in the target's build any more.

## What it flags
A connector none of whose classes can be configured in the target's release, according to its component record.

## Why it matters
The arm cannot be run: a comparison with it says nothing for that target any more.

## What it leaves alone
A class that only got another name, and a component that another one replaces: that is a change, to be measured again.

## Example
    P2pNcclConnector, removed in vLLM 0.28.0

## What to do
Look for what took its place, or keep the claim as history.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.passage import Passage
from kb.stake import Stake
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import ChangeKind, ChangeRelation, Outcome, Severity, Ships

CODE = "KB246"
NAME = "component-removed"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.NOT_APPLICABLE
CONFIRMS = False


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Components of the line that the target's build does not have."""
    if passage.now is None:
        return
    for component in passage.line.components:
        if not passage.scene.registry.exists(component, passage.now):
            yield _ruling(component, passage)


def is_idle(stake: Stake) -> bool:
    """Where every release that is asked about has all components of the line."""
    line, registry = stake.line, stake.scene.registry
    return all(registry.exists(each, version) for each in line.components for version in line.now.versions)


def _ruling(component: str, passage: Passage) -> Ruling:
    heir, removal = _replaced(component, passage), _removal(component, passage)
    record = passage.scene.library.components[component]
    takes = f"; {heir} takes its place" if heir else ""
    names = ", ".join(dict.fromkeys(each.name for each in record.classes))
    return Ruling(
        f"{passage.line.names()} {passage.now} has no {component} ({names}){takes}",
        Outcome.RECHECK if heir else Outcome.NOT_APPLICABLE,
        place=Place(record, ("classes",)),
        hint=f"measure {heir} in its place" if heir else "look for what took its place",
        change=removal,
        expected=f"{component}, as in {passage.was}",
        found="not in the release",
        arm=passage.arm.id,
    )


def _removal(component: str, passage: Passage) -> str | None:
    """The record of the removal that ships at the target."""
    registry = passage.scene.registry
    gone = (each for each in registry.changes.get(component, ()) if each.kind is ChangeKind.REMOVAL)
    return next((e.id for e in gone if registry.carried(e, component, passage.now or "") is Ships.YES), None)


def _replaced(component: str, passage: Passage) -> str | None:
    """What the removal's record, or a change that the target carries, says takes its place."""
    registry = passage.scene.registry
    removed = _removal(component, passage)
    for change in registry.library.changes.values():
        replaces = any(each.relation is ChangeRelation.REPLACES and each.to == removed for each in change.relations)
        if removed and replaces and registry.carried(change, change.component, passage.now or "") is Ships.YES:
            return change.component
    also = registry.library.changes[removed].also if removed else ()
    return next((name for name in also if name != component and registry.exists(name, passage.now or "")), None)
