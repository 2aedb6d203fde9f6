"""Evaluations that stand beside each other: of one question, with the same connectors as arms or with others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from kb.evaluation import Evaluation
from kb.library import Library
from kb.once import once
from kb.setup import Setup
from kb.vocabulary import NOTHING


@dataclass(frozen=True)
class Rivals:
    """The evaluations of a library by what they ask; looked up for every claim."""

    library: Library

    def of(self, evaluation: Evaluation) -> tuple[Evaluation, ...]:
        """Other evaluations of the same question that compare the same connectors, and those that name this one."""
        asking = self._by_asking.get(self._asks(evaluation), ()) if evaluation.question else ()
        both = {each.id: each for each in (*asking, *self._naming.get(evaluation.id, ())) if each is not evaluation}
        return tuple(both[id_] for id_ in sorted(both))

    def group(self, evaluation: Evaluation) -> tuple[Hashable, tuple[Evaluation, ...]]:
        """All evaluations of the same question that compare the same connectors, itself included, by what they ask."""
        asking = self._asks(evaluation)
        return asking, tuple(self._by_asking.get(asking, ())) if evaluation.question else ()

    def naming(self, evaluation: Evaluation) -> tuple[Evaluation, ...]:
        """Evaluations that name this one in a relation."""
        return tuple(self._naming.get(evaluation.id, ()))

    def fellows(self, evaluation: Evaluation) -> tuple[Evaluation, ...]:
        """Other evaluations of the same question that compare other things."""
        same = {each.id for each in (evaluation, *self.of(evaluation))}
        asking = self._by_question.get(evaluation.question or "", ())
        return tuple(each for each in asking if each.id not in same)

    def _asks(self, evaluation: Evaluation) -> Hashable:
        """The question of an evaluation and the connectors that it sets against each other; worked out once."""
        known = self.library.evaluations.get(evaluation.id) is evaluation  # a changed copy asks for itself
        return self._asked[evaluation.id] if known else asks(evaluation)

    @cached_property
    def _asked(self) -> Mapping[str, Hashable]:
        return {each.id: asks(each) for each in self.library.evaluations.values()}

    @cached_property
    def _in_order(self) -> tuple[Evaluation, ...]:
        return tuple(sorted(self.library.evaluations.values(), key=lambda each: each.id))

    @cached_property
    def _by_asking(self) -> Mapping[Hashable, list[Evaluation]]:
        found: dict[Hashable, list[Evaluation]] = defaultdict(list)
        for each in self._in_order:
            found[self._asked[each.id]].append(each)
        return found

    @cached_property
    def _by_question(self) -> Mapping[str, list[Evaluation]]:
        found: dict[str, list[Evaluation]] = defaultdict(list)
        for each in self._in_order:
            if each.question:
                found[each.question].append(each)
        return found

    @cached_property
    def _naming(self) -> Mapping[str, list[Evaluation]]:
        """Id of an evaluation -> those that name it in a relation."""
        found: dict[str, list[Evaluation]] = defaultdict(list)
        for each in self._in_order:
            for name in dict.fromkeys(relation.to for relation in each.relations):
                found[name].append(each)
        return found


@once
def asks(evaluation: Evaluation) -> Hashable:
    """The question of an evaluation and the connectors of its arms."""
    arms = [arm.setup for arm in evaluation.arms] or [None]
    return evaluation.question, frozenset(name for own in arms for name in _connectors(evaluation.setup, own))


def _connectors(common: Setup | None, own: Setup | None) -> Iterator[str]:
    """The components that are an arm's connectors: what it states of a role goes before what all arms have in common.
    The arms of a whole base are not laid over their common part for it."""
    for side in (None, "both", "prefill", "decode"):
        name = _connector(own, side) or _connector(common, side)
        if name and name != NOTHING:
            yield name


def _connector(setup: Setup | None, side: str | None) -> str | None:
    there = getattr(setup, side) if setup and side else setup
    return there.connector.component if there and there.connector else None
