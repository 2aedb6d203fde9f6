"""The claims that could say the same as a claim, or another thing: beside most others no direction can be told."""

from __future__ import annotations

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
from kb.rivals import Rivals
from kb.vocabulary import ClaimKind, EffectForm


class Voice(NamedTuple):
    """A measured claim, with its place in the order of records."""

    place: int
    at: ClaimAt
    directed: bool
    """Whether it says which arm is better, or that they are equal."""
    bound: bool
    """Whether it states a bound, inside of which any number lies or not."""


Group = Mapping[Measure, tuple[Voice, ...]]
"""The claims of rivals by how they were measured; what was measured in another way says nothing either way."""


@dataclass(frozen=True)
class Voices:
    """The measured claims of a library by what their evaluations ask; sorted once, looked up for every claim."""

    library: Library
    rivals: Rivals

    def beside(self, evaluation: Evaluation, claim: Claim) -> tuple[ClaimAt, ...]:
        """Measured claims of rivals, and of those that name the evaluation, that could have a direction beside this
        one; claims of its own may be among them."""
        mine = ClaimAt(evaluation, claim)
        bound, directed, measure = _bound(claim), self._directed(mine), measure_of(mine)
        found = [
            each
            for other, voices in self._group(evaluation).items()
            if self._alike(measure, other)
            for each in voices
            if bound or each.bound or (directed and each.directed)
        ]
        return tuple(each.at for each in sorted(found, key=lambda each: each.place))

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
        claims = (ClaimAt(each, claim) for each in evaluations for claim in each.claims)
        for place, at in enumerate(each for each in claims if each.claim.kind is ClaimKind.MEASURED):
            found[measure_of(at)].append(Voice(place, at, self._directed(at), _bound(at.claim)))
        return {measure: tuple(each) for measure, each in found.items()}

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
