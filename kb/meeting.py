"""How a claim's conditions meet a target, arm by arm; a target whose load is spread may meet one in part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from kb.conditions import AnyOf, Condition, Span, Truth, single
from kb.inforce import InForce, answers, given, of_sides
from kb.loads import PREFIX, asked_of, has_tested
from kb.once import once
from kb.passage import Passage
from kb.registry import speaks_of_versions
from kb.scene import ArmScene, Scene
from kb.vocabulary import ClaimKind


class Met(StrEnum):
    """How a condition is met."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"
    BROKEN = "broken"
    """Not met at the target by what is in force there by default, though it was met where it was measured."""
    UNKNOWN = "unknown"


class Meeting(NamedTuple):
    """One condition and one arm."""

    condition: Condition | AnyOf
    number: int
    arm: ArmScene
    met: Met
    facts: InForce

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys that it speaks of."""
        named = (name for each in _alternatives(self.condition) for name in (each.key, each.other) if name)
        return tuple(dict.fromkeys(named))

    def found(self) -> str:
        """The facts it met, in words."""
        shown = [(key, self.facts.shown(key)) for key in self.keys]
        return shown[0][1] if len(shown) == 1 else "; ".join(f"{key} {value}" for key, value in shown)


@once
def meetings(scene: Scene) -> tuple[Meeting, ...]:
    """Every condition with every arm it speaks of. What open builds could decide is left to their passages."""
    found = ((arm, each) for arm in scene.arms for each in _whole(scene, arm.id))
    return tuple(each for arm, each in found if not (_opened(arm) and each.met is Met.UNKNOWN))


@once
def meetings_of(passage: Passage) -> tuple[Meeting, ...]:
    """The conditions that only a choice of builds can decide."""
    scene, arm = passage.scene, passage.arm
    numbers = left_open(scene, arm.id) if passage.line.open else frozenset()
    return tuple(_of_arm(scene, arm, lambda: passage.before, passage.after, numbers)) if numbers else ()


@once
def _whole(scene: Scene, arm_id: str) -> tuple[Meeting, ...]:
    """An arm's conditions with no build of an open line chosen."""
    arm = next(each for each in scene.arms if each.id == arm_id)
    return tuple(_of_arm(scene, arm, arm.at_pin, arm.at_target()))


@once
def left_open(scene: Scene, arm_id: str) -> frozenset[int]:
    """Numbers of the conditions that no open build decides yet."""
    return frozenset(each.number for each in _whole(scene, arm_id) if each.met is Met.UNKNOWN)


@once
def is_of_builds(scene: Scene, arm_id: str) -> bool:
    """Whether any of these can be decided by a choice of builds. What differs from build to build is versions, and what
    components have in force by default: a condition on anything else stays as open as it is with no build chosen."""
    arm = next(each for each in scene.arms if each.id == arm_id)
    components = (scene.library.components.get(name) for line in arm.lines for name in line.components)
    keys = frozenset().union(*(given(each) for each in components if each))
    waiting = (scene.claim.conditions[number] for number in left_open(scene, arm_id))
    alone = [each for _, each in single(tuple(waiting))]
    return any(speaks_of_versions(each) or not keys.isdisjoint(answers(each)[0]) for each in alone)


def _opened(arm: ArmScene) -> bool:
    return any(line.open for line in arm.lines)


def _of_arm(
    scene: Scene, arm: ArmScene, before: Callable[[], InForce], after: InForce, numbers: frozenset[int] | None = None
) -> Iterator[Meeting]:
    """How an arm's conditions are met: all of them, or those of some numbers."""
    if scene.claim.kind is ClaimKind.HYPOTHESIS and scene.target.own:
        return  # what nobody has measured is about other setups than the one that was
    for number, condition in enumerate(scene.claim.conditions):
        if (numbers is None or number in numbers) and _speaks_of(condition, arm.id):
            yield Meeting(condition, number, arm, _met(condition, scene, before, after), after)


def _alternatives(condition: Condition | AnyOf) -> tuple[Condition, ...]:
    return condition.any_of if isinstance(condition, AnyOf) else (condition,)


def _speaks_of(condition: Condition | AnyOf, arm: str) -> bool:
    return any(each.arm in {None, arm} for each in _alternatives(condition))


def _met(condition: Condition | AnyOf, scene: Scene, before: Callable[[], InForce], after: InForce) -> Met:
    if isinstance(condition, Condition) and condition.key.startswith(PREFIX) and scene.target.setup is not None:
        ranged = asked_of(condition, scene.target.setup)
        if ranged is not None:
            return _in_part(*ranged)
    truth = (after | scene.granted if scene.granted else after).test(condition)
    if truth is Truth.YES:
        return Met.YES
    if truth is Truth.NO:
        defaults = _by_default(condition, after) and _by_default(condition, before())
        return Met.BROKEN if defaults and before().test(condition) is Truth.YES else Met.NO
    loads = [each for each in _alternatives(condition) if each.key.startswith(PREFIX)]
    if scene.target.own:  # the part of its own load that the claim speaks of, as far as any was tested
        return Met.YES if any(has_tested(scene.evaluation, scene.claim, each) for each in loads) else Met.UNKNOWN
    if not loads or isinstance(condition, AnyOf):
        return Met.UNKNOWN
    return Met.PARTLY if partly(condition, after.get(condition.key)) else Met.UNKNOWN


def _in_part(truth: Truth, whole: bool) -> Met:
    """How a load that is a range meets a condition."""
    if truth is Truth.NO:
        return Met.NO
    return Met.UNKNOWN if truth is Truth.UNKNOWN else Met.YES if whole else Met.PARTLY


def _by_default(condition: Condition | AnyOf, facts: InForce) -> bool:
    single = _alternatives(condition)
    stated = any(name in facts.stated for each in single for name in (each.key, *of_sides(each.key)))
    return not stated and all(each.key in facts.origins for each in single)


def partly(condition: Condition, fact: Any) -> bool:
    """Whether some of the values that a fact is spread over meet a condition."""
    values = tuple(fact) if isinstance(fact, list | tuple | Span) else ()
    return any(condition.test({condition.key: value}) is Truth.YES for value in values)
