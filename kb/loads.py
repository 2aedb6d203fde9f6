"""Load conditions and guards against the part of a load that a claim speaks of."""

from __future__ import annotations

from kb.conditions import AnyOf, Condition, Truth
from kb.evaluation import Claim
from kb.inforce import InForce
from kb.regions import Region, narrowed, of_spread
from kb.setup import Setup, Spread

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


def region(setup: Setup | None, claim: Claim, key: str) -> Region | None:
    """The part of a load that a claim speaks of: what the setup states, narrowed by the claim's conditions."""
    stated = getattr(setup.workload, key.removeprefix(PREFIX), None) if setup and setup.workload else None
    found = of_spread(stated) if isinstance(stated, Spread) else None
    for each in claim.conditions:
        if isinstance(each, Condition) and each.key == key:
            found = narrowed(found, each)
    return found
