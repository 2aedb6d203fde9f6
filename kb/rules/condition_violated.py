"""The target violates a condition of the claim.

## What it flags
A condition that an arm at the target does not meet, by what the target states or by the default in force there.

## Why it matters
The claim was never about such a deployment. It is no statement about versions: the target's own choices decide it.

## What it leaves alone
A condition that only the version change breaks (condition-broken-by-version), and one that nobody can tell
(condition-unknown). A load that meets it in part is shown under `covers`.

## Example
    condition `decode.prefix_caching is off`, and the deployment has it on

## What to do
Look for the claim that covers you: a light-load claim beside a heavy-load one, another topology; or measure.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.meeting import Meeting, Met, is_of_builds, meetings, meetings_of
from kb.passage import Passage
from kb.scene import Scene
from kb.stake import Stake
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Outcome, Severity

CODE = "KB211"
NAME = "condition-violated"
SEVERITY = Severity.INFO
STRONGEST = Outcome.NOT_APPLICABLE
CONFIRMS = False


def judge(scene: Scene) -> Iterator[Said]:
    """Conditions that the target does not meet."""
    yield from (_ruling(each, scene) for each in meetings(scene) if each.met is Met.NO)


def judge_passage(passage: Passage) -> Iterator[Said]:
    """The same for conditions that a choice of builds decides."""
    yield from (_ruling(each, passage.scene) for each in meetings_of(passage) if each.met is Met.NO)


def is_idle(stake: Stake) -> bool:
    """Where no condition waits for a choice of builds."""
    return not is_of_builds(stake.scene, stake.arm.id)


def _ruling(meeting: Meeting, scene: Scene) -> Ruling:
    return Ruling(
        f"it asks for {meeting.condition}; at the target it is {meeting.found()}",
        Outcome.NOT_APPLICABLE,
        place=Place(scene.evaluation, (*scene.loc, "conditions", meeting.number)),
        hint=meeting.condition.why,
        condition=str(meeting.condition),
        expected=str(meeting.condition),
        found=meeting.found(),
        arm=meeting.arm.id,
    )
