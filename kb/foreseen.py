"""What a change that nobody has recorded would be to every claim, if the build asked about were the first to carry it.

Whether it ships is taken for granted; the other three questions are those of the audit, asked of the same passages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kb.change import Change
from kb.conditions import Truth
from kb.effects import Effect, Standing, running
from kb.impact import Impact, impact
from kb.passage import Answers, Passage
from kb.registry import Registry
from kb.scene import Scene
from kb.silence import silence
from kb.verdict import Why
from kb.vocabulary import ClaimKind

_RANKS = (Standing.UNTOUCHED, Standing.OPEN, Standing.TOUCHED)


def foreseen(change: Change, registry: Registry, unread: Sequence[str] = ()) -> Impact:
    """A change in hand and every claim of the library, at the newest releases. It has got nowhere: no board.

    `unread` are files of the component that differ and of which no symbols are known: what else is known of the change
    spares no claim then that rests on the component.
    """
    found = impact([change], registry, ask=_of_claim)
    effects = tuple(_opened(each, unread) for each in found.effects) if unread else found.effects
    return replace(found, effects=effects, board=())


def unnamed(component: str, old: str, new: str) -> Change:
    """A change in hand of which only is known that code differs: no symbols, guards or dimensions."""
    return Change.model_validate(
        {
            "schema_version": 1,
            "id": "under-review",
            "title": f"Code of {component}: {old} to {new}"[:300],
            "component": component,
            "kind": "behaviour",
            "status": "proposed",
            "summary": "Compared by lines only.",
        }
    )


def _opened(effect: Effect, unread: Sequence[str]) -> Effect:
    """An effect when some of the code was compared by lines only: what spared the claim may not hold of that."""
    if effect.standing is Standing.TOUCHED or not effect.arms:
        return effect  # without an arm it is a hypothesis, or nothing in it runs the component
    more = f" and {len(unread) - 1} more file{'s' if len(unread) > 2 else ''}" if len(unread) > 1 else ""
    why = f"may be touched: code of {unread[0]}{more} was compared by lines only"
    return replace(effect, standing=Standing.OPEN, why=why, reason=None)


def _of_claim(scene: Scene, near: Iterable[Change]) -> Iterator[Effect]:
    yield from (_effect(each, scene) for each in near)


def _effect(change: Change, scene: Scene) -> Effect:
    made = Effect(change.id, scene.evaluation.id, scene.claim.id, Standing.UNTOUCHED, "")
    if scene.claim.kind is ClaimKind.HYPOTHESIS:
        return replace(made, why="a hypothesis: nothing was measured that ages", reason=Why.NOT_TOUCHED)
    answered = [_answered(made, *each, change) for each in running(change, scene)]
    alone = replace(made, why=f"no arm of this claim runs {change.component}", reason=Why.ARM_NOT_INVOLVED)
    best = max(answered, key=lambda each: _RANKS.index(each.standing), default=alone)
    arms = dict.fromkeys(arm for each in answered if each.standing is best.standing for arm in each.arms)
    return replace(best, arms=tuple(arms))


def _answered(made: Effect, passage: Passage, component: str, change: Change) -> Effect:
    answers = passage.if_shipped(change, component)
    made = replace(made, arms=(answers.arm,))
    if said := silence(answers, passage):
        return replace(made, why=said.reason, reason=said.why)
    met = ", ".join((*answers.symbols, *answers.dimensions)) or "the claim"
    if answers.all is Truth.YES:
        return replace(made, standing=Standing.TOUCHED, why=f"it touches {met}")
    spared = _anchored(passage, component) and not answers.symbols
    code = "the code that it is anchored to is not touched; " if spared else ""
    return replace(made, standing=Standing.OPEN, why=f"{code}{_missing(answers)}; it would touch {met}")


def _anchored(passage: Passage, component: str) -> bool:
    """Whether a claim says on which code of the component it rests."""
    anchors = (anchor for each in passage.scene.claim.anchors.values() for anchor in each)
    return any(each.partition(":")[0] == component for each in anchors)


def _missing(answers: Answers) -> str:
    """Which answer is not established."""
    if answers.reached is Truth.UNKNOWN and answers.unmet:
        return f"whether the {answers.arm} arm reaches it is not established ({answers.unmet[0]})"
    if answers.phase is Truth.UNKNOWN:
        return f"it is felt in {answers.change.phase}, and the claim states no phase"
    if answers.change.dimensions:
        return "the claim does not say what it rests on (rests_on)"
    return "what it alters besides its symbols is for a person to say"
