"""The outcome of a claim and what decided it, without everything else that a verdict tells.

A search by outcome, a count, the bands of a site and the question which outcomes flip need no more, and ask of many
claims. The rules are those of `kb.audit.judge`, asked in the order of the strongest that each can say: once something
is found, what could only say less is not asked. A test holds both to the same answer.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from kb.audit import claims_of, judge
from kb.evaluation import Claim, Evaluation
from kb.library import Library
from kb.passage import Passage
from kb.processes import forks, in_order
from kb.registry import Registry
from kb.rules import ABOUT_THE_REST, Ranked, Rule, by_strength, last_rules
from kb.scene import Scene, scene
from kb.target import Target
from kb.verdict import WEAKEST, Ruling, Said, Verdict
from kb.vocabulary import ClaimKind, Outcome

MANY = 1000
"""Claims from which on a second process is worth its start."""


class Gist(NamedTuple):
    """The answer for one claim in short."""

    evaluation: str
    claim: str
    outcome: Outcome
    confirm: bool
    rule: str | None = None
    """Name of the rule that decided it; none for `holds`."""
    because: str | None = None
    """The deciding ruling in words."""
    change: str | None = None
    """The change that decided it, if one did."""


def gists(
    library: Library,
    target: Target | None = None,
    evaluations: Iterable[str] | None = None,
    today: str | None = None,
    registry: Registry | None = None,
) -> tuple[Gist, ...]:
    """The outcome of every claim of some evaluations (all, without any named) at a target, as `kb.audit.audit` has it.

    `evaluations` are ids, or `ID/CLAIM` for a single claim; `today` is for horizons of signals.
    """
    known, asked = registry or Registry(library), target or Target()
    claims = list(claims_of(library, evaluations))

    def told(numbers: Iterable[int]) -> list[Gist]:
        return [gist(scene(*claims[number], asked, known, today)) for number in numbers]

    def told_and_forgotten(numbers: Iterable[int]) -> list[Gist]:
        done = told(numbers)
        for each in chain.from_iterable(claims[number] for number in numbers):
            each.forget()  # whoever shares an answer with it is in the same piece
        gc.collect(0)
        return done

    if len(claims) < MANY or not forks():
        return tuple(told(range(len(claims))))
    pieces = list(_pieces(claims, known))
    done = in_order(told_and_forgotten, pieces, begin=gc.disable)
    found = dict(zip(chain.from_iterable(pieces), chain.from_iterable(done), strict=True))
    return tuple(found[number] for number in range(len(claims)))


def _pieces(claims: Sequence[tuple[Evaluation, Claim]], registry: Registry) -> Iterator[list[int]]:
    """Claims by number, those of rivals together: they are laid out beside each other."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for number, (evaluation, _) in enumerate(claims):
        groups[registry.rivalry.group(evaluation)[0]].append(number)
    piece: list[int] = []
    for group in groups.values():
        piece += group
        if len(piece) >= MANY // 10:
            yield piece
            piece = []
    if piece:
        yield piece


def of(verdict: Verdict) -> Gist:
    """A verdict in short."""
    return _told(verdict.evaluation, verdict.claim, verdict.outcome, verdict.confirm, verdict.deciding)


def gist(scene: Scene) -> Gist:
    """The answer for one claim at one target."""
    if any(line.inferred for arm in scene.arms for line in arm.lines):
        return of(judge(scene, brief=True))  # of an open pin every row counts, of an inferred one who asks for a person
    found = _Found()
    passages = _passages(scene)
    for ranked in by_strength():
        if not found.has_settled(ranked) and not (scene.only is not None and ranked.rule.NAME in ABOUT_THE_REST):
            for said in _ask(ranked, scene, passages):
                found.take(said, ranked.rule)
    if found.best is None:
        for rule in last_rules():
            for passage in passages:
                for said in rule.judge_passage(passage):
                    found.take(said, rule)
    best = found.best
    confirm = bool(found.confirmed) if best is None else best.rank in found.confirmed
    outcome = best.outcome if best and best.outcome else Outcome.HOLDS
    return _told(scene.evaluation.id, scene.claim.id, outcome, confirm, best)


def _told(evaluation: str, claim: str, outcome: Outcome, confirm: bool, best: Ruling | None) -> Gist:
    if best is None:
        return Gist(evaluation, claim, outcome, confirm)
    return Gist(evaluation, claim, outcome, confirm, best.rule, best.message, best.change)


def _passages(scene: Scene) -> list[Passage]:
    """Of each line of each arm the one that there is. Of a hypothesis none: nothing was measured that could age."""
    if scene.claim.kind is ClaimKind.HYPOTHESIS:
        return []
    lines = ((arm, line) for arm in scene.arms for line in arm.lines)
    return [Passage(scene, arm, line, choice) for arm, line in lines for choice in line.choices]


def _ask(ranked: Ranked, scene: Scene, passages: Iterable[Passage]) -> Iterator[Said]:
    """What a rule says; of one that can tell it early, what goes first, of every passage or of all."""
    if judge := ranked.in_short or ranked.judge:
        yield from judge(scene)
    if ranked.first:
        yield from filter(None, map(ranked.first, passages))
    elif ranked.judge_passage:
        for passage in passages:
            yield from ranked.judge_passage(passage)


class _Found:
    """What was found so far: the ruling that decides, and where a person is asked for."""

    def __init__(self) -> None:
        self.best: Ruling | None = None
        self.confirmed: set[int] = set()
        """Ranks at which something asks for a person."""
        self._place: tuple[int, str, str, str] = (WEAKEST, "", "", "")

    def take(self, said: Said, rule: Rule) -> None:
        """One thing that a rule says."""
        if not isinstance(said, Ruling):
            return
        rank = said.rank
        if said.confirm:
            self.confirmed.add(rank)
        if said.outcome is None:
            return
        place = (rank, rule.CODE, said.change or "", said.message)
        if place < self._place:
            self.best, self._place = said.signed(rule.CODE, rule.NAME), place

    def has_settled(self, ranked: Ranked) -> bool:
        """Whether nothing that a rule can say would alter what is found."""
        if self.best is None:
            return ranked.rule.STRONGEST is None and not ranked.rule.CONFIRMS
        rank, code, *_ = self._place
        if ranked.rank != rank:
            return ranked.rank > rank
        return ranked.code > code and (not ranked.rule.CONFIRMS or rank in self.confirmed)
