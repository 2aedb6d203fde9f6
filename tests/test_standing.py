"""How one record stands now: the verdicts, the claims and the board that `kb show` carries."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kb.audit import audit
from kb.config import read
from kb.library import Library, open_library
from kb.present.claims import outcome
from kb.standing import standing

from .cli.running import FIXTURE, kb


@pytest.fixture(scope="module")
def library() -> Library:
    return open_library(read(FIXTURE))


def test_an_evaluation_has_the_verdicts_of_the_audit(library: Library) -> None:
    """One for each claim, in the order of the record."""
    record = library.evaluations["orbit-push-vs-pull"]
    found = standing(record, library)
    judged = [each for each in audit(library).verdicts if each.evaluation == record.id]
    assert [(each.claim, each.outcome) for each in found.verdicts] == [(each.claim, each.outcome) for each in judged]
    assert [each.claim for each in found.verdicts] == [claim.id for claim in record.claims]
    assert found.of("heavy-load") is found.verdicts[0]
    assert found.of("none") is None


def test_a_change_has_the_claims_that_it_touches(library: Library) -> None:
    """As `kb impact` names them."""
    found = standing(library.changes["orbit-7-reader-thread"], library).as_dict()
    assert {each["claim"] for each in found["touched"] if each["standing"] == "touched"} == {
        "heavy-load",
        "best-case",
        "off-the-forward-thread",
    }
    assert found["untouched"] == 2
    assert [each["change"] for each in found["board"]] == ["orbit-7-reader-thread"]
    assert found["verdicts"] == []


def test_a_component_has_the_board_of_its_changes(library: Library) -> None:
    """And no claims: those are asked for with `kb impact`."""
    found = standing(library.components["orbit-pull"], library).as_dict()
    assert [each["change"] for each in found["board"]] == ["orbit-5-log-lines", "orbit-7-reader-thread"]
    assert "touched" not in found


def test_nothing_is_said_of_a_deployment(library: Library) -> None:
    """`kb audit --for` does."""
    assert standing(library.deployments["our-cluster"], library).as_dict() == {"verdicts": []}


def test_an_outcome_in_a_sentence(library: Library) -> None:
    """The deciding reason; for `holds` that nothing speaks against it."""
    heavy = standing(library.evaluations["orbit-push-vs-pull"], library).verdicts[0]
    thread = standing(library.evaluations["orbit-reader-thread"], library).verdicts[0]
    assert outcome(heavy).startswith("recheck: Pull submits from a thread of its own: orbit 1.2.0 carries it")
    assert outcome(thread).partition(": ")[2] == "nothing speaks against it"


def test_show_carries_them(tmp_path: Path) -> None:
    """With the keys of `kb audit`."""
    base = shutil.copytree(FIXTURE, tmp_path / "base", ignore=shutil.ignore_patterns(".kb"))
    found = json.loads(kb("show", "orbit-push-vs-pull", "--json", cwd=base).out)
    assert [each["outcome"] for each in found["verdicts"]] == ["recheck", "recheck", "unknown", "recheck", "unknown"]
    assert {"evaluation", "claim", "findings", "checked", "candidates", "covers"} <= set(found["verdicts"][0])
