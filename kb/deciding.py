"""Load points that decide a claim, and the fewest that decide several.

A claim that cites numbers is decided at their load point; one that speaks of a whole region is flipped by any point in
it, so that a point which another claim needs anyway serves it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from kb.comparability import QUANTITIES
from kb.evaluation import Claim
from kb.library import Library
from kb.matching import ClaimAt, Subject, conditions_on, points_of, region, subjects
from kb.ratios import load_point
from kb.regions import narrowed

Load = tuple[tuple[str, str], ...]
"""A load point: keys and values, sorted, so that it can be told from another."""


def deciding(at: ClaimAt, library: Library) -> tuple[tuple[Load, ...], ...]:
    """Load points that decide a claim: of each group any one could flip it."""
    arms = {each.id: each for each in subjects(at, library)}
    first = next(iter(arms.values()))
    cited = points_of(at)
    if cited:
        loads = [load_of(load_point(each.where, arms.get(each.arm or "", first)), at, first) for each in cited]
        return tuple((load,) for load in dict.fromkeys(loads))
    measured = tuple(dict.fromkeys(_measured(at, arms)))
    return (measured or (load_of({}, at, first),),)


def _measured(at: ClaimAt, arms: Mapping[str, Subject]) -> Iterator[Load]:
    """Load points at which every arm of a claim was measured, in whatever metric, and that its conditions allow; what a
    source describes only in words is the place of its own number.
    """
    seen: dict[Load, set[str]] = {}
    for point in (each for each in at.evaluation.points if each.where is None or not each.where.words):
        for arm in {point.arm, point.against} & set(arms):
            load = load_point(point.where, arms[arm or ""])
            if _allowed(load, at.claim, arms[arm or ""]):
                seen.setdefault(load_of(load, at, arms[arm or ""]), set()).add(arm or "")
    yield from (load for load, found in seen.items() if found >= set(arms))


def _allowed(load: Mapping[str, str], claim: Claim, arm: Subject) -> bool:
    for condition in conditions_on(claim, arm):
        key = condition.key.removeprefix("workload.")
        held = narrowed(None, condition) if key in QUANTITIES else None
        tested = number(load.get(key, ""))
        if held is not None and tested is not None and not held.sure.has(tested):
            return False
    return True


def load_of(stated: Mapping[str, str], at: ClaimAt, arm: Subject) -> Load:
    """A load point; where the source gives only words, with what the claim's conditions and setup fix."""
    found = dict(stated)
    for key in QUANTITIES:
        region_ = region(key, at, arm) if key not in found else None
        if region_ is not None and region_.sure.low == region_.sure.high:
            found[key] = str(region_.sure)
    return tuple(sorted(found.items()))


def number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def fewest(groups: Iterable[tuple[Load, ...]]) -> tuple[Load, ...]:
    """The smallest set of load points that has one of every group; of equals the most demanding."""
    left = list(dict.fromkeys(groups))
    forced = dict.fromkeys(group[0] for group in left if len(group) == 1)
    left = [group for group in left if not set(group) & set(forced)]
    choices = sorted({load for group in left for load in group}, key=_demand, reverse=True)
    for size in range(min(len(left), 3) + 1):
        for chosen in combinations(choices, size):
            if all(set(group) & set(chosen) for group in left):
                return (*forced, *chosen)
    return (*forced, *_greedy(left, choices))


def _greedy(left: list[tuple[Load, ...]], choices: list[Load]) -> Iterator[Load]:
    """Where four points are not enough to try every combination: the one that serves most, again and again."""
    while left:
        best = max(choices, key=lambda load: sum(load in group for group in left))
        yield best
        left = [group for group in left if best not in group]


def _demand(load: Load) -> tuple[Any, ...]:
    """How much a load point asks for; more requests first, then longer ones."""
    values = dict(load)
    return (*(number(values.get(key, "")) or 0.0 for key in ("request_rate", "concurrency", *QUANTITIES[:2])), load)
