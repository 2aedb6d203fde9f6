"""Two arms, or two evaluations arm by arm, beside each other: setup, numbers, and whether a ratio may be taken.

A ratio across two evaluations needs the same definition of the metric, the same statistic, the same load point, and
arms that differ in one thing only; otherwise it is refused with the field that is in the way. Within one evaluation the
arms differ in what was put to the test, and its own tool measured both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from kb.comparability import QUANTITIES, Comparability, claims_comparable, metric_reason
from kb.conditions import Truth
from kb.differences import Alike, Difference, differences
from kb.directions import same_direction
from kb.disagreement import Disagreement, between
from kb.errors import KbError, NotFound
from kb.evaluation import Arm, Evaluation
from kb.library import Library
from kb.matching import ClaimAt, Pairs, Reason, Subject, paired, subject, words
from kb.ratios import Metric, ratios
from kb.setup import PIN_KEYS
from kb.suggest import nearest
from kb.vocabulary import ArmRole

HELD = frozenset(
    {
        *("model", "precision", "hardware.gpu", "hardware.interconnect", "transport.backend", "topology"),
        *("workload.turns", "router.dispatch"),
        *(f"{side}.{name}" for side in ("both", "prefill", "decode") for name in ("tp", "prefix_caching")),
    }
)
"""Keys that must be known to be the same before a number of one evaluation is divided by one of another."""


class Named(NamedTuple):
    """What the user names: an evaluation, and an arm of it where he says which."""

    evaluation: Evaluation
    arm: str | None = None


class ClaimPair(NamedTuple):
    """A claim of one evaluation beside one of the other, on one question."""

    a: ClaimAt
    b: ClaimAt
    comparability: Comparability
    agree: Truth


@dataclass(frozen=True)
class Comparison:
    """Two arms, or two evaluations arm by arm."""

    a: Named
    b: Named
    pairs: Pairs
    comparable: Truth
    reasons: tuple[Reason, ...]
    """What keeps their numbers apart, and what would have to be known."""
    differences: tuple[Difference, ...]
    alike: tuple[Alike, ...]
    metrics: tuple[Metric, ...]
    claims: tuple[ClaimPair, ...]
    disagreements: tuple[Disagreement, ...]

    def as_dict(self) -> dict[str, Any]:
        """With the keys of cli.md."""
        return {
            "a": _shown(self.a),
            "b": _shown(self.b),
            "arms": [[one.id, other.id] for one, other in self.pairs],
            "comparable": self.comparable.value,
            "reasons": [_reason(each) for each in self.reasons],
            "differences": [each.as_dict() for each in self.differences],
            "same": {each.key: each.value for each in self.alike},
            "metrics": [each.as_dict() for each in self.metrics],
            "claims": [_claims(each) for each in self.claims],
            "disagreements": [_disagreement(each) for each in self.disagreements],
        }


def compare(a: Named, b: Named, library: Library) -> Comparison:
    """Two arms, or two evaluations arm by arm. Raises KbError where it cannot be told which arms are meant."""
    pairs = arms(a, b, library)
    same = a.evaluation is b.evaluation
    differing, alike = differences(pairs, library)
    if same:  # what is unknown of both is the same unknown
        differing = tuple(each for each in differing if each.material != "unknown" or each.a != each.b)
    gate = () if same else tuple(in_the_way(differing))
    metrics, apart = ratios(pairs, a.evaluation, b.evaluation, gate, library)
    claims = () if same else tuple(_claim_pairs(a.evaluation, b.evaluation, library))
    return Comparison(
        a,
        b,
        pairs,
        _answer(gate, metrics),
        (*gate, *apart),
        differing,
        alike,
        metrics,
        claims,
        () if same else tuple(between(a.evaluation, b.evaluation, library)),
    )


def _answer(gate: Iterable[Reason], metrics: Iterable[Metric]) -> Truth:
    """Whether their numbers may be divided: what the setups say, and whether there is a number on both sides."""
    found = [Truth.of(True if each.ratio is not None else None) for each in metrics]
    return Truth.all([*(each.truth for each in gate), Truth.any(found) if found else Truth.UNKNOWN])


# Which arms


def arms(a: Named, b: Named, library: Library) -> Pairs:
    """The arms that are set beside each other. Raises KbError where it cannot be told which are meant."""
    if a.evaluation is b.evaluation:
        return _of_one(a, b, library)
    mine, theirs = (tuple(subject(each.evaluation, arm, library) for arm in _candidates(each)) for each in (a, b))
    if len(mine) == len(theirs) and len(mine) <= 2:
        return paired(mine, theirs).pairs
    one, other = (mine, theirs) if len(mine) == 1 else (theirs, mine)
    if len(one) == 1:
        fitting = [arm for arm in other if _fits(one[0], arm)]
        if len(fitting) == 1:
            return ((one[0], fitting[0]),) if one is mine else ((fitting[0], one[0]),)
    raise _which(a if len(mine) > len(theirs) or len(mine) > 2 else b)


def _candidates(named: Named) -> tuple[Arm | None, ...]:
    return (find_arm(named.evaluation, named.arm),) if named.arm else named.evaluation.arms or (None,)


def find_arm(evaluation: Evaluation, name: str) -> Arm:
    """The arm of that id. Raises NotFound with the nearest."""
    table = evaluation.arm_table()
    if name in table:
        return table[name]
    near = nearest(name, table)
    hint = f"did you mean {evaluation.id}/{near}?" if near else f"its arms: {', '.join(table) or 'none'}"
    raise NotFound(f'{evaluation.id} has no arm "{name}"', hint)


def _of_one(a: Named, b: Named, library: Library) -> Pairs:
    evaluation, named = a.evaluation, [each.arm for each in (a, b) if each.arm]
    known = [find_arm(evaluation, name) for name in named]
    rest = [arm for arm in evaluation.arms if arm not in known]
    if len(evaluation.arms) < 2:
        raise KbError(f"{evaluation.id} has no two arms", "name another evaluation to compare it with")
    if len(known) + len(rest) != 2 and len(known) < 2:
        raise _which(a)
    if len(known) == 2 and known[0] is known[1]:
        raise KbError(f"{evaluation.id}/{named[0]} is compared with itself", f"its other arms: {_ids(rest)}")
    both = known if len(known) == 2 else [*known, *rest] if a.arm else [*rest, *known]
    if not known:
        both = sorted(both, key=lambda arm: arm.role is ArmRole.BASELINE)
    one, other = (subject(evaluation, arm, library) for arm in both)
    return ((one, other),)


def _which(named: Named) -> KbError:
    arms_ = named.evaluation.arms
    return KbError(
        f"{named.evaluation.id} has {len(arms_)} arms: {_ids(arms_)}",
        f"say which one: {named.evaluation.id}/{arms_[0].id}",
    )


def _ids(each: Iterable[Arm]) -> str:
    return ", ".join(arm.id for arm in each)


def _fits(one: Subject, other: Subject) -> bool:
    """Whether an arm is the same thing as another, as far as both say."""
    match = paired((one,), (other,))
    return Truth.all(each.truth for each in match.reasons if each.field == "connector") is Truth.YES


# What is in the way of a ratio


def in_the_way(differing: Iterable[Difference]) -> Iterator[Reason]:
    """Fields that keep two evaluations' numbers apart: what else differs, and what is not known to be the same."""
    factors: dict[str, Difference] = {}
    for each in differing:
        factor = _factor(each.key)
        if each.material == "yes" and factor:
            factors.setdefault(factor, each)
        elif each.material == "yes" and each.key.removeprefix("workload.") not in QUANTITIES:
            yield Reason(each.key, each.a, each.b, Truth.NO, f"{each.key} differs: {each.why}")
        elif each.material == "unknown" and (each.key in HELD or factor):
            yield Reason(
                each.key, each.a, each.b, Truth.UNKNOWN, f"{each.key} is not known on at least one side: {each.why}"
            )
    if len(factors) > 1:
        here, there = (", ".join(getattr(each, side) for each in factors.values()) for side in "ab")
        says = f"the arms differ in {' and '.join(sorted(factors))}: which of it a ratio is due to cannot be told"
        yield Reason("arms", here, there, Truth.NO, says)


def _factor(key: str) -> str | None:
    """What may be put to the test: a part with its build and options. A connector and what it is made of are one."""
    head = key.removeprefix("prefill.").removeprefix("decode.").partition(".")[0]
    if key in {"router.dispatch", "router.decoder_chosen", "router.policy"} or head in {"client"}:
        return None
    return head if head in {*PIN_KEYS, "options", "env"} else None


# Claims


def _claim_pairs(a: Evaluation, b: Evaluation, library: Library) -> Iterator[ClaimPair]:
    """Claims on one question that speak of one metric."""
    if not a.question or a.question != b.question:
        return
    for mine, theirs in product(a.claims, b.claims):
        one, other = ClaimAt(a, mine), ClaimAt(b, theirs)
        if mine.effect and theirs.effect and metric_reason(one, other, library).truth is not Truth.NO:
            yield ClaimPair(one, other, claims_comparable(one, other, library), same_direction(one, other, library))


def _shown(named: Named) -> dict[str, str | None]:
    return {"evaluation": named.evaluation.id, "arm": named.arm}


def _reason(reason: Reason) -> dict[str, str]:
    return {**reason._asdict(), "truth": reason.truth.value}


def _claims(pair: ClaimPair) -> dict[str, Any]:
    return {
        "a": str(pair.a),
        "b": str(pair.b),
        "comparable": pair.comparability.answer.value,
        "agree": pair.agree.value,
        "reasons": [_reason(each) for each in (*pair.comparability.against, *pair.comparability.open)],
    }


def _disagreement(found: Disagreement) -> dict[str, Any]:
    return {
        "a": str(found.one),
        "b": str(found.other),
        "said": [f"{each.better} better" if each.better else each.kind for each in found.said],
        "material": [_modifier(each) for each in found.material],
        "unknown": [_modifier(each) for each in found.unknown],
    }


def _modifier(modifier: Any) -> dict[str, str]:
    return {name: words(getattr(modifier, name)) for name in ("name", "key", "one", "other", "why")}
