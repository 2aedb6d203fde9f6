"""Whether the target meets a condition of the claim cannot be told.

## What it flags
A condition that speaks of a fact which the target does not state and for which no default is known.

## Why it matters
The missing fact can turn the answer round. Unknown is asked for, never assumed.

## What it leaves alone
Everything, once another condition is violated: then the claim is not about the target whatever this fact is. Load
conditions of the evaluation's own setup: the claim names the part of it that it speaks of.

## Example
    condition `router.dispatch is concurrent`, and nobody says in which order the router sends the two legs

## What to do
State the key in the deployment or the record; the finding names it.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.meeting import Meeting, Met, meetings, meetings_of
from kb.passage import Passage
from kb.scene import Scene
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import UNKNOWN, Outcome, Severity

CODE = "KB213"
NAME = "condition-unknown"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.UNKNOWN
CONFIRMS = False


def judge(scene: Scene) -> Iterator[Said]:
    """Conditions that speak of unstated facts."""
    yield from (_ruling(each, scene) for each in meetings(scene) if each.met is Met.UNKNOWN)


def judge_passage(passage: Passage) -> Iterator[Said]:
    """The same for conditions that a choice of builds decides."""
    yield from (_ruling(each, passage.scene) for each in meetings_of(passage) if each.met is Met.UNKNOWN)


def _ruling(meeting: Meeting, scene: Scene) -> Ruling:
    wanted, found = ", ".join(meeting.keys), meeting.found()
    told = "" if found == UNKNOWN else f" ({found})"
    return Ruling(
        f"whether {meeting.condition} at the target is not known{told}",
        Outcome.UNKNOWN,
        place=Place(scene.evaluation, (*scene.loc, "conditions", meeting.number)),
        hint=f"state {wanted}" + (f": {meeting.condition.why}" if meeting.condition.why else ""),
        condition=str(meeting.condition),
        expected=str(meeting.condition),
        found=found,
        arm=meeting.arm.id,
        settles=wanted,
    )
