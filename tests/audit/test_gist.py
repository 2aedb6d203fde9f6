"""kb.gist: in short the same answer as the whole verdict, for every row of the table and every shipped claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from benchmarks.auditing import synthetic
from kb import gist as short
from kb import processes
from kb.audit import audit, judge
from kb.change import Change
from kb.config import shipped_config
from kb.gist import Gist, gist, gists, of
from kb.library import Library, open_library
from kb.model import RecordModel
from kb.registry import Registry
from kb.rules import BEFORE_ALL, rules
from kb.target import Target
from kb.verdict import Verdict, rank

from .engine import laid_out
from .table import Case, cases

CASES = cases()
BY_NAME = {rule.NAME: rule for rule in rules()}


@cache
def shipped() -> Library:
    return open_library(shipped_config())


def targets() -> Iterator[Target]:
    """The evaluations' own setup moved to the newest releases and to others, and every shipped deployment."""
    yield Target()
    for version in ("0.24.0", "0.29.0", "0.31.0"):
        yield Target(at={(None, "vllm"): version, (None, "nixl"): "1.3.1"})
    for name, deployment in shipped().deployments.items():
        yield Target(name, deployment.setup)
        yield Target(name, deployment.setup, {(None, "vllm"): "0.33.0", (None, "nixl"): "1.5.0"})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_row_of_the_table_has_one_answer(case: Case) -> None:
    """Outcome, whether a person is asked, and what decided."""
    assert gist(laid_out(case)) == of(judge(laid_out(case)))


def told(verdict: Verdict) -> tuple[object, ...]:
    """What a brief verdict has in common with the whole one."""
    deciding = [each for each in verdict.rulings if each.outcome is verdict.outcome]
    here = (verdict.evaluation, verdict.claim, verdict.outcome, verdict.confirm, verdict.candidates, deciding)
    return *here, verdict.covers, verdict.target, verdict.verified_at, verdict.measured_at


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_row_has_one_answer_in_brief(case: Case) -> None:
    """What decides, the table of an open pin, and what was looked at."""
    brief, whole = judge(laid_out(case), brief=True), judge(laid_out(case))
    assert told(brief) == told(whole)
    assert brief.checked == whole.checked


def test_the_shipped_claims_are_told_in_brief() -> None:
    """The same, with fewer reasons that do not decide."""
    registry, fewer = Registry(shipped()), 0
    for target in targets():
        brief = audit(shipped(), target, registry=registry, brief=True).verdicts
        whole = audit(shipped(), target, registry=registry).verdicts
        assert list(map(told, brief)) == list(map(told, whole))
        fewer += sum(len(each.rulings) for each in whole) - sum(len(each.rulings) for each in brief)
    assert fewer > 200


def test_the_shipped_claims_have_one_answer_at_every_target() -> None:
    """Whatever is asked, and closed pins are among it: of open ones the whole verdict is worked out."""
    registry, closed = Registry(shipped()), 0
    for target in targets():
        for verdict in audit(shipped(), target, registry=registry).verdicts:
            [found] = gists(shipped(), target, [f"{verdict.evaluation}/{verdict.claim}"], registry=registry)
            assert found == of(verdict), (target.name, target.at)
            closed += not verdict.candidates
    assert closed > 500


def moved(change: RecordModel, component: str) -> RecordModel:
    """The same change in another component."""
    return change.model_copy(update={"component": component})


def test_a_large_base_has_one_answer() -> None:
    """Hundreds of changes of which several speak, in every component of a line: the first is the same."""
    made = synthetic(shipped(), 240, 300)
    changes = (each for each in made.loaded if isinstance(each.record, Change))
    engine = {id(each): replace(each, record=moved(each.record, "vllm")) for each in [*changes][::2]}
    records = replace(made, loaded=tuple(engine.get(id(each), each) for each in made.loaded))
    assert gists(records) == tuple(map(of, audit(records).verdicts))


def test_a_rule_says_nothing_stronger_than_it_promises() -> None:
    """What is left unasked, because something stronger was found, could not have gone before it."""
    registry, seen = Registry(shipped()), set()
    verdicts = [judge(laid_out(case)) for case in CASES]
    verdicts += [each for target in targets() for each in audit(shipped(), target, registry=registry).verdicts]
    for ruling in (ruling for each in verdicts for ruling in each.rulings):
        rule = BY_NAME[ruling.rule]
        assert ruling.rank >= rank(rule.STRONGEST, rule.NAME in BEFORE_ALL), ruling
        assert rule.CONFIRMS or not ruling.confirm, ruling
        seen.add(rule.NAME)
    assert seen == set(BY_NAME), "every rule was heard"


def test_two_processes_answer_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the claims, however they were shared out."""
    alone = gists(shipped())
    monkeypatch.setattr(short, "MANY", 40)
    monkeypatch.setattr(processes, "cores", lambda: 2)
    assert gists(shipped()) == alone
    assert len(alone) == len({(each.evaluation, each.claim) for each in alone}) > 150


def test_a_verdict_without_reasons_is_told_without_any() -> None:
    """Nothing decided a `holds`."""
    held = [case for case in CASES if case.expect.get("outcome") == "holds"]
    found: list[tuple[Gist, Verdict]] = [(gist(laid_out(case)), judge(laid_out(case))) for case in held]
    assert found
    assert all(short.because is None and short.change is None and whole.deciding is None for short, whole in found)
