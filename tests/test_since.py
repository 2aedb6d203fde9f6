"""kb.since: changes seen from an evaluation's pins."""

from __future__ import annotations

import pytest

from kb.change import Change
from kb.config import read as read_config
from kb.evaluation import Evaluation
from kb.library import Library, open_library
from kb.present.since import state
from kb.since import Carried, ChangeSince, Standing, pinned, since, standing
from kb.vocabulary import Ships
from tests.cli.running import FIXTURE

LIBRARY = open_library(read_config(FIXTURE))


def changes(id_: str, library: Library = LIBRARY) -> dict[str, ChangeSince]:
    found = since(library.evaluations[id_], library)
    return {change.change.id: change for component in found for change in component.changes}


def test_connector_has_its_engines_pin() -> None:
    """A connector without a version of its own is pinned by the engine it ships in; a library is not."""
    pins = pinned(LIBRARY.evaluations["orbit-push-vs-pull"], LIBRARY)
    assert pins == {
        "orbit": ("1.1.0",),
        "orbit-pull": ("1.1.0",),
        "tether": ("unknown",),
        "orbit-push": ("1.1.0",),
    }


def test_change_in_the_pinned_build_is_not_listed() -> None:
    """What every pinned build carries came before; what it lacks came after."""
    found = changes("orbit-push-vs-pull")
    assert "orbit-5-log-lines" not in found
    assert found["orbit-7-reader-thread"].pinned is Ships.NO
    assert found["orbit-7-reader-thread"].seen_in == "1.2.0"


def test_unknown_pin_lists_every_change() -> None:
    """Where the pin is unknown nothing is known to be before it."""
    assert changes("orbit-push-vs-pull")["tether-3-fast-path"].pinned is Ships.NOT_ESTABLISHED


def test_merged_is_not_shipped() -> None:
    """A merge date says nothing of a release."""
    found = changes("orbit-push-vs-pull")["tether-3-fast-path"]
    assert found.newest is Ships.NOT_ESTABLISHED
    assert found.seen_in is None


def test_touches_what_a_claim_rests_on() -> None:
    """A change touches by the dimensions that a claim names; others touch nothing."""
    found = changes("orbit-push-vs-pull")
    assert found["orbit-7-reader-thread"].touches == ("post-thread",)
    assert found["orbit-9-writer-batches"].touches == ()


def test_arms_of_two_versions_span_a_change() -> None:
    """A change that one arm's build carries and the other's does not is what the evaluation measured."""
    found = changes("orbit-reader-thread")
    assert found["orbit-7-reader-thread"].between
    assert "orbit-5-log-lines" not in found


def test_open_pin_establishes_nothing() -> None:
    """A range of versions is no build."""
    found = changes("orbit-one-arm")
    assert {each.pinned for each in found.values()} == {Ships.NOT_ESTABLISHED}


def test_branch_is_not_a_release() -> None:
    """A build from a branch is named as one and never taken for the version beside it."""
    setup = {"engine": {"component": "orbit", "version": "1.2.0", "branch": "main", "commit": "abcdef1"}}
    record = Evaluation.model_validate({"id": "x", "title": "x", "setup": setup})
    assert pinned(record, LIBRARY) == {"orbit": ("branch main",)}


def test_version_goes_before_its_commit() -> None:
    """A release pinned by version and commit is that release."""
    setup = {"engine": {"component": "orbit", "version": "1.2.0", "commit": "abcdef1"}}
    record = Evaluation.model_validate({"id": "x", "title": "x", "setup": setup})
    assert pinned(record, LIBRARY) == {"orbit": ("1.2.0",)}


RELEASES = ["1.3", "1.2", "1.1", "1.0"]


def _carried(status: str, *ships: tuple[str, str]) -> Carried:
    facts = [{"distribution": "d", "artifact": "sdist", "versions": versions, "ships": is_} for versions, is_ in ships]
    fields = {
        "id": "x",
        "title": "x",
        "component": "d",
        "kind": "fix",
        "status": status,
        "summary": "s",
        "ships": facts,
    }
    return Carried(Change.model_validate(fields), ("d",), RELEASES)


IN_12 = (("<1.2", "no"), (">=1.2,<1.3", "yes"), (">=1.3", "no"))
FROM_12 = (("<1.2", "no"), (">=1.2", "yes"))


@pytest.mark.parametrize(
    ("carried", "pins", "expected"),
    [
        (_carried("merged", *FROM_12), ("1.1",), Standing.NEW),
        (_carried("merged", *FROM_12), ("1.2",), Standing.SAME),
        (_carried("merged", *IN_12), ("1.2",), Standing.GONE),
        (_carried("merged", *IN_12), ("1.1",), Standing.PASSED),
        (_carried("merged", *IN_12), ("1.3",), Standing.SAME),
        (_carried("merged", ("<1.1", "yes"), (">=1.1", "no")), ("1.2",), Standing.SAME),
        (_carried("merged", ("*", "no")), ("1.2",), Standing.SAME),
        (_carried("merged"), ("1.2",), Standing.OPEN),
        (_carried("merged", *FROM_12), ("unknown",), Standing.OPEN),
        (_carried("merged", *FROM_12), ("branch main",), Standing.OPEN),
        (_carried("merged", *FROM_12), (">=1.2",), Standing.SAME),
        (_carried("merged", *FROM_12), ("<1.2",), Standing.NEW),
        (_carried("merged", *FROM_12), (">=1.0",), Standing.OPEN),
        (_carried("merged", *FROM_12), ("1.0", "1.1"), Standing.NEW),
        (_carried("proposed"), ("1.1",), Standing.PROPOSED),
        (_carried("proposed", *FROM_12), ("1.1",), Standing.NEW),
        (_carried("reverted", ("*", "no")), ("unknown",), Standing.SAME),
        (_carried("closed"), ("unknown",), Standing.SAME),
        (_carried("merged", ("<1.3", "yes"), ("==1.3", "not-established")), ("1.1",), Standing.OPEN),
    ],
)
def test_standing(carried: Carried, pins: tuple[str, ...], expected: Standing) -> None:
    """Only what differs between the pins and the newest release is told; what was there and is gone is told too."""
    assert standing(carried, pins) is expected


def test_wheel_goes_before_tag() -> None:
    """What people install answers first; a tag of the same number may hold more than the wheel."""
    facts = [
        {"distribution": "d", "artifact": "tag", "versions": "==1.1", "ships": "yes"},
        {"distribution": "d", "artifact": "wheel", "versions": "==1.1", "ships": "no"},
        {"distribution": "d", "artifact": "tag", "versions": "==1.2", "ships": "yes"},
    ]
    fields = {"id": "x", "title": "x", "component": "d", "kind": "fix", "status": "merged", "summary": "s"}
    change = Change.model_validate({**fields, "ships": facts})
    assert change.ships_in("d", "1.1") is Ships.NO
    assert change.ships_in("d", "1.2") is Ships.YES
    assert change.ships_in("other", "1.2") is Ships.NOT_ESTABLISHED


@pytest.mark.parametrize(
    ("carried", "first", "established"),
    [
        (_carried("merged", *FROM_12), "1.2", True),
        (_carried("merged", *IN_12), "1.2", True),
        (_carried("merged", (">=1.2", "yes")), "1.2", False),
        (_carried("merged", ("*", "yes")), "1.0", False),
        (_carried("merged", ("<1.1", "yes"), ("==1.1", "no"), (">=1.2", "yes")), "1.2", True),
        (_carried("merged", ("*", "no")), None, False),
    ],
)
def test_a_change_is_there_since_the_first_release_that_carries_it(
    carried: Carried, first: str | None, established: bool
) -> None:
    """Of those without a gap up to the newest of them; an earlier one may where the one before was not looked into."""
    run = carried.run()
    assert (run[-1] if run else None) == first
    assert (bool(run) and carried.before(run[-1]) is Ships.NO) is established


def test_show_says_since_when() -> None:
    """The first release, not the newest one that is looked at."""
    found = since(LIBRARY.evaluations["orbit-one-arm"], LIBRARY)
    said = {each.change.id: state(component, each) for component in found for each in component.changes}
    assert said["orbit-5-log-lines"] == "since orbit 1.1.0"
