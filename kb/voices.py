"""The claims that could say the same as a claim, or another thing: beside most others no direction can be told."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from kb.comparability import Measure, alike, measure_of
from kb.directions import direction
from kb.evaluation import Claim, Evaluation
from kb.library import Library
from kb.matching import ClaimAt
from kb.once import once
from kb.rivals import Rivals
from kb.vocabulary import UNKNOWN, ClaimKind, EffectForm


class Voice(NamedTuple):
    """A measured claim, with its place in the order of records."""

    place: int
    at: ClaimAt
    day: str
    """Date of its evaluation."""
    directed: bool
    """Whether it says which arm is better, or that they are equal."""
    bound: bool
    """Whether it states a bound, inside of which any number lies or not."""


Group = Mapping[Measure, tuple[Voice, ...]]
"""The claims of rivals by how they were measured, the oldest first; what was measured in another way says nothing
either way, and what has no date is later than nothing."""


@dataclass(frozen=True)
class Voices:
    """The measured claims of a library by what their evaluations ask; sorted once, looked up for every claim."""

    library: Library
    rivals: Rivals

    def beside(self, evaluation: Evaluation, claim: Claim) -> tuple[ClaimAt, ...]:
        """Measured claims of later rivals, and of later evaluations that name this one, that could have a direction
        beside a claim; in the order of records."""
        mine, day = ClaimAt(evaluation, claim), _day(evaluation)
        measure = _measure(evaluation, evaluation.number_of(claim))
        if day is None or not self._alike(measure, measure):
            return ()
        bound, directed = _bound(claim), self._directed(mine)
        found = [
            each
            for other, voices in self._group(evaluation).items()
            if self._alike(measure, other)
            for each in voices[bisect_right(voices, f"{day}~", key=_day_of) :]  # a day is not later than its month
            if bound or each.bound or (directed and each.directed)
        ]
        return tuple(each.at for each in sorted(found))

    def _group(self, evaluation: Evaluation) -> Group:
        asking, group = self.rivals.group(evaluation)
        if naming := self.rivals.naming(evaluation):
            every = {each.id: each for each in (*group, *naming)}
            return self._sorted(every[id_] for id_ in sorted(every))
        if asking not in self._groups:
            self._groups[asking] = self._sorted(group)
        return self._groups[asking]

    def _sorted(self, evaluations: Iterable[Evaluation]) -> Group:
        found: dict[Measure, list[Voice]] = defaultdict(list)
        dated = ((day, each) for each in evaluations if (day := _day(each)) is not None)
        claims = ((day, each, number) for day, each in dated for number in range(len(each.claims)))
        for place, (day, evaluation, number) in enumerate(claims):
            at, measure = ClaimAt(evaluation, evaluation.claims[number]), _measure(evaluation, number)
            # without a definition or a statistic a number is not even certainly like itself
            if at.claim.kind is ClaimKind.MEASURED and self._alike(measure, measure):
                found[measure].append(Voice(place, at, day, self._directed(at), _bound(at.claim)))
        return {measure: tuple(sorted(each, key=_day_of)) for measure, each in found.items()}

    def _directed(self, at: ClaimAt) -> bool:
        return direction(at.claim, at.evaluation, self.library).kind != "none"

    def _alike(self, one: Measure, other: Measure) -> bool:
        if (one, other) not in self._measures:
            self._measures[one, other] = alike(one, other, self.library)
        return self._measures[one, other]

    @cached_property
    def _measures(self) -> dict[tuple[Measure, Measure], bool]:
        return {}

    @cached_property
    def _groups(self) -> dict[Hashable, Group]:
        return {}


def _bound(claim: Claim) -> bool:
    return claim.effect is not None and claim.effect.form is EffectForm.BOUND


def _day(evaluation: Evaluation) -> str | None:
    """The date by which evaluations are earlier and later; None where none is stated."""
    return None if evaluation.date in {None, "", UNKNOWN} else str(evaluation.date)


def _day_of(voice: Voice) -> str:
    return voice.day


@once
def _measure(evaluation: Evaluation, number: int) -> Measure:
    return measure_of(ClaimAt(evaluation, evaluation.claims[number]))
