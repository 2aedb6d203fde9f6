"""What is asked once for many builds, claims and targets is what each of them would be told alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from kb.audit import _ask_passage, _lines, audit
from kb.bearings import bearings
from kb.conditions import AnyOf, Condition, Truth, single
from kb.config import shipped_config
from kb.inforce import InForce, answers
from kb.library import Library, open_library
from kb.lines import Choice
from kb.passage import Passage
from kb.registry import Registry
from kb.rules import passage_rules
from kb.scene import Scene, scene, stage
from kb.silence import quiet
from kb.target import Target
from kb.verdict import Ruling, Silent, Why
from kb.vocabulary import ClaimKind

from .engine import laid_out
from .table import cases

OPEN = "efa-p5en-4p2d-open"
"""A deployment that states no version: every release is a candidate."""


@cache
def shipped() -> Library:
    return open_library(shipped_config())


def target(name: str) -> Target:
    return Target(name, shipped().deployments[name].setup)


def passages(registry: Registry, every: int, name: str = OPEN) -> Iterator[Passage]:
    """Every nth passage of an evaluation's claims, with anchors and statements among them."""
    number = 0
    for evaluation in shipped().evaluations.values():
        for claim in evaluation.claims:
            if claim.kind is ClaimKind.HYPOTHESIS:
                continue
            laid = scene(evaluation, claim, target(name), registry)
            for arm in laid.arms:
                for line in arm.lines:
                    for choice in line.choices:
                        number += 1
                        if number % every == 0:
                            yield Passage(laid, arm, line, choice)


def alone(passage: Passage) -> Passage:
    """The same passage in a scene of its own, of which nothing was asked before."""
    registry = Registry(shipped())
    shown = passage.scene
    laid = scene(shown.evaluation, shown.claim, Target(shown.target.name, shown.target.setup), registry)
    arm = next(each for each in laid.arms if each.id == passage.arm.id)
    line = next(each for each in arm.lines if each.name == passage.line.name)
    return Passage(laid, arm, line, passage.choice)


def test_answers_shared_by_builds_are_those_of_one_choice_alone() -> None:
    asked = 0
    for passage in passages(Registry(shipped()), every=97):
        _ = [each.answers for each in passages_before(passage)]
        fresh = alone(passage)
        assert passage.answers == fresh.answers
        assert tuple(passage.differing()) == tuple(fresh.differing())
        asked += len(passage.answers)
    assert asked > 300


def passages_before(passage: Passage) -> Iterator[Passage]:
    """Other choices of the line, so that their answers are there to be mistaken for these."""
    for choice in passage.line.choices[:40]:
        yield Passage(passage.scene, passage.arm, passage.line, choice)


def told(passage: Passage) -> list[tuple[str | None, ...]]:
    """What the rules say of a passage, the builds in its words left out."""
    found = (each for each in _ask_passage(passage, passage_rules()) if isinstance(each, Ruling) and each.outcome)
    return sorted((e.rule, e.outcome, e.change or "", e.condition or "", e.symbol or "") for e in found)


def unlike(laid: Scene) -> Iterator[tuple[Choice, Choice]]:
    """Choices of builds that are called alike and are not told the same."""
    for arm, line in _lines(laid):
        first: dict[object, tuple[Choice, object]] = {}
        for choice in line.choices if line.open else ():
            passage = Passage(laid, arm, line, choice)
            before, said = first.setdefault(passage.likeness, (choice, told(passage)))
            if said != told(passage):
                yield before, choice


@pytest.mark.parametrize("name", ["ember", "wire", "decode:ember"])
def test_builds_that_are_alike_are_told_the_same(name: str) -> None:
    """Every row of the table with its target left open: rules are asked once for builds of one likeness."""
    opened = [replace(case, target={"for": case.deployment or "own", "at": {name: "unknown"}}) for case in cases()]
    laid = [laid_out(case) for case in opened]
    assert not [(case.name, pair) for case, each in zip(opened, laid, strict=True) for pair in unlike(each)]


def test_shipped_builds_that_are_alike_are_told_the_same() -> None:
    registry = Registry(shipped())
    for evaluation in list(shipped().evaluations.values())[::4]:
        for claim in evaluation.claims:
            assert not [*unlike(scene(evaluation, claim, target(OPEN), registry))]


def test_changes_that_are_not_answered_could_not_have_spoken() -> None:
    """Of what moved and is left out of the answers, one answer is no and nobody said anything."""
    left = 0
    for passage in passages(Registry(shipped()), every=211):
        named = {each.change.id for each in passage.answers}
        for each in passage.differing():
            if each.change.id not in named:
                touching = any(each.change is flip.change for _, flip, _ in passage.moved)
                assert each.stated is None
                assert each.all is Truth.NO or not touching
                left += 1
    assert left > 200


def test_what_was_told_of_other_builds_is_all_that_is_left_out() -> None:
    """Reasons over all choices, each asked alone and then laid together, are those of the verdict."""
    by_build = {Why.ALREADY_THERE, Why.DOES_NOT_SHIP}
    registry = Registry(shipped())
    evaluation = shipped().evaluations["vllm-35264-push-branch"]
    for verdict in audit(shipped(), target(OPEN), [evaluation.id]).verdicts:
        claim = next(each for each in evaluation.claims if each.id == verdict.claim)
        if claim.kind is ClaimKind.HYPOTHESIS:
            continue
        laid = scene(evaluation, claim, target(OPEN), registry)
        loud = {each.change for each in verdict.rulings if each.outcome}
        found: dict[tuple[str | None, str | None], Silent] = {}
        for arm in laid.arms:
            for line in arm.lines:
                alike = {Passage(laid, arm, line, choice).likeness: choice for choice in line.choices}
                for choice in alike.values() if line.open else line.choices:
                    for each in quiet(Passage(laid, arm, line, choice)):
                        before = found.get((each.change, each.arm))
                        if before is None or (before.why in by_build and each.why not in by_build):
                            found[each.change, each.arm] = each
        expected = {each.reason for key, each in found.items() if key[0] and key[0] not in loud}
        assert expected <= {each.reason for each in verdict.checked}


@pytest.mark.parametrize("name", [OPEN, "sglang-h200-ib-1p1d-nixl"])
def test_a_condition_asked_again_of_the_same_values_says_the_same(name: str) -> None:
    kept = 0
    for passage in passages(Registry(shipped()), every=307, name=name):
        for change in shipped().changes.values():
            for _, condition in single(change.guards):
                for facts in (passage.before, passage.after):
                    assert facts.test(condition) is facts._test(condition)
                    kept += bool(answers(condition)[1])
    assert kept > 100


def test_values_that_are_equal_and_not_the_same_are_told_apart() -> None:
    condition = Condition(key="options.x", value=("true",))
    said = [InForce({"options.x": value}).test(condition) for value in (1, True, 1.0, "1", ["1"], ["1", "2"])]
    alone = [InForce({"options.x": value})._test(condition) for value in (1, True, 1.0, "1", ["1"], ["1", "2"])]
    assert said == alone


def test_a_default_and_a_stated_value_are_told_apart() -> None:
    condition = Condition(key="options.x", op="set")
    assert InForce({"options.x": "a"}).test(condition) is Truth.YES
    assert InForce({}, {"options.x": "a"}).test(condition) is Truth.NO
    assert InForce({}).test(condition) is Truth.NO


def test_alternatives_are_tested_one_by_one() -> None:
    either = AnyOf(any_of=(Condition(key="a", value=("1",)), Condition(key="b", value=("2",))))
    assert InForce({"a": "0", "b": "2"}).test(either) is Truth.YES
    assert InForce({"a": "0", "b": "0"}).test(either) is Truth.NO


def test_claims_of_another_interest_do_not_share() -> None:
    registry = Registry(shipped())
    found = {id(p.stake.bearings): p.stake.bearings.interest for p in passages(registry, every=53)}
    assert len(set(found.values())) == len(found) > 5
    for interest in found.values():
        assert bearings(registry, interest).interest == interest


def test_an_edited_evaluation_is_laid_out_anew() -> None:
    """A person's statement is judged with a copy of the record, beside the record as it was."""
    registry, asked = Registry(shipped()), Target()
    evaluation = next(each for each in shipped().evaluations.values() if len(each.arms) > 1 and each.claims)
    before = scene(evaluation, evaluation.claims[0], asked, registry)
    fewer = evaluation.model_copy(update={"arms": evaluation.arms[:1]})
    laid = stage(fewer, asked, registry)
    assert len(laid) == 1 < len(stage(evaluation, asked, registry))
    assert all(laid[each.id] is not each for each in before.arms if each.id in laid)
