"""What was measured, or what the target runs, is no release: a branch, a fork, a patch on top.

## What it flags
An arm that ran a branch, a fork, or a release with patches of which no change record tells. A deployment that states
one of these, and that the measured arm did not have.

## Why it matters
A branch is not the release that it became: it may have been reworked before it shipped. A fork can have another
data plane, and then it is another component. Whether the released code is the code that was measured is for a
person to say.

## What it leaves alone
A target that runs the same branch or fork. Patches that alter nothing the claim rests on, by their change record.
Releases that are given by hand: they are asked about as they were published.

## Example
    connector: {component: vllm-nixl-push, branch: "pull request 35264"}

## What to do
Measure a release; or confirm, with a reason, that what shipped is what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.change import Change
from kb.conditions import Truth
from kb.lines import Part, role_pins
from kb.once import once
from kb.passage import Passage
from kb.silence import concerns, silence
from kb.stake import Stake
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import UNKNOWN, ChangeStatus, Outcome, Severity, Ships

CODE = "KB203"
NAME = "not-a-release"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.NOT_APPLICABLE
CONFIRMS = True


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Own builds among the pins of a line."""
    told = set()
    for part in passage.line.parts if passage.line.own_build else ():
        build = (part.pin.get("fork"), part.pin.get("branch"), part.pin.get("patches"))
        if build in told:
            continue  # the engine and the connector in it are one build
        told.add(build)
        if _stated(part, "fork") and not _same_there(part, "fork", passage):
            yield _fork(part, passage)
        elif _stated(part, "branch") and not _same_there(part, "branch", passage):
            yield _branch(part, passage)
        yield from _patches(part, passage)
    for part, key, runs in _not_measured(passage.stake):
        yield from _runs(part, key, runs, passage)


def is_idle(stake: Stake) -> bool:
    """Where releases ran, and run."""
    return not stake.line.own_build and not _not_measured(stake)


@once
def _not_measured(stake: Stake) -> tuple[tuple[Part, str, str], ...]:
    """Forks, branches and patches that the deployment has in a line and that were not measured, each with its part."""
    line, target = stake.line, stake.scene.target
    if target.own or target.version(line.side, (*line.components, line.distribution)):
        return ()
    told, found = set(), []
    for part in line.parts:
        for side, pin in role_pins(stake.arm.asked, part.role).items():
            build = tuple((name, pin.get(name)) for name in ("fork", "branch", "patches"))
            if build in told or (None not in {side, line.side} and side != line.side):
                continue
            told.add(build)
            alone = (name for name in ("fork", "branch") if pin.get(name) not in {None, UNKNOWN, part.pin.get(name)})
            found += [(part, name, str(pin[name])) for name in alone]
            patched = (patch for patch in pin.get("patches") or () if patch not in (part.pin.get("patches") or ()))
            found += [(part, "patches", str(patch)) for patch in patched]
    return tuple(found)


def _runs(part: Part, key: str, build: str, passage: Passage) -> Iterator[Ruling]:
    """What a fork, a branch or a patch of the deployment means."""
    registry = passage.scene.registry
    named = registry.named(build) if key == "patches" else registry.proposed_as(build, part.component)
    if key == "fork":
        what = f"the target runs the fork {build} of {part.component}, which is another component than was measured"
        yield _asked(key, build, passage, Outcome.NOT_APPLICABLE, what)
    elif not named:
        what = f"the target runs {part.component} with {build}, and what that alters is not established"
        yield _asked(key, build, passage, Outcome.UNKNOWN, what)
    for change in (registry.library.changes[name] for name in sorted(named) if key != "fork"):
        builds = (passage.was or "", passage.now or "")
        if change.id in passage.line.was.carries or Ships.YES in {
            registry.carried(change, part.component, each) for each in builds
        }:
            continue  # measured with it, or judged as a change of the release
        answers = passage.if_shipped(change, part.component)
        if answers.all is not Truth.NO and silence(answers, passage) is None:
            outcome = Outcome.RECHECK if answers.all is Truth.YES else Outcome.UNKNOWN
            what = f"the target runs {part.component} with {change.id}, which {passage.measured_build} does not carry"
            yield _asked(key, build, passage, outcome, what, change)


def _asked(
    key: str, build: str, passage: Passage, outcome: Outcome, message: str, change: Change | None = None
) -> Ruling:
    return Ruling(
        message,
        outcome,
        confirm=True,
        place=Place(change) if change else None,
        hint="measure what runs there, or confirm that it is no matter for the claim",
        change=change.id if change else None,
        expected=passage.measured_build,
        found=f"{key} {build}",
        arm=passage.arm.id,
        settles=f"what {build} alters" if outcome is Outcome.UNKNOWN else None,
    )


def _stated(part: Part, name: str) -> bool:
    return part.pin.get(name) not in {None, UNKNOWN, ()}


def _same_there(part: Part, name: str, passage: Passage) -> bool:
    """Whether the deployment runs the very same."""
    return not passage.scene.target.own and passage.arm.asked.get(f"{part.role}.{name}") == part.pin[name]


def _fork(part: Part, passage: Passage) -> Ruling:
    return _ruling(
        part,
        "fork",
        passage,
        Outcome.NOT_APPLICABLE,
        f"it ran the fork {part.pin['fork']} of {part.component}, which is another component than the release",
    )


def _branch(part: Part, passage: Passage) -> Ruling:
    branch = str(part.pin["branch"])
    registry = passage.scene.registry
    named = sorted(registry.proposed_as(branch, part.component))
    if not named:
        what = f"it ran the branch {branch} of {part.component}; what of it is in {passage.now} is not established"
        return _ruling(part, "branch", passage, Outcome.UNKNOWN, what)
    change = registry.library.changes[named[0]]
    outcome, what = _shipped(change, part, passage)
    return _ruling(part, "branch", passage, outcome, f"it ran the branch of {change.id}; {what}", change)


def _patches(part: Part, passage: Passage) -> Iterator[Ruling]:
    registry = passage.scene.registry
    for patch in part.pin.get("patches") or ():
        named = sorted(registry.named(str(patch)))
        if not named:
            what = f"{part.component} was patched with {patch}, of which there is no record: is it in {passage.now}?"
            yield _ruling(part, "patches", passage, Outcome.UNKNOWN, what)
        for change in (registry.library.changes[name] for name in named):
            if not concerns(change, passage.scene) and not any(passage.anchored(change)):
                continue  # whatever became of it, the claim does not rest on it
            outcome, what = _shipped(change, part, passage)
            yield _ruling(part, "patches", passage, outcome, f"it was patched with {change.id}; {what}", change)


def _shipped(change: Change, part: Part, passage: Passage) -> tuple[Outcome, str]:
    """What an own build says of a target, by whether that carries the change."""
    line = passage.asked_build
    there = passage.scene.registry.carried(change, part.component, passage.now or "")
    shipped_once = any(fact.ships is Ships.YES for fact in change.ships)
    heir = passage.scene.registry.heir(change, passage.now or "") if there is Ships.NO and shipped_once else None
    if there is Ships.NOT_ESTABLISHED and change.status is ChangeStatus.CLOSED and not shipped_once:
        return Outcome.NOT_APPLICABLE, "it was closed, and no artifact that was opened carries it"
    if heir is not None:
        return Outcome.RECHECK, f"{line} does not carry it any more, {heir.id} took its place"
    return {
        Ships.YES: (Outcome.RECHECK, f"{line} carries what shipped, which may have been reworked since"),
        Ships.NO: (Outcome.NOT_APPLICABLE, f"{line} does not carry it"),
        Ships.NOT_ESTABLISHED: (Outcome.UNKNOWN, f"whether {line} carries it is not established"),
    }[there]


def _ruling(
    part: Part, key: str, passage: Passage, outcome: Outcome, message: str, change: Change | None = None
) -> Ruling:
    return Ruling(
        message,
        outcome,
        confirm=True,
        place=Place(passage.scene.evaluation, passage.place(key).loc),
        hint="measure a release, or confirm that what shipped is what was measured",
        change=change.id if change else None,
        expected="a release",
        found=f"{key} {part.pin[key]}" if key != "patches" else "patches on top",
        arm=passage.arm.id,
        settles=f"whether {passage.asked_build} carries what was measured" if outcome is Outcome.UNKNOWN else None,
    )
