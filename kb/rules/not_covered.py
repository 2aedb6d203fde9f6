"""The target differs in something that no condition names.

## What it flags
Setup keys (model, accelerator, parallelism, precision, cache policy, router...) that are stated on both sides and
differ, and of which the claim's conditions say nothing; and parts of the setup that nobody named at all (router,
client, transfer library of a disaggregated pair).

## Why it matters
Nobody said that it matters, and nobody showed that it does not. A plain `holds` would say the latter.

## What it leaves alone
What distinguishes the arms; versions, which are judged change by change; keys that a condition names; counts of
machines.

## Example
    measured on H200, asked for B200

## What to do
Confirm that it does not matter, or measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kb.envelope import differing
from kb.lines import role_pins
from kb.scene import Scene
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import NOTHING, UNKNOWN, Severity

CODE = "KB217"
NAME = "not-covered"
SEVERITY = Severity.INFO
STRONGEST = None
CONFIRMS = True

ROLES = ("transfer_library", "router", "client")


def judge(scene: Scene) -> Iterator[Said]:
    """Differences that no condition names, and roles that nobody named."""
    if keys := differing(scene):
        facts, arm = scene.target_facts or {}, scene.arms[0]
        yield Ruling(
            f"not covered: {', '.join(keys)} differ, and no condition speaks of them",
            confirm=True,
            place=Place(scene.evaluation, scene.loc),
            hint="confirm that they do not matter, or measure",
            condition=", ".join(keys),
            expected="; ".join(f"{key} {arm.stated.get(key)}" for key in keys),
            found="; ".join(f"{key} {facts.get(key)}" for key in keys),
        )
    if unnamed := _unnamed(scene):
        yield Ruling(
            f"not judged: the record names no {' and no '.join(unnamed)}",
            confirm=True,
            place=Place(scene.evaluation, ("setup",)),
            hint="name them, so that their changes are looked at",
            condition=", ".join(unnamed),
        )


def _unnamed(scene: Scene) -> list[str]:
    """Roles of a disaggregated arm that no component fills."""
    pairs = [arm for arm in scene.arms if arm.stated.get("topology") not in {None, UNKNOWN, "aggregated"}]
    return [role.replace("_", " ") for role in ROLES if any(not _named(arm.stated, role) for arm in pairs)]


def _named(stated: Mapping[str, Any], role: str) -> bool:
    """Whether a component fills the role, or something that has a name only, or it is stated to be empty."""
    empty = stated.get(f"{role}.component") == NOTHING
    return empty or bool(role_pins(stated, role)) or stated.get(f"{role}.name") not in {None, UNKNOWN}
