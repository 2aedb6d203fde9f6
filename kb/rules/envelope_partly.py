"""The target lies only partly inside what was tested, or does not say where it lies.

## What it flags
A load of the target that reaches beyond the tested ends, and one that the target does not state.

## Why it matters
For the part inside, the claim is as good as it was; for the rest nothing was shown. `covers` tells the two apart,
and a person confirms that the part is the one that counts.

## What it leaves alone
Targets wholly inside; keys of which a condition speaks.

## Example
    measured at 1 to 8 requests per second, asked for 4 to 20

## What to do
State the load, or ask for the part that matters to you.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.envelope import NOT_KNOWN, PARTLY, envelope
from kb.meeting import Met, meetings
from kb.scene import Scene
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Severity

CODE = "KB215"
NAME = "envelope-partly"
SEVERITY = Severity.INFO
STRONGEST = None
CONFIRMS = True


def judge(scene: Scene) -> Iterator[Said]:
    """Keys of the envelope, and load conditions, that are met in part or cannot be placed."""
    for side in envelope(scene):
        if side.where in {PARTLY, NOT_KNOWN}:
            message = f"{side.key}: asked {side.asked}, tested {side.tested}"
            yield _ruling(scene, message, side.key, side.tested, side.asked)
    for each in meetings(scene):
        if each.met is Met.PARTLY:
            message = f"{each.condition} is met by part of the target's load ({each.found()})"
            yield _ruling(scene, message, str(each.condition), str(each.condition), each.found())


def _ruling(scene: Scene, message: str, condition: str, expected: str, found: str) -> Ruling:
    return Ruling(
        message,
        confirm=True,
        place=Place(scene.evaluation, scene.loc),
        hint="the claim speaks for the part inside only",
        condition=condition,
        expected=expected,
        found=found,
    )
