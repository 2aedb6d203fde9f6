"""What is left out because it could say nothing says nothing when it is asked all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain

from kb.audit import _lines, audit, judge
from kb.config import shipped_config
from kb.library import Library, open_library
from kb.passage import Passage, passage_of
from kb.registry import Registry
from kb.rules import passage_rules
from kb.scene import Scene, scene
from kb.target import Target

from .engine import laid_out
from .table import cases

NAMES = ("ember", "wire", "decode:ember", "prefill:ember")
"""What the table's cases leave open in turn, beside the pins that they leave open themselves."""
WITH_OPEN_PINS = ("efa-p5en-4p2d-open", "sglang-h200-ib-1p1d-nixl")
"""Shipped deployments that do not state every version."""


@cache
def shipped() -> Library:
    return open_library(shipped_config())


def of_the_table() -> Iterator[Scene]:
    """Every case as it is, and with builds at its target left open."""
    for case in cases():
        yield laid_out(case)
        for name in NAMES:
            yield laid_out(replace(case, target={"for": case.deployment or "own", "at": {name: "unknown"}}))


def of_the_shipped_base() -> Iterator[Scene]:
    registry = Registry(shipped())
    for name in WITH_OPEN_PINS:
        target = Target(name, shipped().deployments[name].setup)
        for evaluation in shipped().evaluations.values():
            yield from (scene(evaluation, claim, target, registry) for claim in evaluation.claims)


def test_a_rule_that_calls_itself_idle_says_nothing_of_any_choice() -> None:
    """Of each such rule there are lines of which it says nothing and does not know it, and those of which it does."""
    able = [rule for rule in passage_rules() if hasattr(rule, "is_idle")]
    idle: Counter[str] = Counter()
    spoke: Counter[str] = Counter()
    wrong = []
    for laid in chain(of_the_table(), of_the_shipped_base()):
        for arm, line in _lines(laid):
            if not line.open:
                continue
            passages = [Passage(laid, arm, line, choice) for choice in line.choices]
            for rule in able:
                resting = rule.is_idle(passages[0].stake)
                said = any(True for each in passages for _ in rule.judge_passage(each))
                idle[rule.NAME] += resting
                spoke[rule.NAME] += said
                if resting and said:
                    wrong.append((laid.evaluation.id, laid.claim.id, arm.id, line.name, rule.NAME))
    assert not wrong
    assert all(idle[rule.NAME] and spoke[rule.NAME] for rule in able), (idle, spoke)


def test_a_verdict_that_is_held_tells_what_one_laid_out_again_tells() -> None:
    """What is silent, from what was asked before and from nothing."""
    for laid in map(laid_out, cases()):
        assert judge(laid, held=True).checked == judge(laid.afresh()).checked
    some = sorted(shipped().evaluations)[::4]
    held, afresh = (audit(shipped(), evaluations=some, held=each) for each in (True, False))
    assert held == afresh
    assert [each.checked for each in held.verdicts] == [each.checked for each in afresh.verdicts]


def test_only_a_line_that_is_not_open_keeps_its_passage() -> None:
    """An open pin may have thousands."""
    kept = opened = 0
    for laid in map(laid_out, cases()):
        for arm, line in _lines(laid):
            one, other = (passage_of(laid, arm, line, line.choices[0]) for _ in range(2))
            assert (one is other) is not line.open
            kept, opened = kept + (not line.open), opened + line.open
    assert min(kept, opened) > 0


def test_what_is_listed_as_able_to_speak_is_all_that_speaks() -> None:
    """The first that speaks, found in that list, is the first of all answers that speak."""
    registry, found = Registry(shipped()), 0
    own = (Target(at={(None, "vllm"): version}) for version in ("0.24.0", "0.29.0", "0.33.0"))
    theirs = (Target(name, each.setup) for name, each in shipped().deployments.items())
    for target in (Target(), *own, *theirs):
        for evaluation in shipped().evaluations.values():
            for laid in (scene(evaluation, claim, target, registry) for claim in evaluation.claims):
                for passage in (Passage(laid, a, n, choice) for a, n in _lines(laid) for choice in n.choices[:3]):
                    speaking = [each for each in passage.answers if each.speaks]
                    names = sorted(each.change.id for each in speaking if each.change.id not in passage.outdone)
                    first = passage.first()
                    assert (first.change.id if first else None) == (names[0] if names else None)
                    found += bool(names)
    assert found > 1000
