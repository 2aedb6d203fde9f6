"""The version change itself breaks a condition of the claim.

## What it flags
A condition that was met where it was measured by a default in force there, and is not met at the target by the
default in force there, without anybody having set the key.

## Why it matters
Nobody chose that: an upgrade moved the setup out of the claim's conditions. It is to be measured again, not to be
dismissed.

## What it leaves alone
Keys that the target sets: what it chooses is its own (condition-violated).

## Example
    condition `decode.prefix_caching is off`; nobody sets it; off by default in 0.12, on in 0.14

## What to do
Set the key as it was, or measure with the new default.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.meeting import Meeting, Met, is_of_builds, meetings, meetings_of
from kb.passage import Passage
from kb.scene import Scene
from kb.stake import Stake
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Outcome, Severity

CODE = "KB212"
NAME = "condition-broken-by-version"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.RECHECK
CONFIRMS = False


def judge(scene: Scene) -> Iterator[Said]:
    """Conditions that only a default breaks."""
    yield from (_ruling(each, scene) for each in meetings(scene) if each.met is Met.BROKEN)


def judge_passage(passage: Passage) -> Iterator[Said]:
    """The same for conditions that a choice of builds decides."""
    yield from (_ruling(each, passage.scene) for each in meetings_of(passage) if each.met is Met.BROKEN)


def is_idle(stake: Stake) -> bool:
    """Where no condition waits for a choice of builds."""
    return not is_of_builds(stake.scene, stake.arm.id)


def _ruling(meeting: Meeting, scene: Scene) -> Ruling:
    was = meeting.arm.at_pin()
    shown = "; ".join(was.shown(key) for key in meeting.keys)
    return Ruling(
        f"{meeting.condition} was met by default where it was measured, and is not at the target: {meeting.found()}",
        Outcome.RECHECK,
        place=Place(scene.evaluation, (*scene.loc, "conditions", meeting.number)),
        hint=f"set {', '.join(meeting.keys)} as it was, or measure with the new default",
        condition=str(meeting.condition),
        expected=shown,
        found=meeting.found(),
        arm=meeting.arm.id,
    )
