"""The table of verdicts (tests/audit/cases): whole, readable, half of it silence; and the verdicts of the engine.

Expectations are committed before the engine runs on them. An expectation that is edited later says its cause in the
commit.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from kb.finding import Finding
from kb.library import Library
from kb.lint import lint
from kb.vocabulary import Outcome, Severity

from .engine import answer, differences
from .table import Case, base, cases, library, several

CASES = cases()
MANY = 6
"""Rows that every outcome must have at least."""
SPEAKS = frozenset(
    """
    impossible-pin open-pin not-a-release hypothesis-not-shown no-baseline other-component condition-violated
    condition-broken-by-version condition-unknown outside-envelope envelope-partly cannot-run not-covered
    later-contradicts later-narrows later-supports correctness-defect change-touches draft-change option-not-read
    change-not-established default-changed requirement-moved component-removed metric-changed-meaning anchor-changed
    signal-fired signal-overdue review-outdated not-looked-at
    """.split()  # noqa: SIM905  thirty names read better unquoted
)
"""Names of rules that an expectation may use."""
SILENT = frozenset(
    """
    does-not-ship already-there replaced not-reached other-phase no-behaviour not-touched arm-not-involved settled
    not-comparable unreleased-build stated-already
    """.split()  # noqa: SIM905  thirty names read better unquoted
)
"""Reasons for which something that was looked at is silent."""
ANSWER = ("outcome", "rule", "confirm", "also")
EXPECTED = {"outcome", "confirm", "rule", "change", "names", "checked", "also", "absent", "candidates", "at"}
SENTENCE = re.compile(r"[A-Z0-9].{20,}\.")

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def mistakes(records: Library) -> list[Finding]:
    return [found for found in lint(records) if found.severity is Severity.ERROR]


def test_the_base_is_without_mistakes() -> None:
    """Every record of the small base is read, and no check finds an error."""
    assert not base().findings
    assert not mistakes(base())


@each_case
def test_a_case_is_made_of_records(case: Case) -> None:
    """Its records are read, and no check finds an error in them that the case does not make on purpose."""
    records = library(case)
    assert {found.name for found in mistakes(records)} == set(case.lint)
    assert case.claim in {claim.id for claim in records.evaluations[case.evaluation].claims}
    assert case.deployment is None or case.deployment in records.deployments
    assert {name.rpartition(":")[2] for name in case.at} <= set(records.components)


def test_a_case_is_not_altered_by_what_is_made_of_it() -> None:
    """Not even where one edit is of what another one has put there: the next test asks for the same case."""
    [case] = [each for each in cases() if each.name == "condition-on-a-cache-where-there-is-none"]
    shelf = case.edits["evaluations/push-vs-pull"] | {"setup.cache.version": "1.2.0"}
    made = library(replace(case, edits={**case.edits, "evaluations/push-vs-pull": shelf}))
    setup = made.evaluations["push-vs-pull"].setup
    assert setup is not None
    assert setup.flat()["cache.version"] == "1.2.0"
    assert case.edits["evaluations/push-vs-pull"]["setup.cache"]["version"] == "1.1.0"


@each_case
def test_an_expectation_is_whole(case: Case) -> None:
    """Words of the contract only, records that exist, and a reason that is a sentence."""
    expect = case.expect
    assert set(expect) <= EXPECTED
    assert SENTENCE.fullmatch(case.because)
    assert Outcome(expect["outcome"])
    assert expect.get("confirm", "no") in {"yes", "no"}
    assert (expect["outcome"] == "holds") == ("rule" not in expect)
    records = library(case)
    for found in (*expect.get("checked", ()), *expect.get("also", ()), *expect.get("candidates", ()), expect):
        assert found.get("change", "") in {"", *records.changes}
        assert found.get("evaluation", "") in {"", *records.evaluations}
        assert set(several(found.get("why", []))) <= SILENT
        assert set(several(found.get("rule", []))) <= SPEAKS
    assert set(expect.get("absent", ())) <= SPEAKS


@each_case
def test_a_quiet_case_says_what_is_quiet(case: Case) -> None:
    """What was looked at and why it is silent, what speaks without deciding, or which rules must not speak."""
    if case.quiet:
        assert case.expect.keys() & {"checked", "also", "absent"}
        silent = {each.get("change") for each in case.expect.get("checked", ())}
        assert case.expect.get("change") not in silent - {None}
    else:
        assert case.expect["outcome"] != "holds"


def test_names_are_unique() -> None:
    """A case is called by its name."""
    assert not [name for name, n in Counter(case.name for case in CASES).items() if n > 1]


def test_every_outcome_has_its_rows() -> None:
    """At least six of each, and at least half of all rows are events that must not fire."""
    counts = Counter(case.expect["outcome"] for case in CASES)
    assert all(counts[outcome.value] >= MANY for outcome in Outcome), counts
    assert sum(case.quiet for case in CASES) * 2 >= len(CASES)


def test_every_rule_and_every_silence_has_its_rows() -> None:
    """Each rule decides or speaks somewhere and each reason for silence is given somewhere."""
    expected = [case.expect for case in CASES]
    heard = {
        rule for each in expected for found in (each, *each.get("also", ())) for rule in several(found.get("rule", []))
    }
    given = {why for each in expected for found in each.get("checked", ()) for why in several(found["why"])}
    assert heard == SPEAKS
    assert given == SILENT


def test_contrast_pairs_differ() -> None:
    """Rows of a pair have opposite answers: another outcome, or another reason."""
    pairs: dict[str, list[Case]] = {}
    for case in CASES:
        pairs.setdefault(case.pair, []).append(case)
    for name, rows in pairs.items():
        if name and name not in {"unrelated"}:
            answers = {str({key: row.expect.get(key) for key in ANSWER}) for row in rows}
            assert len(rows) > 1, name
            assert len(answers) > 1, name


@each_case
def test_verdict(case: Case) -> None:
    """The verdict, its reason and what was silent are what the table says."""
    assert not differences(case, answer(case, library(case)))


@each_case
def test_order_of_records_is_irrelevant(case: Case) -> None:
    """The same records in the opposite order give the same answer, byte for byte."""
    other = replace(case, reverse=not case.reverse)
    assert answer(case, library(case)) == answer(other, library(other))


@each_case
def test_an_unrelated_change_alters_nothing(case: Case) -> None:
    """A change of an engine that nobody in the comparison runs leaves verdict, findings and candidates as they are."""
    unrelated = {
        "changes/unrelated": {
            "component": "flint",
            "kind": "performance",
            "from": "0.9.0",
            "dimensions": ["post-thread", "correctness"],
        }
    }
    before, after = answer(case, library(case)), answer(case, library(case, unrelated))
    assert after.without_checked() == before.without_checked()
