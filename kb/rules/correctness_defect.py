"""A defect made part of the measured region wrong.

## What it flags
A fix with the dimension `correctness` that the measured build lacks, whose guards are met by the arm as it was
measured: what was timed there may have been wrong work.

## Why it matters
Fewer or misplaced bytes are fast. The claim is true at most for the region that the defect does not reach.

## What it leaves alone
Defects behind a guard that the measured arm does not meet, and fixes that the measured build carried already.

## Example
    push on vLLM 0.25.0 with prefix caching on decode: blocks of a partial hit were written into the wrong slots
    until 0.28.0

## What to do
Confirm how far it reached, narrow the claim's conditions to the sound region, or measure again on a build with the
fix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from kb.change import Change
from kb.conditions import Truth
from kb.loads import meets
from kb.passage import Passage
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import ImpactStatus, Outcome, Severity

CODE = "KB230"
NAME = "correctness-defect"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.NARROWED
CONFIRMS = True


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Fixes of wrong results that the measured build lacks and whose defect it met."""
    for change, met in _lacking(passage):
        if met is Truth.YES:
            yield Ruling(
                f"{change.title}: {passage.line.names()} {passage.was} lacks this fix",
                Outcome.NARROWED,
                confirm=True,
                place=Place(change),
                hint="confirm how far the defect reached, and narrow the claim to the sound region",
                change=change.id,
                condition=", ".join(map(str, change.guards)) or None,
                expected="a build with the fix",
                found=passage.measured_build,
                arm=passage.arm.id,
            )


def open_defects(passage: Passage) -> Iterator[Ruling]:
    """Defects of which it is not established whether the measured region met them; said by change-not-established."""
    for change, met in _lacking(passage):
        if met is Truth.UNKNOWN:
            facts, setup, claim = passage.before, passage.measured, passage.scene.claim
            lacking = (str(each) for each in change.guards if meets(each, facts, setup, claim) is Truth.UNKNOWN)
            guard = next(lacking, f"phase {change.phase}")
            what = f"{passage.line.names()} {passage.was} lacks this fix, and whether what was measured met the defect"
            yield _open(change, what, guard, f"state what was measured: {guard}", passage)
    for change, met in _of(passage, passage.scene.registry.perhaps_lacking):
        if met is Truth.YES:
            carries = f"whether {passage.measured_build} carries this fix"
            look = f"look into the artifact of {passage.measured_build} and add it to `ships` of {change.id}"
            yield _open(change, carries, None, look, passage)


def _open(change: Change, what: str, guard: str | None, look: str, passage: Passage) -> Ruling:
    return Ruling(
        f"{change.title}: {what} is not established" + (f" ({guard})" if guard else ""),
        Outcome.UNKNOWN,
        place=Place(change, ("guards",) if guard else ("ships",)),
        hint=look,
        change=change.id,
        condition=guard,
        expected=guard or "a build with the fix",
        arm=passage.arm.id,
        settles=guard or look,
    )


def _lacking(passage: Passage) -> Iterator[tuple[Change, Truth]]:
    """Fixes that the measured build lacks, and whether what was measured met the defect."""
    return _of(passage, passage.scene.registry.lacking)


def _of(passage: Passage, fixes: Callable[[str, str], tuple[Change, ...]]) -> Iterator[tuple[Change, Truth]]:
    claim = passage.scene.claim
    for component in passage.line.components if passage.was else ():
        for change in fixes(component, passage.was or ""):
            if not _aside(change, passage):
                tested = (meets(guard, passage.before, passage.measured, claim) for guard in change.guards)
                yield change, Truth.all(chain((passage.felt(change),), tested))


def _aside(change: Change, passage: Passage) -> bool:
    """Whether it was patched in, settled by a person, or is not asked for."""
    said = passage.statement(change)
    settled = said is not None and said.status in {ImpactStatus.NOT_AFFECTED, ImpactStatus.REMEASURED}
    unasked = passage.scene.only is not None and change.id not in passage.scene.only
    return settled or unasked or change.id in passage.line.was.carries
