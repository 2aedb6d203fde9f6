"""What was looked at and does not speak against a claim, each with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kb import accounted
from kb.bearings import ONLY_IF_NAMED
from kb.change import Change
from kb.conditions import AnyOf, Truth
from kb.flips import Flip
from kb.lines import Line
from kb.passage import Answers, Passage
from kb.registry import is_fix_of_results
from kb.scene import Scene
from kb.verdict import Silent, Why
from kb.vocabulary import Ships


@dataclass(frozen=True, slots=True)
class Told:
    """Changes of which nothing more is to be said of an arm, whichever builds come next."""

    telling: set[str]
    """Those that speak, and those of which a reason was found that tells more than where they ship."""
    seen: set[str] = field(default_factory=set)
    """Those of which it was said that builds do not differ in them; and those that concern nothing."""


def quiet(passage: Passage, told: Told | None = None) -> Iterator[Silent]:
    """Changes that differ between the builds and are silent; and what concerns the claim and does not differ. What was
    `told` of other builds is not worked out again."""
    told = told or Told(set())
    for answers in passage.differing(told.telling):
        if (silent := silence(answers, passage)) is not None:
            told.telling.add(answers.change.id)
            yield silent
        elif answers.speaks and (heir := passage.outdone.get(answers.change.id)):
            told.telling.add(answers.change.id)
            reason = f"{heir} took its place and speaks for both"
            yield Silent(Why.REPLACED, reason, change=answers.change.id, component=answers.component, arm=answers.arm)
    yield from _unmoved(passage, told)
    yield from accounted.silent(passage)


def _unmoved(passage: Passage, told: Told) -> Iterator[Silent]:
    """Changes that concern the claim, and that both builds carry or neither does."""
    if passage.was is None or passage.now is None:
        return
    registry, only = passage.scene.registry, passage.scene.only
    for component in passage.line.components:
        for flip in registry.interval(component, passage.was, passage.now).same:
            name = flip.change.id
            if name in told.seen or name in told.telling or name in passage.line.was.carries:
                continue
            if only is None or name in only:
                told.seen.add(name)
                if concerns(flip.change, passage.scene):
                    yield _same(flip, component, passage)


def _same(flip: Flip, component: str, passage: Passage) -> Silent:
    there, line = flip.now is Ships.YES, passage.line.names()
    both = f"{line} {passage.was} and {passage.now} carry it"
    one = f"{line} {passage.now} {'carries it' if there else 'does not carry it'}"
    reason = both if there and passage.was != passage.now else one
    why = Why.ALREADY_THERE if there else Why.DOES_NOT_SHIP
    return Silent(why, reason, change=flip.change.id, component=component, arm=passage.arm.id)


def bystanders(scene: Scene) -> list[Silent]:
    """Changes that would touch the claim, in components that its arms do not run and that ship with what they run."""
    registry, found = scene.registry, []
    run = {name for arm in scene.arms for each in arm.lines for name in each.components}
    lines = {line.distribution: line for arm in scene.arms for line in arm.lines}
    for distribution, line in lines.items():
        for component in registry.shipping_in(distribution):
            if component in run:
                continue
            for change in _moved(component, line, scene):
                if not {change.component, *change.also} & run and concerns(change, scene):
                    reason = f"a change of {component}, which no arm of this claim runs"
                    found.append(Silent(Why.ARM_NOT_INVOLVED, reason, change=change.id, component=component))
    return found


def _moved(component: str, line: Line, scene: Scene) -> Iterator[Change]:
    """Changes of a component that some of the builds in question differ in."""
    for change in scene.registry.moving(component, (*line.was.versions, *line.now.versions)):
        if scene.only is None or change.id in scene.only:
            yield change


def concerns(change: Change, scene: Scene) -> bool:
    """Whether a change could be expected to matter to a claim: by its dimensions, as a fix of wrong results, as one
    that nobody has described yet, or because a signal of the claim waits for it."""
    watched = (each.watches.change for each in scene.evaluation.signals if each.watches)
    met = scene.rests_on & set(change.dimensions) - (ONLY_IF_NAMED - set(scene.claim.rests_on))
    open_ = not change.dimensions or not scene.rests_on
    return bool(met) or is_fix_of_results(change) or open_ or change.id in watched


def silence(answers: Answers, passage: Passage) -> Silent | None:
    """Why a change is silent; None when it is not."""
    said = _silence(answers, passage)
    if said is None:
        return None
    return Silent(said[0], said[1], change=answers.change.id, component=answers.component, arm=answers.arm)


def _silence(answers: Answers, passage: Passage) -> tuple[Why, str] | None:
    change = answers.change
    if answers.behaves is Truth.NO:
        return Why.NO_BEHAVIOUR, f"a change of kind {change.kind} leaves behaviour as it was"
    if answers.reached is Truth.NO:
        return Why.NOT_REACHED, _not_reached(answers, passage)
    if answers.phase is Truth.NO:
        spoken_of = passage.scene.claim.phase or "a run of which no failure is recorded"
        return Why.OTHER_PHASE, f"felt in {change.phase}, the claim speaks of {spoken_of}"
    if answers.touches is Truth.NO:
        return Why.NOT_TOUCHED, f"alters {', '.join(change.dimensions)}, on none of which the claim rests"
    if (person := answers.settled) is not None:
        return Why.SETTLED, f"{person.date}: {person.because}"
    return None


def _not_reached(answers: Answers, passage: Passage) -> str:
    guard = answers.unmet[0]
    facts = passage.before if answers.flip.gone else passage.after
    keys = [each.key for each in guard.any_of] if isinstance(guard, AnyOf) else [guard.key]
    found = "; ".join(f"{key} is {facts.shown(key)}" for key in dict.fromkeys(keys))
    return f"reached only if {guard}; {found}"
