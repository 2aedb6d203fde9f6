"""Load conditions and guards against the part of a load that a claim speaks of."""

from __future__ import annotations

from collections.abc import Iterator

from kb.conditions import AnyOf, Condition, Truth
from kb.evaluation import Claim, Evaluation
from kb.inforce import InForce
from kb.regions import Region, narrowed, of_spread
from kb.setup import Setup, Spread, Workload

PREFIX = "workload."


def meets(condition: Condition | AnyOf, facts: InForce, setup: Setup | None, claim: Claim) -> Truth:
    """Whether a guard is met; a load that is spread meets one when some of the part that the claim speaks of does."""
    if isinstance(condition, AnyOf):
        return Truth.any(meets(each, facts, setup, claim) for each in condition.any_of)
    truth = facts.test(condition)
    if truth is not Truth.UNKNOWN or not condition.key.startswith(PREFIX) or condition.other is not None:
        return truth
    load, asked = region(setup, claim, condition.key), narrowed(None, condition)
    return load.meets(asked) if load is not None and asked is not None else Truth.UNKNOWN


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
    found = of_spread(stated) if isinstance(stated, Spread) else None
    for each in claim.conditions:
        if isinstance(each, Condition) and each.key == key:
            found = narrowed(found, each)
    return found


def tested_loads(evaluation: Evaluation, claim: Claim, name: str) -> tuple[float, ...]:
    """Values of a load key that were tested: at the points the claim is computed from, else over the whole workload."""
    points = evaluation.point_table()
    cited = [points[each] for each in (claim.effect.points if claim.effect else ()) if each in points]
    there = (getattr(point.where, name, None) for point in cited if point.where)
    at_points = [spread for spread in there if isinstance(spread, Spread)]
    if at_points:
        return tuple(sorted({value for spread in at_points for value in _values(spread)}))
    arms = evaluation.cited_arms(claim)
    setups: list[Setup | None] = [evaluation.arm_setup(arm) for arm in arms]
    setups = setups or [evaluation.setup]
    workloads = [setup.workload for setup in setups if setup and setup.workload]
    return tuple(sorted({value for load in workloads for value in _stated(load, name)}))


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


def _stated(load: Workload, name: str) -> Iterator[float]:
    spread = getattr(load, name, None)
    if isinstance(spread, Spread):
        yield from _values(spread)


def _values(spread: Spread) -> tuple[float, ...]:
    """Values and ends that are stated; a mean alone bounds nothing."""
    return (*spread.values, *(end for end in (spread.low, spread.high) if end is not None))
