"""The target runs something else.

## What it flags
A deployment whose engine, connector or transfer library is another component than that of every cited arm, or that
states to have none; a
deployment that does not name its connector although the claim is about one, or names a class that no component lists.

## Why it matters
The same name of a technique is not the same code: a claim about one connector says nothing of another.

## What it leaves alone
Comparisons of which one arm is what the target runs. Routers and clients: conditions speak of them.

## Example
    a claim about SGLang's NIXL backend, asked for a deployment of vLLM

## What to do
Look for an evaluation of what you run; or record one.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.scene import Scene
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import NOTHING, UNKNOWN, Outcome, Severity

CODE = "KB210"
NAME = "other-component"
SEVERITY = Severity.INFO
STRONGEST = Outcome.NOT_APPLICABLE
CONFIRMS = False

ROLES = ("engine", "connector", "transfer_library")


def judge(scene: Scene) -> Iterator[Said]:
    """Roles that the deployment fills with something else."""
    if scene.target_facts is None:
        return
    if _stack_only(scene) and not _filled(scene.target_facts, "stack") and _filled(scene.target_facts, "engine"):
        yield _no_stack(scene)
    for role in ROLES:
        measured = {_filled(arm.stated, role) for arm in scene.arms} - {frozenset()}
        there = _filled(scene.target_facts, role)
        if not measured:
            continue
        if there and not any(there & each for each in measured):
            yield _ruling(scene, role, measured, there)
        elif scene.target_facts.get(f"{role}.component") == NOTHING and not there:
            yield _ruling(scene, role, measured, frozenset((NOTHING,)))
        elif not there and role == "connector" and (len(measured) == 1 or _unlisted(scene)) and _disaggregated(scene):
            yield _unnamed(scene, role, measured)


def _stack_only(scene: Scene) -> bool:
    """Whether the claim is about a serving stack and names nothing below it."""
    below = [role for role in ROLES for arm in scene.arms if _filled(arm.stated, role)]
    return not below and all(_filled(arm.stated, "stack") for arm in scene.arms)


def _no_stack(scene: Scene) -> Ruling:
    ran = ", ".join(sorted({name for arm in scene.arms for name in _filled(arm.stated, "stack")}))
    return Ruling(
        f"it is about {ran}, and the target names its engine and no stack around it",
        Outcome.NOT_APPLICABLE,
        place=Place(scene.evaluation, scene.loc),
        hint=f"if {ran} runs there, state stack.component of the deployment",
        condition="stack.component",
        expected=ran,
        found="not stated",
    )


def _filled(facts: object, role: str) -> frozenset[str]:
    """Components that fill a role on either side."""
    assert hasattr(facts, "get")
    keys = (f"{role}.component", f"prefill.{role}.component", f"decode.{role}.component")
    return frozenset(str(facts.get(key)) for key in keys if facts.get(key) not in {None, UNKNOWN, NOTHING})


def _disaggregated(scene: Scene) -> bool:
    return (scene.target_facts or {}).get("topology") != "aggregated"


def _unlisted(scene: Scene) -> bool:
    """Whether the target names a connector's class that belongs to no component: it may be that of no arm."""
    facts = scene.target_facts or {}
    return any(facts.get(f"{at}connector.class_name") not in {None, UNKNOWN} for at in ("", "prefill.", "decode."))


def _ruling(scene: Scene, role: str, measured: set[frozenset[str]], there: frozenset[str]) -> Ruling:
    ran = ", ".join(sorted({name for each in measured for name in each}))
    return Ruling(
        f"it is about {ran}; the target runs {', '.join(sorted(there))} as {role.replace('_', ' ')}",
        Outcome.NOT_APPLICABLE,
        place=Place(scene.evaluation, scene.loc),
        hint=f"look for evaluations of {', '.join(sorted(there))}" if NOTHING not in there else None,
        condition=f"{role}.component",
        expected=ran,
        found=", ".join(sorted(there)),
    )


def _unnamed(scene: Scene, role: str, measured: set[frozenset[str]]) -> Ruling:
    ran = ", ".join(sorted({name for each in measured for name in each}))
    return Ruling(
        f"it is about {ran}, and the target does not say which {role} it runs",
        Outcome.UNKNOWN,
        place=Place(scene.evaluation, scene.loc),
        hint=f"state {role}.component of the deployment",
        condition=f"{role}.component",
        expected=ran,
        found="not stated",
        settles=f"{role}.component",
    )
