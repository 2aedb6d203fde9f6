"""The claims that could say the same as a claim, or another thing: beside most others no direction can be told."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from kb.directions import direction
from kb.evaluation import Claim, Evaluation
from kb.library import Library
from kb.matching import ClaimAt
from kb.rivals import Rivals
from kb.vocabulary import ClaimKind, EffectForm


class Group(NamedTuple):
    """The measured claims of some evaluations, in the order of their records."""

    every: tuple[ClaimAt, ...]
    speaking: tuple[ClaimAt, ...]
    """Those that say which arm is better, or that they are equal, or that state a bound."""
    bounds: tuple[ClaimAt, ...]
    """Those that state a bound, inside of which any number lies or not."""


@dataclass(frozen=True)
class Voices:
    """The measured claims of a library by what their evaluations ask; sorted once, looked up for every claim."""

    library: Library
    rivals: Rivals

    def beside(self, evaluation: Evaluation, claim: Claim) -> tuple[ClaimAt, ...]:
        """Measured claims of rivals, and of those that name the evaluation, that could have a direction beside this
        one; claims of its own may be among them."""
        group = self._group(evaluation)
        if _bound(claim):
            return group.every
        return group.speaking if self._directed(evaluation, claim) else group.bounds

    def _group(self, evaluation: Evaluation) -> Group:
        asking, group = self.rivals.group(evaluation)
        if naming := self.rivals.naming(evaluation):
            every = {each.id: each for each in (*group, *naming)}
            return self._sorted(every[id_] for id_ in sorted(every))
        if asking not in self._groups:
            self._groups[asking] = self._sorted(group)
        return self._groups[asking]

    def _sorted(self, evaluations: Iterable[Evaluation]) -> Group:
        measured = [
            ClaimAt(each, claim) for each in evaluations for claim in each.claims if claim.kind is ClaimKind.MEASURED
        ]
        bounds = tuple(each for each in measured if _bound(each.claim))
        speaking = tuple(each for each in measured if _bound(each.claim) or self._directed(*each))
        return Group(tuple(measured), speaking, bounds)

    def _directed(self, evaluation: Evaluation, claim: Claim) -> bool:
        return direction(claim, evaluation, self.library).kind != "none"

    @cached_property
    def _groups(self) -> dict[Hashable, Group]:
        return {}


def _bound(claim: Claim) -> bool:
    return claim.effect is not None and claim.effect.form is EffectForm.BOUND
