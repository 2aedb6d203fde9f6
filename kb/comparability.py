"""Whether two claims of two evaluations speak of the same thing, field by field.

Comparable is: one question and goal, the same components as arms, the same definition of the metric and the same
statistic, and conditions and tested loads that meet. What is unknown in a field stays unknown and names the field. A
field that neither record speaks of is no difference; one that only one of them states is unknown. A different size of
an effect is no conflict; a different direction is (kb.directions).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import NamedTuple

from kb.conditions import AnyOf, Condition, Truth
from kb.evaluation import COMPARISONS, Claim, Evaluation
from kb.library import Library
from kb.matching import RANK, ClaimAt, Pairs, Reason, Subject, facts, match, points_of, region, same, subjects, words
from kb.regions import Region
from kb.vocabulary import UNKNOWN, EffectForm, Phase, Statistic

QUANTITIES = ("input_tokens", "output_tokens", "request_rate", "concurrency")
"""Load that is compared as a region: what was tested, narrowed by the claim's conditions."""
ENVELOPE = ("topology", "workload.turns", "prefill.prefix_caching", "decode.prefix_caching")
"""What else belongs to the tested envelope."""
SLO = ("slo.ttft", "slo.tpot", "slo.itl", "slo.e2el", "slo.stat")
"""Limits under which goodput and capacities are counted."""


@dataclass(frozen=True, slots=True)
class Comparability:
    """The answer for two claims, with every field that was looked at."""

    answer: Truth
    reasons: tuple[Reason, ...]

    def _of(self, truth: Truth) -> tuple[Reason, ...]:
        return tuple(each for each in self.reasons if each.truth is truth)

    @property
    def against(self) -> tuple[Reason, ...]:
        """Fields that keep the two apart."""
        return self._of(Truth.NO)

    @property
    def open(self) -> tuple[Reason, ...]:
        """Fields that would have to be known."""
        return self._of(Truth.UNKNOWN)


def claims_comparable(one: ClaimAt, other: ClaimAt, library: Library) -> Comparability:
    """Whether two claims can stand against each other, with a reason for each field."""
    reasons = tuple(_reasons(one, other, library))
    return Comparability(Truth.all(each.truth for each in reasons), reasons)


def _reasons(one: ClaimAt, other: ClaimAt, library: Library) -> Iterator[Reason]:
    first = (_question(one.evaluation, other.evaluation, library), _effect(one.claim, other.claim))
    yield from first
    if any(each.truth is Truth.NO for each in first):
        return  # nothing else could join them
    matched, pairs, _ = match(one, other, library)
    yield from matched
    if one.claim.effect and other.claim.effect:
        yield metric_reason(one, other, library)
        yield statistic_reason(one, other)
        yield from _slo(one, other, pairs)
    yield from _phase(one.claim.phase, other.claim.phase)
    told_apart = frozenset(each.field for each in matched)
    beside = tuple((_circumstances(one, a), _circumstances(other, b)) for a, b in pairs)
    yield from _elsewhere(beside, told_apart.intersection(ENVELOPE))
    yield from _conditions(one, other, pairs, swapped=False)
    yield from _conditions(other, one, tuple((b, a) for a, b in pairs), swapped=True)


# What is asked and what is measured


def _question(one: Evaluation, other: Evaluation, library: Library) -> Reason:
    goals = {each.id: each.goal for each in library.vocabulary.questions}
    a, b = one.question, other.question
    truth = Truth.of(a == b if a and b else None)
    if truth is Truth.NO:
        says = f"another question: {goals.get(a or '', a)}, against {goals.get(b or '', b)}"
    else:
        says = "one question" if truth is Truth.YES else "a record that names no question has no known rival"
    return Reason("question", words(a), words(b), truth, says)


_COMPARED = dict.fromkeys(COMPARISONS, "arms compared") | {
    EffectForm.BOUND: "a level",
    EffectForm.VALUE: "a level",
    EffectForm.THRESHOLD: "a capacity",
    EffectForm.STATISTIC_RATIO: "two statistics of one arm",
}


def _effect(one: Claim, other: Claim) -> Reason:
    a, b = (_kind_of_effect(each) for each in (one, other))
    says = "both measured the same kind of effect" if a == b else f"{a} says nothing against {b}"
    if not (one.effect and other.effect):
        says = "only what was measured can stand against something measured"
    return Reason("effect", a, b, Truth.of(a == b and one.effect is not None), says)


def _kind_of_effect(claim: Claim) -> str:
    return _COMPARED[claim.effect.form] if claim.effect else f"{claim.kind.value}, not measured by itself"


def metric_reason(one: ClaimAt, other: ClaimAt, library: Library) -> Reason:
    """Whether both numbers are measured in the same way: by definition, never by label."""
    a, b = (_metric(each) for each in (one, other))
    mine, theirs = (_measured(each, library).definitions for each in (one, other))
    truth = same_measure(a, mine, b, theirs, library)
    here = f"{a} ({', '.join(sorted(mine)) or 'definition not stated'})"
    there = f"{b} ({', '.join(sorted(theirs)) or 'definition not stated'})"
    says = {
        Truth.YES: "measured in the same way",
        Truth.NO: "not the same thing, whatever it is called",
        Truth.UNKNOWN: "without the definition on both sides nobody can say that it is the same thing",
    }[truth]
    return Reason("metric", here, there, truth, says)


def _metric(at: ClaimAt) -> str:
    return at.claim.effect.metric if at.claim.effect else UNKNOWN


def _measured(at: ClaimAt, library: Library) -> Measure:
    """How a claim's number was measured, worked out once: it meets every rival."""
    return subjects(at, library)[0].once(at.claim, "measure", lambda: measure_of(at))


def same_measure(metric: str, mine: Iterable[str], other: str, theirs: Iterable[str], library: Library) -> Truth:
    """Whether numbers of two metrics with these definitions are of one kind; `same_as` counts, a label does not."""
    here, there = ({library.measure(each) for each in names} for names in (mine, theirs))
    if here and there:
        return Truth.YES if here == there else Truth.UNKNOWN if here & there else Truth.NO
    known = library.metrics
    if metric == other:
        only_one_meaning = metric in known and not known[metric].definitions
        return Truth.YES if only_one_meaning and not here | there else Truth.UNKNOWN
    means, meant = (here or _possible(metric, library)), (there or _possible(other, library))
    return Truth.UNKNOWN if means & meant else Truth.NO


def _possible(metric: str, library: Library) -> set[str]:
    found = library.metrics.get(metric)
    return {library.measure(each.id) for each in found.definitions} if found else set()


def definitions(at: ClaimAt) -> frozenset[str]:
    """Definitions of a claim's points; none when one of them is not stated."""
    named = [each.definition for each in points_of(at) if each.metric == _metric(at)]
    return frozenset(each for each in named if each) if all(named) else frozenset()


class Measure(NamedTuple):
    """How a claim's number was measured, as far as it is stated."""

    metric: str
    definitions: frozenset[str]
    statistics: frozenset[Statistic]


def measure_of(at: ClaimAt) -> Measure:
    """How a claim's number was measured."""
    return Measure(_metric(at), definitions(at), _statistics(at))


def alike(one: Measure, other: Measure, library: Library) -> bool:
    """Whether two numbers certainly are of one kind: without that no two claims are comparable."""
    same = same_measure(one.metric, one.definitions, other.metric, other.definitions, library)
    return same is Truth.YES and same_statistic(one.statistics, other.statistics) is Truth.YES


def _statistics(at: ClaimAt) -> frozenset[Statistic]:
    return frozenset(each.stat for each in points_of(at)) or frozenset({Statistic.UNKNOWN})


def same_statistic(one: frozenset[Statistic], other: frozenset[Statistic]) -> Truth:
    """Whether numbers are of one statistic; unknown where it is not stated, or where they share only one of several."""
    unknown = Statistic.UNKNOWN in one | other
    return Truth.YES if one == other and not unknown else Truth.of(None if unknown or one & other else False)


def statistic_reason(one: ClaimAt, other: ClaimAt) -> Reason:
    a, b = (_statistics(at) for at in (one, other))
    truth = same_statistic(a, b)
    here, there = (", ".join(sorted(each.value for each in stats)) for stats in (a, b))
    says = {
        Truth.YES: "the same statistic",
        Truth.NO: "a mean, a median and a tail are three different things",
        Truth.UNKNOWN: "the statistic is not stated on both sides",
    }[truth]
    return Reason("statistic", here, there, truth, says)


def _slo(one: ClaimAt, other: ClaimAt, pairs: Pairs) -> Iterator[Reason]:
    """Limits make the number where goodput or a capacity is counted."""
    effects = [at.claim.effect for at in (one, other) if at.claim.effect]
    if any(each.metric == "goodput" or each.form is EffectForm.THRESHOLD for each in effects):
        for key in SLO:
            yield from _envelope(key, one, other, pairs)


def _phase(one: Phase | None, other: Phase | None) -> Iterator[Reason]:
    if one is other:
        return
    truth = Truth.NO if one and other else Truth.of(True if Phase.STEADY_STATE in {one, other} else None)
    says = "another phase" if truth is Truth.NO else "only one of them names its phase"
    yield Reason("phase", words(one), words(other), truth, says)


@dataclass(frozen=True, eq=False)
class Loads:
    """What an arm was tested under for a claim. Of thousands of claims many share theirs: what is the same is one."""

    each: tuple[tuple[Region | None, bool], ...]
    """Of each of QUANTITIES the region, and whether the record says that its source does not state it."""


@dataclass(frozen=True, eq=False)
class _Circumstances:
    """Where an arm was measured for a claim; what is the same is one, too."""

    loads: Loads
    facts: tuple[str | None, ...]
    """Of each of ENVELOPE the fact in words."""


def _circumstances(at: ClaimAt, arm: Subject) -> _Circumstances:
    def found() -> _Circumstances:
        known = facts(at, arm)
        return _one_of(_loads(at, arm), tuple(_in_words(known.get(key)) for key in ENVELOPE))

    return arm.once(at.claim, "circumstances", found)


def _loads(at: ClaimAt, arm: Subject) -> Loads:
    return _one_load(tuple((_load(key, at, arm), arm.stated.get(f"workload.{key}") == UNKNOWN) for key in QUANTITIES))


_one_load = lru_cache(maxsize=4096)(Loads)
_one_of = lru_cache(maxsize=4096)(_Circumstances)


def _in_words(fact: object) -> str | None:
    return None if fact is None else words(fact)


def tested(at: ClaimAt, library: Library) -> tuple[Loads, ...]:
    """What each arm of a claim was tested under; worked out once."""
    arms = subjects(at, library)
    return arms[0].once(at.claim, "loads", lambda: tuple(_loads(at, arm) for arm in arms))


@lru_cache(maxsize=16_384)
def loads_apart(one: tuple[Loads, ...], other: tuple[Loads, ...]) -> frozenset[str]:
    """Loads of which two claims certainly do not both say that they meet, whichever arms stand beside each other: in
    them the first arm of the one meets none of the other's. Claims of one question mostly differ there."""
    found = set()
    for n, key in enumerate(QUANTITIES):
        reasons = [_regions(f"workload.{key}", one[0].each[n], arm.each[n]) for arm in other]
        if all(reason is not None and reason.truth is not Truth.YES for reason in reasons):
            found.add(f"workload.{key}")
    return frozenset(found)


@lru_cache(maxsize=16_384)
def _elsewhere(
    beside: tuple[tuple[_Circumstances, _Circumstances], ...], without: frozenset[str]
) -> tuple[Reason, ...]:
    """Whether circumstances meet, arm by arm; `without` what tells the arms apart."""
    found: list[Reason] = []
    for n, key in enumerate(QUANTITIES):
        found += _worst(_regions(f"workload.{key}", a.loads.each[n], b.loads.each[n]) for a, b in beside)
    for n, key in enumerate(ENVELOPE):
        if key not in without:
            found += _worst(_facts_agree(key, a.facts[n], b.facts[n]) for a, b in beside)
    return tuple(found)


def _worst(reasons: Iterable[Reason | None]) -> Iterator[Reason]:
    """Of the reasons arm by arm the one that decides."""
    found = [each for each in reasons if each is not None]
    yield from sorted(found, key=lambda each: -RANK[each.truth])[:1]


@lru_cache(maxsize=16_384)
def _regions(field: str, one: tuple[Region | None, bool], other: tuple[Region | None, bool]) -> Reason | None:
    (here, sought), (there, also) = one, other
    if here is None and there is None and not (sought or also):
        return None
    truth = here.meets(there) if here and there else Truth.UNKNOWN
    open_ = f"nothing was tested at a {field} of both" if here and there else f"{field} is not stated on both sides"
    says = {
        Truth.YES: f"the tested {field} meet",
        Truth.NO: f"{field} of the one lies outside of the other",
        Truth.UNKNOWN: open_,
    }[truth]
    return Reason(field, words(here), words(there), truth, says)


def _load(key: str, at: ClaimAt, arm: Subject) -> Region | None:
    """The region of a load key. With a number of requests in flight "all at once" is no rate: the loop is closed."""
    found = region(key, at, arm)
    if key == "request_rate" and found and found.values == (inf,) and region("concurrency", at, arm):
        return None
    return found


def _envelope(key: str, one: ClaimAt, other: ClaimAt, pairs: Pairs) -> Iterator[Reason]:
    beside = ((_in_words(facts(one, a).get(key)), _in_words(facts(other, b).get(key))) for a, b in pairs)
    yield from _worst(_facts_agree(key, *each) for each in beside)


@lru_cache(maxsize=16_384)
def _facts_agree(key: str, here: str | None, there: str | None) -> Reason | None:
    truth = same(here, there)
    if truth is None:
        return None
    says = {
        Truth.YES: f"the same {key}",
        Truth.NO: f"{key} differs",
        Truth.UNKNOWN: f"{key} is not stated on both sides",
    }[truth]
    return Reason(key, words(here), words(there), truth, says)


def _conditions(at: ClaimAt, where: ClaimAt, pairs: Pairs, swapped: bool) -> Iterator[Reason]:
    """Conditions of one claim, asked of the facts of the other; loads and the envelope are looked at above."""
    looked_at = {*(f"workload.{key}" for key in QUANTITIES), *ENVELOPE}
    for condition in at.claim.conditions:
        keys = [each.key for each in (condition.any_of if isinstance(condition, AnyOf) else (condition,))]
        if set(keys) <= looked_at:
            continue
        asked = [(mine, theirs) for mine, theirs in pairs if _speaks_of(condition, mine)]
        truth = Truth.all(facts(where, theirs).test(condition) for _, theirs in asked)
        found = " / ".join(dict.fromkeys(words(facts(where, theirs).get(key)) for _, theirs in asked for key in keys))
        says = {
            Truth.YES: f"{where} meets what {at} rests on",
            Truth.NO: f"{where} is outside of what {at} rests on: {condition}",
            Truth.UNKNOWN: f"whether {where} is inside of what {at} rests on is not stated: {condition}",
        }[truth]
        here, there = (found, str(condition)) if swapped else (str(condition), found)
        yield Reason(keys[0], here, there, truth, says)


def _speaks_of(condition: Condition | AnyOf, arm: Subject) -> bool:
    named = {each.arm for each in (condition.any_of if isinstance(condition, AnyOf) else (condition,))}
    return None in named or arm.id in named
