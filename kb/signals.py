"""State of a signal: waiting, fired or overdue, computed from the records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from kb.change import Change
from kb.conditions import Truth
from kb.evaluation import Evaluation, Signal, Watch
from kb.inforce import InForce
from kb.once import once
from kb.registry import Registry
from kb.setup import Setup
from kb.vocabulary import UNKNOWN, ChangeStatus, ClaimKind, Ships


class State(StrEnum):
    """What became of a signal."""

    WAITING = "waiting"
    FIRED = "fired"
    OVERDUE = "overdue"
    """Its horizon has passed and it has not fired."""
    UNWATCHED = "unwatched"
    """Nothing computes it: a person looks."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A signal's state and what it rests on."""

    signal: Signal
    state: State
    because: str
    by: tuple[str, ...] = ()
    """Records that fired it."""


def state(signal: Signal, evaluation: Evaluation, registry: Registry, today: str | None) -> Seen:
    """The state of a signal. `today` (a day) is for horizons; without it nothing is overdue."""
    if signal.watches is None:
        return _late(Seen(signal, State.UNWATCHED, "a person looks"), today)
    fired = _fired(signal.watches, evaluation, registry)
    if fired:
        return Seen(signal, State.FIRED, f"fired by {', '.join(fired)}", fired)
    return _late(Seen(signal, State.WAITING, "waiting"), today)


def _late(seen: Seen, today: str | None) -> Seen:
    until = seen.signal.until
    if today and until and until != UNKNOWN and today[: len(until)] > until:
        return Seen(seen.signal, State.OVERDUE, f"its horizon was {until}")
    return seen


def _fired(watch: Watch, evaluation: Evaluation, registry: Registry) -> tuple[str, ...]:
    """Records by which everything that is watched has come about; none while a part of it is missing."""
    by: list[str] = []
    if watch.change is not None:
        change = registry.library.changes.get(watch.change)
        found = _reached(change, watch, evaluation, registry) if change else ()
        if not found:
            return ()
        by += found
    if watch.question or watch.relation or (watch.conditions and watch.change is None):
        later = _evaluations(watch, evaluation, registry)
        if not later:
            return ()
        by += later
    return tuple(dict.fromkeys(by))


def _reached(change: Change, watch: Watch, evaluation: Evaluation, registry: Registry) -> tuple[str, ...]:
    shipped = any(fact.ships is Ships.YES for fact in change.ships)
    if watch.reaches in {None, "merged"}:
        return (change.id,) if shipped or change.status is ChangeStatus.MERGED else ()
    if watch.reaches == "released":
        return (change.id,) if shipped else ()
    asking = [
        each
        for each in (*registry.rivalry.of(evaluation), *registry.rivalry.fellows(evaluation))
        if each.question == evaluation.question
    ]
    return tuple(each.id for each in asking if measures(each, change, registry)) if shipped else ()


def measured(change: Change, registry: Registry) -> list[str]:
    """Evaluations that measure a change."""
    return sorted(each.id for each in registry.library.evaluations.values() if measures(each, change, registry))


def measures(evaluation: Evaluation, change: Change, registry: Registry) -> bool:
    """Whether an evaluation ran a build that carries a change, by its artifact facts, and concludes something that
    rests on what the change alters; that a build was used for something else measures nothing of it."""
    altered = set(change.dimensions)
    measured = [claim for claim in evaluation.claims if claim.kind is ClaimKind.MEASURED]
    concerned = any(altered & registry.library.called(claim.rests_on) for claim in measured)
    return concerned and any(_ran(change, setup, registry) for setup in _setups(evaluation))


@once
def _setups(evaluation: Evaluation) -> list[Setup]:
    return [evaluation.arm_setup(arm) for arm in evaluation.arms]


def _ran(change: Change, setup: Setup, registry: Registry) -> bool:
    running = _running(setup)
    for component in (change.component, *change.also):
        if component not in running.components:
            continue
        host = registry.distribution(component)
        for version in running.versions.get(component, running.versions.get(host, ())):
            if registry.carried(change, component, version) is Ships.YES:
                return InForce(running.flat).all(change.guards) is not Truth.NO
    return False


class _Running(NamedTuple):
    """What a setup runs; every change asks for it."""

    components: frozenset[str]
    versions: Mapping[str, tuple[str, ...]]
    flat: Mapping[str, Any]


@once
def _running(setup: Setup) -> _Running:
    components = frozenset(pin.component for pin in setup.pins().values() if pin.component)
    return _Running(components, setup.versions(), setup.flat())


def _evaluations(watch: Watch, evaluation: Evaluation, registry: Registry) -> list[str]:
    """Later evaluations of the question that are what is waited for."""
    found = []
    for each in _asking(registry, watch.question or None):
        if each.id == evaluation.id:
            continue
        related = {relation.relation for relation in each.relations if relation.to == evaluation.id}
        if watch.relation and watch.relation not in related:
            continue
        if _later(each, evaluation) and _meets(watch, each):
            found.append(each.id)
    return sorted(found)


@once
def _asking(registry: Registry, question: str | None) -> tuple[Evaluation, ...]:
    """Evaluations of a question; without one all."""
    return tuple(each for each in registry.library.evaluations.values() if question in {None, each.question})


def _later(one: Evaluation, other: Evaluation) -> bool:
    return bool(one.date and other.date and UNKNOWN not in (one.date, other.date) and one.date > f"{other.date}~")


def _meets(watch: Watch, evaluation: Evaluation) -> bool:
    if not watch.conditions:
        return True
    return any(InForce(setup.flat()).all(watch.conditions) is Truth.YES for setup in _setups(evaluation))
