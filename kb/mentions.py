"""Where in a record things of one sort are: setups, conditions, references to other records, each with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kb.change import Change
from kb.component import Component
from kb.conditions import Condition, Conditions, single
from kb.deployment import Deployment
from kb.evaluation import COMPARISONS, Claim, Evaluation, Signal, Translation
from kb.finding import Loc, Problem
from kb.model import Model
from kb.setup import Pin, Setup, Spread
from kb.vocabulary import Kind


@dataclass(frozen=True, slots=True)
class Reference:
    """One record naming another."""

    loc: Loc
    kind: Kind
    id: str


def setups(record: Model) -> Iterator[tuple[Loc, Setup]]:
    """Every setup as written: the common one, each arm's own part, a deployment's."""
    if isinstance(record, Evaluation):
        if record.setup:
            yield ("setup",), record.setup
        yield from ((("arms", n, "setup"), arm.setup) for n, arm in enumerate(record.arms) if arm.setup)
    elif isinstance(record, Deployment):
        yield ("setup",), record.setup


def pins(record: Model) -> Iterator[tuple[Loc, Pin]]:
    """Every pin as written, sides' own pins included."""
    for loc, setup in setups(record):
        for key, pin in setup.pins().items():
            yield (*loc, *key.split(".")), pin


def conditions(record: Model) -> Iterator[tuple[Loc, Condition]]:
    """Every condition: of claims and signals, guards of changes, facts and refusals of components."""
    if isinstance(record, Evaluation):
        for n, claim in enumerate(record.claims):
            yield from _numbered(("claims", n, "conditions"), claim.conditions)
        for n, signal in enumerate(record.signals):
            if signal.watches:
                yield from _numbered(("signals", n, "watches", "conditions"), signal.watches.conditions)
    elif isinstance(record, Change):
        yield from _numbered(("guards",), record.guards)
    elif isinstance(record, Component):
        for n, fact in enumerate(record.facts):
            yield from _numbered(("facts", n, "when"), fact.when)
            for m, refusal in enumerate(fact.refuses):
                yield from _numbered(("facts", n, "refuses", m, "when"), refusal.when)


def spreads(record: Model) -> Iterator[tuple[Loc, Spread]]:
    """Every spread of lengths, rates and counts: of workloads and of points' load points."""
    for loc, setup in setups(record):
        if setup.workload:
            yield from _spreads((*loc, "workload"), setup.workload)
    for n, point in enumerate(record.points if isinstance(record, Evaluation) else ()):
        if point.where:
            yield from _spreads(("points", n, "where"), point.where)


def _spreads(loc: Loc, model: Model) -> Iterator[tuple[Loc, Spread]]:
    for name in model.model_fields_set:
        if isinstance(value := getattr(model, name), Spread):
            yield (*loc, name), value


def references(record: Model) -> Iterator[Reference]:
    """Every place where the record names an evaluation, a change or a component."""
    if isinstance(record, Evaluation):
        yield from _of_evaluation(record)
    elif isinstance(record, Change):
        yield from _of_change(record)
    elif isinstance(record, Translation):
        yield Reference(("translates",), Kind.EVALUATION, record.translates)
    for loc, pin in pins(record):
        if pin.component:
            yield Reference((*loc, "component"), Kind.COMPONENT, pin.component)
    for loc, condition in conditions(record):
        yield from _of_condition(loc, condition)


def _of_evaluation(record: Evaluation) -> Iterator[Reference]:
    for n, claim in enumerate(record.claims):
        yield from _anchors(n, claim)
    for n, signal in enumerate(record.signals):
        yield from _watched(n, signal)
    for n, relation in enumerate(record.relations):
        yield Reference(("relations", n, "to"), Kind.EVALUATION, relation.to)
    for n, impact in enumerate(record.impacts):
        if impact.change:
            yield Reference(("impacts", n, "change"), Kind.CHANGE, impact.change)
        for m, symbol in enumerate(impact.symbols):
            yield Reference(("impacts", n, "symbols", m), Kind.COMPONENT, symbol.partition(":")[0])
    for n, review in enumerate(record.reviews):
        yield from (Reference(("reviews", n, "at", name), Kind.COMPONENT, name) for name in review.at)
        yield from (Reference(("reviews", n, "seen", m), Kind.CHANGE, name) for m, name in enumerate(review.seen))


def _anchors(n: int, claim: Claim) -> Iterator[Reference]:
    for arm, anchors in claim.anchors.items():
        for m, anchor in enumerate(anchors):
            yield Reference(("claims", n, "anchors", arm, m), Kind.COMPONENT, anchor.partition(":")[0])


def _watched(n: int, signal: Signal) -> Iterator[Reference]:
    if signal.watches and signal.watches.change:
        yield Reference(("signals", n, "watches", "change"), Kind.CHANGE, signal.watches.change)


def _of_change(record: Change) -> Iterator[Reference]:
    yield Reference(("component",), Kind.COMPONENT, record.component)
    yield from (Reference(("also", n), Kind.COMPONENT, name) for n, name in enumerate(record.also))
    for n, symbol in enumerate(record.symbols):
        yield Reference(("symbols", n), Kind.COMPONENT, symbol.partition(":")[0])
    for n, relation in enumerate(record.relations):
        yield Reference(("relations", n, "to"), Kind.CHANGE, relation.to)


def _of_condition(loc: Loc, condition: Condition) -> Iterator[Reference]:
    for part, key in (("key", condition.key), ("other", condition.other)):
        if key and key.startswith("versions.") and len(key) > len("versions."):
            yield Reference((*loc, part), Kind.COMPONENT, key.removeprefix("versions."))


def _numbered(loc: Loc, conditions: Conditions) -> Iterator[tuple[Loc, Condition]]:
    yield from (((*loc, *inside), each) for inside, each in single(conditions))


def cited_points(record: Evaluation) -> frozenset[str]:
    """Ids of the points that comparisons of claims are computed from."""
    effects = [claim.effect for claim in record.claims if claim.effect and claim.effect.form in COMPARISONS]
    return frozenset(name for effect in effects for name in effect.points)


NAMED = 6
"""Names in a sentence before the rest is only counted."""


def named(names: Iterable[str], most: int = NAMED) -> str:
    """The first names, then how many more there are."""
    listed = list(names)
    shown = listed if len(listed) <= most + 1 else listed[:most]
    return ", ".join(shown) + (f" and {len(listed) - most} more" if len(listed) > len(shown) else "")


def once(problems: Iterable[Problem]) -> Iterator[Problem]:
    """One problem for all that say the same: the first place, and how many there are."""
    found: dict[str, list[Problem]] = {}
    for each in problems:
        found.setdefault(each.message, []).append(each)
    for same in found.values():
        first = same[0]
        yield first if len(same) == 1 else replace(first, message=f"{first.message} (at {len(same)} places)")
