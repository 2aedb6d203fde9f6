"""kb.scan.digesting: the table of a component's symbols out of its releases."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest

from kb.component import Component
from kb.digests import Outcome, Table, read, write
from kb.errors import KbError
from kb.scan.digesting import extended, form, table
from kb.scan.symbols import module
from tests.scan.made import component, tree

READ = """    def read(self, blocks):
        handle = self.agent.open(blocks)
        handle.post()
        return handle.wait()
"""
STOP = """    def stop(self):
        for each in self.handles:
            each.release()
        self.handles.clear()
"""
ONE = f"LIMIT = 4\n\nclass Worker:\n{READ}\n{STOP}"
SPLIT = {
    "pkg/base.py": f"LIMIT = 4\n\nclass BaseWorker:\n{STOP}",
    "pkg/pull.py": f"from pkg.base import BaseWorker\n\nclass PullWorker(BaseWorker):\n{READ}\nWorker = PullWorker\n",
}


def made(*releases: str | Mapping[str, str], of: Component | None = None) -> Table:
    """A table of releases 1.0, 2.0, 3.0..., there and back through its text."""
    trees = [tree(files, f"{n}.0") for n, files in enumerate(releases, 1)]
    found = table(trees, of or component(), "sdist", "2026-11-29")
    again = read(write(found), "t")
    assert again.releases == found.releases
    assert set(again.runs) == set(found.runs)
    return again


def outcome(found: Table, symbol: str, first: str = "1.0", second: str = "2.0") -> str:
    return found.between(symbol, first, second).outcome.value


@pytest.mark.parametrize(
    "text",
    [
        ONE,
        f'"""Docs."""\n# Notes\n{ONE}',
        ONE.replace("def read(self, blocks)", "def read(self, blocks: list[int]) -> bool"),
        f"class Worker:\n{STOP}\n{READ}\nLIMIT = 4\n",
    ],
)
def test_form_is_no_change(text: str) -> None:
    """Docs, comments, annotations and order leave one run of each symbol."""
    found = made(ONE, text)
    assert {outcome(found, name) for name in ("LIMIT", "Worker", "Worker.read", "Worker.stop")} == {"unchanged"}
    assert len(found.runs) == 4


def test_a_change_is_of_its_symbol() -> None:
    """One constant changes one symbol, and the class that holds it."""
    found = made(ONE, ONE.replace("handle.post()", "handle.post(2)"), ONE.replace("LIMIT = 4", "LIMIT = 5"))
    assert [outcome(found, name) for name in ("Worker.read", "Worker", "Worker.stop", "LIMIT")] == [
        "changed",
        "changed",
        "unchanged",
        "unchanged",
    ]
    assert found.between("Worker.read", "1.0", "3.0").changed_in == ("2.0", "3.0")
    assert outcome(found, "Worker.read", "1.0", "3.0") == "unchanged"
    assert outcome(found, "LIMIT", "1.0", "3.0") == "changed"


def test_a_split_class_is_followed() -> None:
    """Its members go on in the class that took over and in its base, under its old name too."""
    found = made(ONE, SPLIT)
    read_ = found.between("Worker.read", "1.0", "2.0")
    assert (read_.outcome, read_.second_name) == (Outcome.MOVED, "PullWorker.read")
    assert outcome(found, "Worker.stop") == "moved"
    assert outcome(found, "PullWorker.stop") == "moved"
    assert outcome(found, "LIMIT") == "unchanged"
    assert found.exists("Worker.stop")
    assert found.defining("Worker.stop", 1) == "BaseWorker.stop"


def test_a_file_that_moves_leaves_names_alone() -> None:
    """Paths are no part of a symbol's identity."""
    found = made({"pkg/a.py": ONE}, {"pkg/deep/b.py": ONE})
    assert {outcome(found, each.symbol) for each in found.runs} == {"unchanged"}


def test_quiet_kinds_are_told_apart() -> None:
    """A log line is touched, not changed."""
    logged = ONE.replace("        handle.post()\n", '        handle.post()\n        logger.info("posted")\n')
    found = made(ONE, logged).between("Worker.read", "1.0", "2.0")
    assert (found.outcome, found.changed_in, found.touched_in) == (Outcome.UNCHANGED, (), ("2.0",))


def test_what_came_and_went() -> None:
    """A release without the component's code was scanned, too: its symbols are absent there."""
    found = made("OTHER = 1\n", ONE, {"elsewhere.py": ONE}, of=component("pkg/**", "pkg/**"))
    assert outcome(found, "Worker.read") == "absent at the first"
    assert outcome(found, "Worker.read", "2.0", "3.0") == "absent at the second"
    assert found.releases == ("1.0", "2.0", "3.0")
    assert not found.partial


def test_paths_have_versions_and_neighbours_are_none() -> None:
    """Only the component's own files of a release, without tests."""
    of = component(
        paths=({"glob": "pkg/a.py", "versions": "<2.0"}, {"glob": "pkg/b.py"}, {"glob": "core.py", "neighbour": True})
    )
    files = {"pkg/a.py": "A = 1\n", "pkg/b.py": "B = 1\n", "core.py": "C = 1\n", "pkg/tests/b.py": "D = 1\n"}
    found = made(files, files, of=of)
    assert {(each.symbol, each.first, each.last) for each in found.runs} == {("A", "1.0", "1.0"), ("B", "1.0", "2.0")}


def test_other_languages_make_it_partial() -> None:
    """No row speaks of C++, nor of Python that cannot be parsed; data are no code."""
    assert made({"pkg/a.py": ONE, "pkg/a.cpp": "int a;"}).partial
    assert made({"pkg/a.py": ONE, "pkg/b.py": "def ("}).partial
    assert not made({"pkg/a.py": ONE, "pkg/notes.md": "a"}).partial


def test_definitions_of_one_name_are_one_symbol() -> None:
    """Branches, overloads, files: the name changes when any of them does."""
    two = "if FAST:\n    def f():\n        return 1\nelse:\n    def f():\n        return 2\n"
    found = made(two, two, two.replace("return 2", "return 3"))
    assert outcome(found, "f") == "unchanged"
    assert outcome(found, "f", "2.0", "3.0") == "changed"


def test_releases_are_ordered_by_version() -> None:
    """1.10 comes after 1.9, whatever the order given."""
    found = table([tree(ONE, label) for label in ("1.10", "1.9", "1.10rc1")], component())
    assert found.releases == ("1.9", "1.10rc1", "1.10")


def test_a_table_grows_at_its_end() -> None:
    """The same as made at once; a release that it has changes nothing."""
    trees = [tree(ONE, "1.0"), tree(SPLIT, "2.0"), tree(ONE.replace("4", "5"), "3.0")]
    grown = table(trees[:1], component(), date="d")
    for old, new in pairwise(trees):
        grown = extended(grown, old, new, component(), "d")
    assert write(grown) == write(table(trees, component(), date="d"))
    assert extended(grown, trees[0], trees[1], component(), "later") is grown


def test_a_table_of_another_form_grows() -> None:
    """What is unchanged keeps the digest that it has, whichever tool wrote it."""
    known = read(
        write(table([tree(ONE, "1.0")], component())).replace(form(), "0").replace("\t1.0\t1.0", "9\t1.0\t1.0"), "t"
    )
    grown = extended(known, tree(ONE, "1.0"), tree(SPLIT, "2.0"), component(), "d")
    assert outcome(grown, "Worker.read") == "moved"
    assert outcome(grown, "LIMIT") == "unchanged"


@pytest.mark.parametrize(("old", "new"), [("1.0", "3.0"), ("1.5", "3.0"), ("2.0", "1.5"), ("2.0", "main")])
def test_a_table_does_not_grow_elsewhere(old: str, new: str) -> None:
    """Between the end of the table and the new release nothing may be left out, and nothing is put in between."""
    known = table([tree(ONE, "1.0"), tree(ONE, "2.0")], component())
    with pytest.raises(KbError, match=r"ends at 2\.0"):
        extended(known, tree(ONE, old), tree(ONE, new), component())


def test_the_normal_form_has_a_version() -> None:
    """Whoever changes what digests come out of raises FORM: shipped tables say which one they are of."""
    text = "def f(a, b=1):\n    for each in a:\n        yield each + b\n"
    digests = {each.name: each.digest for each in module("a.py", text).symbols}
    assert form().startswith("1, python 3.")
    assert digests == {"f": "c2c15f2b3e76777a4e12"}
