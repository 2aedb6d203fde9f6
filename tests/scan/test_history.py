"""Which commits touched which symbols."""

from __future__ import annotations

from pathlib import Path

from kb.scan import git, scan
from kb.scan.history import history
from tests.scan.made import component
from tests.scan.test_git import commit, run

ONE = "class W:\n    def go(self):\n        return 1\n    def stop(self):\n        return 0\n"


def released(tmp_path: Path) -> Path:
    """Two releases; between them one function changes, the file moves, and another function changes back and forth."""
    clone = tmp_path / "clone"
    clone.mkdir()
    run(clone, "init", "-q")
    commit(clone, "First (#1)", pkg__w_py=ONE, pkg__other_py="X = 1\n")
    run(clone, "tag", "v1.0")
    commit(clone, "Go twice (#2)", pkg__w_py=ONE.replace("return 1", "return 2"))
    run(clone, "mv", "pkg/w.py", "pkg/v.py")
    commit(clone, "Move (#3)")
    commit(clone, "Stop harder (#4)", pkg__v_py=ONE.replace("return 1", "return 2").replace("return 0", "return 9"))
    commit(clone, 'Revert "Stop harder (#4)" (#5)', pkg__v_py=ONE.replace("return 1", "return 2"))
    run(clone, "tag", "v2.0")
    return clone


def test_commits_by_symbol_newest_first(tmp_path: Path) -> None:
    """A move of the whole file touches nothing in it."""
    found = history(released(tmp_path), "1.0", "2.0", component())
    assert {name: [each.pulls for each in commits] for name, commits in found.items()} == {
        "W.go": [(2,)],
        "W.stop": [(5,), (4,)],
    }


def test_a_scan_of_a_clone_names_the_pull_requests(tmp_path: Path) -> None:
    """The one that changed what differs; what was taken back does not differ."""
    clone = released(tmp_path)
    of = component(repository="https://github.com/example/pkg")
    known = history(clone, "1.0", "2.0", of)
    found = scan(git.tree(clone, "1.0"), git.tree(clone, "2.0"), of, history=known)
    (changed,) = found.behaviour()
    assert (changed.name, [each.pulls for each in changed.commits]) == ("W.go", [(2,)])
    assert found.proposed[0]["draft"]["links"] == ["https://github.com/example/pkg/pull/2"]
