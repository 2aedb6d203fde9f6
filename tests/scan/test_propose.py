"""Drafts of change records."""

# ruff: noqa: E501  a row of a table reads better unbroken

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kb.change import Change
from kb.library import read_file
from kb.scan import Report, scan
from kb.scan.writing import write_drafts
from tests.scan.made import component, tree

OLD = "class PushWorker:\n    def go(self, x):\n        return x.post()\n    def stop(self):\n        return 0\n"
NEW = OLD.replace("x.post()", "self._lease(x)") + "    def _lease(self, x):\n        return x.post(1)\n"


def change(**fields: Any) -> Change:
    """A record of a change of PushWorker.go that ships from 2.0 on."""
    ships = [
        {"distribution": "dist", "artifact": "sdist", "versions": "<2", "ships": "no"},
        {"distribution": "dist", "artifact": "sdist", "versions": ">=2", "ships": "yes"},
    ]
    known = {
        "id": "lease",
        "title": "Leases",
        "component": "push",
        "kind": "behaviour",
        "status": "merged",
        "summary": "x.",
    }
    return Change.model_validate({**known, "ships": ships, "symbols": ["push:PushWorker.go"], **fields})


def report(old: str = OLD, new: str = NEW, changes: tuple[Change, ...] = ()) -> Report:
    return scan(tree(old, "1.0"), tree(new, "2.0"), component(), changes)


def test_what_came_and_who_calls_it_are_one_draft() -> None:
    """A new helper and the one function that speaks of it."""
    (found,) = report().proposed
    assert found["draft"] == {
        "schema_version": 1,
        "id": "push-2.0-go",
        "title": "PushWorker.go and 1 more changed in 2.0 (draft by scan)",
        "component": "push",
        "kind": "behaviour",
        "status": "merged",
        "summary": "Between dist 1.0 and 2.0: changed PushWorker.go; added PushWorker._lease. "
        "What it does and when it is reached has not been read yet.",
        "ships": [
            {
                "distribution": "dist",
                "artifact": "sdist",
                "versions": f"=={version}",
                "ships": ships,
                "marker": "PushWorker.go as in 2.0, compared by syntax tree",
                "checked": [version],
            }
            for version, ships in (("1.0", "no"), ("2.0", "yes"))
        ],
        "guards": [
            {
                "key": "connector.mode",
                "op": "is",
                "value": "push",
                "why": "suggested by scan: the code is below `in PushWorker`",
            }
        ],
        "dimensions": ["block-lifetime"],
        "symbols": ["push:PushWorker.go", "push:PushWorker._lease"],
        "proposed_by": "scan",
    }


def test_a_draft_is_a_valid_record(tmp_path: Path) -> None:
    """What --write writes can be read as a change."""
    (path,) = write_drafts(report(), tmp_path)
    record = read_file(path, path.name).record
    assert isinstance(record, Change)
    assert record.proposed_by == "scan"
    assert record.ships_in("dist", "2.0").value == "yes"


def test_writing_again_writes_nothing(tmp_path: Path) -> None:
    """A scan of the same interval adds nothing, whether the draft is read or only lies there."""
    (path,) = write_drafts(report(), tmp_path)
    drafted = read_file(path, path.name).record
    assert isinstance(drafted, Change)
    assert list(write_drafts(report(), tmp_path)) == []
    assert [each["same_as"] for each in report(changes=(drafted,)).proposed] == ["push-2.0-go"]


def test_a_record_of_the_same_change_is_not_drafted_again() -> None:
    """Shared symbols in the interval in which it begins to ship; the rest is a draft of its own."""
    found = report(changes=(change(),)).proposed
    assert [(each["same_as"], each["shared"]) for each in found] == [("lease", ["PushWorker.go"]), (None, [])]


OTHERS = [
    pytest.param({"component": "pull", "symbols": ["pull:PushWorker.go"]}, id="of another component"),
    pytest.param({"symbols": ["push:PushWorker.stop"]}, id="of another symbol"),
    pytest.param({"ships": [{"distribution": "dist", "artifact": "sdist", "versions": ">=0.1", "ships": "yes"}]}, id="shipped before"),
    pytest.param({"ships": [{"distribution": "dist", "artifact": "sdist", "versions": ">=0.1", "ships": "no"}]}, id="does not ship"),
]  # fmt: skip


@pytest.mark.parametrize("fields", OTHERS)
def test_a_record_of_something_else_is_left_alone(fields: dict[str, Any]) -> None:
    """Only a record that shares symbols and turns in this interval is the same change."""
    assert [each["same_as"] for each in report(changes=(change(**fields),)).proposed] == [None]


def test_an_anchor_under_an_old_name_is_followed() -> None:
    """A record names a class that was renamed since."""
    body = "".join(f"    def m{n}(self, x):\n        return x.a{n}(x).b(x)\n" for n in range(4))
    old = OLD + body
    new = old.replace("PushWorker", "Writer").replace("x.post()", "x.post(2)")
    found = report(old, new, (change(),)).proposed
    assert found[0]["same_as"] == "lease"
    assert found[0]["shared"] == ["Writer.go"]


@pytest.mark.parametrize(
    "new",
    [
        pytest.param(OLD, id="nothing"),
        pytest.param(OLD.replace("return 0", "'''Zero.'''\n        return 0"), id="docs"),
        pytest.param(OLD.replace("return 0", "logger.info('x')\n        return 0"), id="logging"),
    ],
)
def test_quiet_differences_are_not_proposed(new: str) -> None:
    """A draft is for what behaves differently."""
    assert report(new=new).proposed == ()


def test_a_function_that_speaks_of_several_stands_alone() -> None:
    """A constructor does not tie a whole release together."""
    old = "class W:\n    def __init__(self):\n        self.x = 0\n"
    new = (
        "class W:\n    def __init__(self):\n        self.x = self.one() + self.two()\n"
        "    def one(self):\n        return 1\n    def two(self):\n        return 2\n"
    )
    assert [each["draft"]["symbols"] for each in report(old, new).proposed] == [
        ["push:W.one"],
        ["push:W.two"],
        ["push:W.__init__"],
    ]


def test_kinds_of_drafts() -> None:
    """All gone is a removal, a wire version a protocol."""
    gone = "class PushWorker:\n    def go(self, x):\n        return x.post()\n"
    assert report(OLD, gone).proposed[0]["draft"]["kind"] == "removal"
    (found,) = report("WIRE_VERSION = 1\n", "WIRE_VERSION = 2\n").proposed
    assert found["draft"]["kind"] == "protocol"
