"""The traps on shipped records (tests/audit/real.yaml): whole today, and the verdicts of the engine.

Expectations are committed before the engine runs on them. Where an engineer would disagree with the engine, a record
lacks a guard or an anchor, or a rule is blunt: that is mended, never the table.
"""

from __future__ import annotations

from collections import Counter

import pytest

from kb.versions import parse

from .engine import answer, differences
from .table import SHIPPED, Case, base, judged_at, library, real_cases, several
from .test_table import EXPECTED, SENTENCE, SILENT, SPEAKS

CASES = real_cases()
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@each_case
def test_a_case_speaks_of_shipped_records(case: Case) -> None:
    """Its records are read; claim, deployment, changes and what is expected of them exist."""
    records = library(case)
    assert case.claim in {claim.id for claim in records.evaluations[case.evaluation].claims}
    assert case.deployment is None or case.deployment in records.deployments
    assert set(case.changes) <= set(records.changes)
    assert {name.rpartition(":")[2] for name in case.at} <= set(records.components)
    for found in (*case.expect.get("checked", ()), *case.expect.get("also", ()), case.expect):
        assert found.get("change", "") in {"", *records.changes}
        assert found.get("evaluation", "") in {"", *records.evaluations}
        assert set(several(found.get("why", []))) <= SILENT
        assert set(several(found.get("rule", []))) <= SPEAKS


@each_case
def test_a_case_names_its_trap_and_its_reason(case: Case) -> None:
    """In words, and with an expectation that something could fail."""
    assert case.trap
    assert SENTENCE.fullmatch(case.because)
    assert set(case.expect) <= EXPECTED
    assert case.expect.keys() & {"outcome", "checked", "absent"}
    assert not case.quiet or case.expect.keys() & {"checked", "absent"}


def test_releases_that_were_judged_are_known() -> None:
    """Each component with releases is named, with one of them; a later one is not there for the cases."""
    components = base(SHIPPED).components
    assert judged_at().keys() == {name for name, each in components.items() if each.releases}
    for name, newest in judged_at().items():
        listed = [each.version for each in components[name].releases]
        assert max(listed, key=lambda version: parse(version) or version) == newest


def test_names_are_unique() -> None:
    """A case is called by its name."""
    assert not [name for name, n in Counter(case.name for case in CASES).items() if n > 1]


@each_case
def test_verdict(case: Case) -> None:
    """The verdict, its reason and what was silent are what the table says."""
    assert not differences(case, answer(case, library(case)))
