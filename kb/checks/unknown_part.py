"""A reference to an arm, point, claim or signal that the record does not have.

## What it flags
Ids of arms (points, effects, anchors, conditions), points (effects, stages), claims (mechanisms, signals, impact
statements, reviews, relations to another evaluation) and signals (a decision's `reopened_by`) that do not exist there.

## Why it matters
A claim that names a missing point shows no number, and a signal for a missing claim reopens nothing.

## Example
    decision: {chose: push, because: it was faster, reopened_by: [independent-replication]}

## What to do
Correct the id; the hint names the nearest one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kb.evaluation import Claim, Evaluation
from kb.finding import Loc, Problem
from kb.library import Library
from kb.mentions import conditions, once
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.vocabulary import Severity

CODE = "KB112"
NAME = "unknown-part"
SEVERITY = Severity.ERROR

ALL_ARMS = "all"


@dataclass(frozen=True, slots=True)
class _Use:
    loc: Loc
    sort: str
    name: str | None


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Ids used inside the record that nothing in it carries."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    parts = {
        "arm": {each.id for each in record.arms},
        "point": {each.id for each in record.points if each.id},
        "claim": {each.id for each in record.claims},
        "signal": {each.id for each in record.signals},
    }
    yield from once(_lost(use, parts) for use in _uses(record) if use.name and use.name not in parts[use.sort])
    yield from _claims_elsewhere(record, library)


def _lost(use: _Use, parts: dict[str, set[str]]) -> Problem:
    hint = did_you_mean(str(use.name), parts[use.sort]) or _listed(use.sort, parts[use.sort])
    return Problem(use.loc, f'there is no {use.sort} "{use.name}" in this record', hint)


def _listed(sort: str, names: set[str]) -> str:
    return f"{sort}s here: {', '.join(sorted(names))}" if names else f"this record has no {sort}s"


def _uses(record: Evaluation) -> Iterator[_Use]:
    for n, point in enumerate(record.points):
        yield _Use(("points", n, "arm"), "arm", point.arm)
        yield _Use(("points", n, "against"), "arm", point.against)
    for n, claim in enumerate(record.claims):
        yield from _of_claim(("claims", n), claim)
    for n, stage in enumerate(record.stages):
        yield from _each(("stages", n, "points"), "point", stage.points)
    for n, signal in enumerate(record.signals):
        yield from _each(("signals", n, "claims"), "claim", signal.claims)
    if record.decision:
        yield from _each(("decision", "reopened_by"), "signal", record.decision.reopened_by)
    for n, impact in enumerate(record.impacts):
        yield _Use(("impacts", n, "claim"), "claim", impact.claim)
    for n, review in enumerate(record.reviews):
        yield from _each(("reviews", n, "claims"), "claim", review.claims)
    for loc, condition in conditions(record):
        if loc[0] == "claims":
            yield _Use((*loc, "arm"), "arm", condition.arm)


def _of_claim(loc: Loc, claim: Claim) -> Iterator[_Use]:
    if effect := claim.effect:
        yield from (_Use((*loc, "effect", key), "arm", getattr(effect, key)) for key in ("arm", "against", "better"))
        yield from _each((*loc, "effect", "points"), "point", effect.points)
    yield from _each((*loc, "explains"), "claim", claim.explains)
    yield from _each((*loc, "arms"), "arm", claim.arms)
    yield from (_Use((*loc, "anchors", arm), "arm", arm) for arm in claim.anchors if arm != ALL_ARMS)


def _each(loc: Loc, sort: str, names: Iterable[str]) -> Iterator[_Use]:
    return (_Use((*loc, n), sort, name) for n, name in enumerate(names))


def _claims_elsewhere(record: Evaluation, library: Library) -> Iterator[Problem]:
    for n, relation in enumerate(record.relations):
        other = library.evaluations.get(relation.to)
        names = {claim.id for claim in other.claims} if other else set()
        for m, name in enumerate(relation.claims):
            if other and name not in names:
                hint = did_you_mean(name, names) or _listed("claim", names)
                yield Problem(("relations", n, "claims", m), f'"{relation.to}" has no claim "{name}"', hint)
