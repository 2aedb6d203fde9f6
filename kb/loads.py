"""Load conditions and guards against the part of a load that a claim speaks of."""

from __future__ import annotations

from kb.conditions import AnyOf, Condition, Truth
from kb.evaluation import Claim, Evaluation
from kb.inforce import InForce
from kb.regions import Region, narrowed, of_spread
from kb.setup import Setup, Spread
from kb.vocabulary import Operator

PREFIX = "workload."

LEAVING_OUT = (Operator.IS_NOT, Operator.NOT_IN)
"""What leaves out single values is met by some of a load that is spread over more."""


def meets(condition: Condition | AnyOf, facts: InForce, setup: Setup | None, claim: Claim) -> Truth:
    """Whether a guard is met; a load that is spread meets one when some of the part that the claim speaks of does."""
    if isinstance(condition, AnyOf):
        return Truth.any(meets(each, facts, setup, claim) for each in condition.any_of)
    truth = facts.test(condition)
    if truth is not Truth.UNKNOWN or not condition.key.startswith(PREFIX) or condition.other is not None:
        return truth
    load, asked = region(setup, claim, condition.key), narrowed(None, condition)
    if load is None or asked is None:
        return Truth.YES if load is not None and condition.op in LEAVING_OUT else Truth.UNKNOWN
    return load.meets(asked)


def asked_of(condition: Condition, setup: Setup) -> tuple[Truth, bool] | None:
    """Whether a target's load that is a range meets a condition, and whether all of it does; None for other loads."""
    stated = getattr(setup.workload, condition.key.removeprefix(PREFIX), None) if setup.workload else None
    if not isinstance(stated, Spread) or stated.values or stated.low is None or stated.high is None:
        return None
    load, asked = of_spread(stated), narrowed(None, condition)
    if load is None or asked is None or condition.other is not None:
        return None
    return load.meets(asked), asked.has(stated.low) and asked.has(stated.high) and not asked.values


def region(setup: Setup | None, claim: Claim, key: str) -> Region | None:
    """The part of a load that a claim speaks of: what the setup states, narrowed by the claim's conditions."""
    stated = getattr(setup.workload, key.removeprefix(PREFIX), None) if setup and setup.workload else None
    found = of_spread(stated) if isinstance(stated, Spread) and _ends(stated) else None
    for each in claim.conditions:
        if isinstance(each, Condition) and each.key == key:
            found = narrowed(found, each)
    return found


def tested_loads(evaluation: Evaluation, claim: Claim, name: str) -> tuple[float, ...]:
    """Values of a load key that were tested: at the points the claim is computed from, else over the whole workload."""
    return tuple(sorted({value for spread in _tested(evaluation, claim, name) for value in _values(spread)}))


def _tested(evaluation: Evaluation, claim: Claim, name: str) -> list[Spread]:
    points = evaluation.point_table()
    cited = [points[each] for each in (claim.effect.points if claim.effect else ()) if each in points]
    there = (getattr(point.where, name, None) for point in cited if point.where)
    if at_points := [spread for spread in there if isinstance(spread, Spread)]:
        return at_points
    arms = evaluation.cited_arms(claim)
    setups: list[Setup | None] = [evaluation.arm_setup(arm) for arm in arms]
    workloads = [setup.workload for setup in setups or [evaluation.setup] if setup and setup.workload]
    spreads = (getattr(load, name, None) for load in workloads)
    return [spread for spread in spreads if isinstance(spread, Spread)]


def has_tested(evaluation: Evaluation, claim: Claim, condition: Condition) -> bool:
    """Whether something that a claim's own part of its evaluation was tested at meets a condition on a load: a value,
    or what lies between the ends of one that was spread."""
    name, asked = condition.key.removeprefix(PREFIX), narrowed(None, condition)
    if any(condition.test({condition.key: each}) is Truth.YES for each in own_loads(evaluation, claim, name)):
        return True
    spread = (each for each in _tested(evaluation, claim, name) if not each.values and _ends(each))
    regions = (of_spread(each) for each in spread if asked is not None)
    return any(load is not None and asked is not None and load.meets(asked) is Truth.YES for load in regions)


def mean_loads(evaluation: Evaluation, claim: Claim, name: str) -> tuple[float, ...]:
    """Means of a load key where nothing else is stated of it: tools print what they counted (`factors.mean_...` of a
    point), papers an average. A mean alone bounds nothing, but says which order of size it was."""
    points = evaluation.point_table()
    cited = [points[each] for each in (claim.effect.points if claim.effect else ()) if each in points]
    counted = (point.where.factors.get(f"mean_{name}") for point in cited if point.where)
    ends = (end for each in counted if each is not None for end in str(each).split(" to "))
    found = {number for end in ends if (number := _number(end)) is not None}
    setups = [evaluation.arm_setup(arm) for arm in evaluation.cited_arms(claim)] or [evaluation.setup or Setup()]
    spreads = (getattr(setup.workload, name, None) for setup in setups if setup.workload)
    means = {each.mean for each in spreads if isinstance(each, Spread) and each.mean is not None}
    return tuple(sorted(found or means))


def own_loads(evaluation: Evaluation, claim: Claim, name: str) -> tuple[float | str, ...]:
    """What a claim's own part of its evaluation has of a load key: values tested, else means, else data sets."""
    points = evaluation.point_table()
    cited = (points[each] for each in (claim.effect.points if claim.effect else ()) if each in points)
    named = (getattr(point.where, name, None) for point in cited if point.where)
    words = tuple(dict.fromkeys(each for each in named if isinstance(each, str)))
    return tested_loads(evaluation, claim, name) or mean_loads(evaluation, claim, name) or words


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _ends(spread: Spread) -> bool:
    """Whether it is known between which ends it lies."""
    return spread.low is not None and spread.high is not None


def _values(spread: Spread) -> tuple[float, ...]:
    """Values and ends that are stated; a mean alone bounds nothing."""
    return (*spread.values, *(end for end in (spread.low, spread.high) if end is not None))
