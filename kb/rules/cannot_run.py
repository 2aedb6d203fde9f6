"""The target refuses to start or to connect.

## What it flags
A combination that a component of the arm refuses in the target's release, and a prefill and a decode side whose
wire versions differ.

## Why it matters
What cannot run has no latency. A mixed fleet during an upgrade is the usual case.

## What it leaves alone
Combinations that releases before or after refuse; refusals whose conditions are not known to be met.

## Example
    prefill on vLLM 0.28.0 and decode on 0.29.0: the compatibility hash differs

## What to do
Bring both sides to one release, or drop the option that is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.conditions import Truth
from kb.inforce import refusals
from kb.passage import Passage
from kb.stake import Stake
from kb.target import SIDES
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Outcome, Severity

CODE = "KB216"
NAME = "cannot-run"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.NOT_APPLICABLE
CONFIRMS = False


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Refusals of the line's components, and wire versions across the sides."""
    if passage.now is None:
        return
    for component in passage.line.components:
        record = passage.scene.library.components.get(component)
        for refusal, truth in refusals(record, passage.now, passage.after) if record and record.refuses else ():
            if truth is Truth.YES:
                conditions = ", ".join(map(str, refusal.when))
                yield _ruling(passage, component, f"{component} refuses {conditions}: {refusal.why or ''}", conditions)
    yield from _wire(passage)


def is_idle(stake: Stake) -> bool:
    """Where nothing is recorded that a component of the line refuses, and no other side is spoken to."""
    records = (stake.scene.library.components.get(each) for each in stake.line.components)
    return stake.line.side is None and not any(record and record.refuses for record in records)


def _wire(passage: Passage) -> Iterator[Ruling]:
    """A line of the other side that speaks another wire version than this one. Of two builds that are known prefill
    tells; where those of one side are open, each of them is asked beside the other side's."""
    line = passage.line
    for other in passage.arm.lines:
        sides = {line.side, other.side} == set(SIDES) and other.distribution == line.distribution
        if sides and other.now.one and (line.side == "prefill" or not line.now.one):
            for component in sorted(set(line.components) & set(other.components)):
                yield from _speak(component, passage, other.now.one)


def _speak(component: str, passage: Passage, there: str) -> Iterator[Ruling]:
    mine, other = (_wire_version(component, version, passage) for version in (passage.now or "", there))
    if mine and other and mine != other:
        prefill, decode = (mine, other) if passage.line.side == "prefill" else (other, mine)
        message = f"{component} speaks wire version {prefill} on prefill and {decode} on decode"
        yield _ruling(passage, component, message, "one wire version")


def _wire_version(component: str, version: str, passage: Passage) -> str | None:
    record = passage.scene.library.components.get(component)
    stated = [str(fact.wire_version) for fact in (record.facts_at(version) if record else ()) if fact.wire_version]
    return stated[0] if stated else None


def _ruling(passage: Passage, component: str, message: str, condition: str) -> Ruling:
    record = passage.scene.library.components[component]
    return Ruling(
        f"it cannot run: {message}",
        Outcome.NOT_APPLICABLE,
        place=Place(record, ("facts",)),
        hint="bring both sides to one release, or drop what is refused",
        condition=condition,
        expected="a pair that starts and connects",
        found=passage.asked_build,
        arm=passage.arm.id,
    )
