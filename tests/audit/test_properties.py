"""What holds of every verdict: unknown is never taken for yes, and no old signature hides a new change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kb.conditions import Condition
from kb.inforce import of_sides
from kb.library import Library
from kb.reading import Unreadable

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


def _is_worked_out(key: str, case: Case) -> bool:
    """Whether it follows from the builds that are asked about; a deployment without `at` states them itself."""
    told = not case.deployment or "at" in case.target
    return key.startswith("versions.") or (told and key.endswith(".version"))


def edited(case: Case, record: str, edits: dict[str, Any]) -> Case:
    return replace(case, edits={**case.edits, record: {**case.edits.get(record, {}), **edits}})


@FEW
@given(st.sampled_from(PINNED), st.data())
def test_an_unknown_condition_never_holds(case: Case, data: st.DataObject) -> None:
    """A fact that a condition speaks of is made unknown where it is asked about: the claim does not hold any more."""
    records = library(case)
    keys = [key for key in conditions(case, records) if not _is_worked_out(key, case)]
    assume(keys)
    key = data.draw(st.sampled_from(keys))
    record = f"deployments/{case.deployment}" if case.deployment else f"evaluations/{case.evaluation}"
    path = key.replace("decode.", "both.") if key == "decode.prefix_caching" and not case.deployment else key
    unknown = edited(case, record, {f"setup.{each}": "unknown" for each in (path, *of_sides(path))})
    if not case.deployment:  # an arm that states it itself goes before the common part
        stating = [
            arm.id for arm in records.evaluations[case.evaluation].arms if arm.setup and path in arm.setup.flat()
        ]
        unknown = edited(unknown, record, {f"arms.{arm}.setup.{path}": "unknown" for arm in stating})
    if key.startswith("workload.") and not case.deployment:
        for point in records.evaluations[case.evaluation].points:  # those that the case adds as well
            if point.where:
                unknown = edited(unknown, record, {f"points.{point.id}.where": "absent"})
    try:
        made = library(unknown)
    except (KeyError, StopIteration, TypeError, Unreadable):  # also of a role that the case says is empty
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


def read(case: Case, status: str, *symbols: str, since: str = "1.0.0", until: str = "1.3.0") -> dict[str, Any]:
    """A statement about code that was read, for the case's claim, after whatever was said in it before."""
    made = {"symbols": list(symbols), "since": since, "until": until, "claim": case.claim, "status": status}
    return (
        made
        | {"because": "read it", "date": "2026-12-31"}
        | ({"justification": "path-not-executed"} if status == "not-affected" else {})
    )


def saying(case: Case, statement: dict[str, Any]) -> Case:
    record = f"evaluations/{case.evaluation}"
    said = case.edits.get(record, {}).get("impacts", [])
    return edited(case, record, {"impacts": [*said, statement]})


SYMBOLS = [
    "ember-pull:PullWorker",
    "ember-pull:PullWorker.read_blocks",
    "ember-pull:PullWorker.poll",
    "ember:Engine.run",
]
SETTLES = st.sampled_from(["not-affected", "remeasured"])


@FEW
@given(st.sampled_from([case for case in PINNED if not case.deployment]), SETTLES)
def test_no_reading_replaces_coverage(case: Case, status: str) -> None:
    """Whatever was read of a component that nobody has looked at whole: nothing that moved in it holds."""
    bare = edited(case, "components/ember-pull", {"coverage": "absent"})
    everything = saying(bare, read(case, status, *SYMBOLS))
    before, after = answer(bare, library(bare)), answer(everything, library(everything))
    assume(before.outcome != "holds")  # the build asked about is the one measured, or the claim cites no pull
    assert after.outcome != "holds"


@FEW
@given(st.sampled_from(PINNED), st.sampled_from(SYMBOLS))
def test_looking_into_code_never_holds(case: Case, symbol: str) -> None:
    """Of code that is still being read no verdict becomes better."""
    asked = saying(case, read(case, "under-investigation", symbol))
    if answer(asked, library(asked)).outcome == "holds":
        assert answer(case, library(case)).outcome == "holds"


@FEW
@given(st.sampled_from(PINNED), SETTLES)
def test_an_older_reading_never_hides_a_later_difference(case: Case, status: str) -> None:
    """Code read up to the measured build settles nothing that came after it."""
    asked = saying(case, read(case, status, *SYMBOLS, until="1.1.0"))
    at_pin = "1.1.0" in str(case.edits) + str(case.at)
    assume(not at_pin and "tables" not in str(case.edits))
    before, after = answer(case, library(case)), answer(asked, library(asked))
    assert after.outcome == before.outcome


def reviewing(case: Case, at: str, code: dict[str, list[str]]) -> Case:
    """The case with one review more, up to a release, with the code that was shown."""
    record = f"evaluations/{case.evaluation}"
    review = {
        "date": "2026-12-31",
        "at": {"ember": at, "ember-pull": at},
        "because": "read it",
        "seen": [],
        "code": code,
    }
    said = case.edits.get(record, {}).get("reviews", [])
    return edited(case, record, {"reviews": [*said, review]})


ANCHOR = "ember-pull:PullWorker.read_blocks"
RELEASES = ("1.0.0", "1.1.0", "1.2.0", "1.3.0")


@FEW
@given(
    st.sampled_from([case for case in PINNED if not case.deployment and not case.tables]),
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.sets(st.sampled_from(RELEASES[1:])),
    st.sampled_from(RELEASES[1:]),
)
def test_a_review_hides_no_difference_that_it_was_not_shown(
    case: Case, turned: list[bool], shown: set[str], at: str
) -> None:
    """Whatever code differs in a release that is not among those shown, or after the review, speaks as without it."""
    digests = [sum(turned[:n]) for n in range(4)]
    runs = [f"{release} {release} d{digest} behaviour" for release, digest in zip(RELEASES, digests, strict=True)]
    changing = replace(case, tables={"ember-pull": {"PullWorker.read_blocks": runs}})
    told = sorted(each for each in shown if RELEASES.index(each) <= RELEASES.index(at))
    reviewed = reviewing(changing, at, {ANCHOR: told} if told else {})
    before, after = answer(changing, library(changing)), answer(reviewed, library(reviewed))
    speaking = [each.message for each in before.findings if each.rule == "anchor-changed"]
    for release in (each for each in RELEASES[1:] if each not in told):
        if any(release in message.partition(" since ")[2].partition(", and")[0] for message in speaking):
            found = [each.message for each in after.findings if each.rule == "anchor-changed"]
            # of an open target what only some of its builds have is said in their rows
            later = RELEASES[RELEASES.index(release) :]
            rows = [each["outcome"] for each in after.candidates if each["version"] in later]
            in_rows = bool(rows) and "holds" not in rows
            assert in_rows or any(release in message for message in found), (release, speaking, found)
    bare = edited(reviewed, "components/ember-pull", {"coverage": "absent"})
    if answer(bare, library(bare)).outcome == "holds":
        assert before.outcome == "holds", "a signature is no coverage"
