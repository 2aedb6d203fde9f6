"""What a claim says of its arms: which is better, or that they are equal; and whether two claims say the same."""

from __future__ import annotations

from typing import Literal, NamedTuple

from kb.conditions import Truth
from kb.evaluation import COMPARISONS, Claim, Evaluation
from kb.evidence import Effect, compute
from kb.library import Library
from kb.matching import ClaimAt, match
from kb.vocabulary import Better, ClaimKind, EffectForm, Reported


class Direction(NamedTuple):
    """What a claim says of its arms."""

    kind: Literal["better", "parity", "none"]
    """One arm is better, both are about equal, or it says nothing of the kind."""
    better: str | None = None
    """Id of the better arm."""
    worse: str | None = None
    """Id of the other."""


NO_DIRECTION = Direction("none")


def direction(claim: Claim, evaluation: Evaluation, library: Library | None = None) -> Direction:
    """Which arm came out better, as far as the claim or its source says so.

    A ratio without `better` has a direction only where a noise floor is stated and it lies beyond: whether 1.02x is
    more than noise is not for the tool to say. `library` tells which way a metric is better; a claim of one is asked
    once, because it meets every rival.
    """
    if library is None:
        return _direction(claim, evaluation, library)
    known: dict[int, tuple[Claim, Evaluation, Direction]] = library.__dict__.setdefault("_directions", {})
    found = known.get(id(claim))
    if found is None or found[1] is not evaluation:
        found = known[id(claim)] = (claim, evaluation, _direction(claim, evaluation, library))
    return found[2]


def _direction(claim: Claim, evaluation: Evaluation, library: Library | None) -> Direction:
    effect = claim.effect
    if effect is None or claim.kind is not ClaimKind.MEASURED or effect.form not in COMPARISONS:
        return NO_DIRECTION
    if effect.better:
        others = [arm for arm in (effect.arm, effect.against) if arm and arm != effect.better]
        return Direction("better", effect.better, others[0] if others else None)
    if effect.form is EffectForm.PARITY:
        return Direction("parity")
    return _reported(effect, evaluation) or _beyond_noise(effect, evaluation, library)


def _reported(effect: Effect, evaluation: Evaluation) -> Direction | None:
    """The source's own words: better by so much."""
    table = evaluation.point_table()
    points = [table[name] for name in effect.points if name in table]
    if len(points) != 1 or points[0].reported not in _GAINS:
        return None
    point, level = points[0], _GAINS[points[0].reported]
    ends = point.number if isinstance(point.number, tuple) else (point.number, point.number)
    if point.reported is Reported.ORDER or all(end is not None and end > level for end in ends):
        return Direction("better", point.arm, point.against)
    if all(end is not None and end < level for end in ends):
        return Direction("better", point.against, point.arm)
    return None


_GAINS: dict[Reported | None, float] = {
    Reported.IMPROVEMENT_FACTOR: 1.0,
    Reported.PERCENT_IMPROVEMENT: 0.0,
    Reported.ORDER: 0.0,
}


def _beyond_noise(effect: Effect, evaluation: Evaluation, library: Library | None) -> Direction:
    noise, number = evaluation.noise, compute(effect, evaluation.point_table())
    metric = library.metrics.get(effect.metric) if library else None
    if number is None or number.reported or effect.form is not EffectForm.RATIO or metric is None:
        return NO_DIRECTION
    if noise is None or noise.value is None or noise.unit != "%" or metric.better is Better.NEITHER:
        return NO_DIRECTION
    floor = noise.value / 100
    if 1 - floor <= number.low and number.high <= 1 + floor:
        return Direction("parity")
    if number.low <= 1 + floor and number.high >= 1 - floor:
        return NO_DIRECTION
    higher = number.low > 1
    arm_better = higher == (metric.better is Better.HIGHER)
    ends = (effect.arm, effect.against)
    return Direction("better", *(ends if arm_better else ends[::-1]))


def same_direction(one: ClaimAt, other: ClaimAt, library: Library) -> Truth:
    """Whether two claims say the same of the same arms: no where they disagree, unknown where one says nothing or
    the arms cannot be told to be the same.

    Of levels: whether the one number is inside of the bound that the other states.
    """
    here, there = (direction(at.claim, at.evaluation, library) for at in (one, other))
    if "none" in {here.kind, there.kind}:
        return _within_bounds(one, other)
    matched = match(one, other, library)
    if any(each.truth is Truth.NO for each in matched.reasons):
        return Truth.UNKNOWN  # they speak of other things
    if here.kind != there.kind:
        return Truth.NO
    if here.kind == "parity":
        return Truth.YES
    beside = {a.id: b.id for a, b in matched.pairs}
    if here.better not in beside or not matched.sure:
        return Truth.UNKNOWN
    return Truth.of(beside[here.better] == there.better)


def _within_bounds(one: ClaimAt, other: ClaimAt) -> Truth:
    truths = [_meets(a, b) for a, b in ((one, other), (other, one))]
    return Truth.NO if Truth.NO in truths else Truth.YES if Truth.YES in truths else Truth.UNKNOWN


def _meets(bound: ClaimAt, at: ClaimAt) -> Truth:
    wanted, effect = bound.claim.effect, at.claim.effect
    number = compute(effect, at.evaluation.point_table()) if effect else None
    if wanted is None or wanted.form is not EffectForm.BOUND or number is None or number.unit != wanted.unit:
        return Truth.UNKNOWN
    inside = [number.high <= wanted.at_most] if wanted.at_most is not None else []
    inside += [number.low >= wanted.at_least] if wanted.at_least is not None else []
    return Truth.of(all(inside) if inside else None)
