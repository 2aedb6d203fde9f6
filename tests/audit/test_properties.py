"""What holds of every verdict: unknown is never taken for yes, and no old signature hides a new change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kb.conditions import Condition
from kb.library import Library

from .engine import Answer, answer
from .table import Case, cases, library

PINNED = [case for case in cases() if case.evaluation == "push-vs-pull" and not case.lint]
FEW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def conditions(case: Case, records: Library) -> list[str]:
    """Keys that the claim's conditions speak of."""
    [claim] = [each for each in records.evaluations[case.evaluation].claims if each.id == case.claim]
    return [each.key for each in claim.conditions if isinstance(each, Condition)]


def edited(case: Case, record: str, edits: dict[str, Any]) -> Case:
    return replace(case, edits={**case.edits, record: {**case.edits.get(record, {}), **edits}})


@FEW
@given(st.sampled_from(PINNED), st.data())
def test_an_unknown_condition_never_holds(case: Case, data: st.DataObject) -> None:
    """A fact that a condition speaks of is made unknown where it is asked about: the claim does not hold any more."""
    records = library(case)
    keys = conditions(case, records)
    assume(keys)
    key = data.draw(st.sampled_from(keys))
    record = f"deployments/{case.deployment}" if case.deployment else f"evaluations/{case.evaluation}"
    path = key.replace("decode.", "both.") if key == "decode.prefix_caching" and not case.deployment else key
    unknown = edited(case, record, {f"setup.{path}": "unknown"})
    if not case.deployment:  # an arm that states it itself goes before the common part
        stating = [
            arm.id for arm in records.evaluations[case.evaluation].arms if arm.setup and path in arm.setup.flat()
        ]
        unknown = edited(unknown, record, {f"arms.{arm}.setup.{path}": "unknown" for arm in stating})
    if key.startswith("workload.") and not case.deployment:
        for point in ("pull-ttft", "push-ttft", "pull-itl-p99", "push-itl-p99"):
            unknown = edited(unknown, record, {f"points.{point}.where": "absent"})
    try:
        made = library(unknown)
    except (KeyError, StopIteration, TypeError):
        assume(False)
        raise
    assert answer(unknown, made).outcome != "holds"


REVIEW = {"date": "2026-12-31", "at": {"ember": "1.1.0"}, "because": "looked at long ago", "seen": []}


@FEW
@given(st.sampled_from([case for case in PINNED if case.expect["outcome"] == "recheck" and not case.deployment]))
def test_an_older_review_never_hides_a_change(case: Case) -> None:
    """A review at the measured build, however late it is dated, leaves a recheck what it was."""
    reviewed = edited(case, f"evaluations/{case.evaluation}", {"reviews": [REVIEW]})
    assume("reviews" not in str(case.edits))
    assert answer(reviewed, library(reviewed)).outcome == "recheck"


@FEW
@given(st.sampled_from(PINNED))
def test_the_same_records_give_the_same_answer(case: Case) -> None:
    """Twice asked, byte for byte the same."""
    assert answer(case, library(case)) == answer(case, library(case))


@FEW
@given(st.sampled_from(PINNED), st.sampled_from(["docs", "tests", "types", "logging", "refactor"]))
def test_a_change_that_leaves_behaviour_alters_nothing(case: Case, kind: str) -> None:
    """A change of such a kind in the very component, with the very dimension, changes no outcome."""
    change = {"component": "ember-pull", "kind": kind, "from": "1.2.0", "dimensions": ["post-thread", "read-path"]}
    with_it: Answer = answer(case, library(case, {"changes/harmless": change}))
    assert with_it.outcome == answer(case, library(case)).outcome
