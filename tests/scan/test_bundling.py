"""kb.scan.bundling: which symbols make one draft."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.scan import git, scan
from kb.scan.bundling import MANY
from kb.scan.history import history
from tests.scan.made import component, scanned
from tests.scan.test_git import commit, run


def functions(names: str, value: int) -> str:
    return "".join(f"def {name}(x):\n    return x + {value}\n\n\n" for name in names.split())


def test_one_draft_for_a_pull_request(tmp_path: Path) -> None:
    """What one pull request touched is one draft; what two touched goes to the larger one, and both are linked."""
    clone = tmp_path / "clone"
    clone.mkdir()
    run(clone, "init", "-q")
    commit(clone, "First (#1)", pkg__a_py=functions("one two three", 1), pkg__b_py=functions("four five", 1))
    run(clone, "tag", "v1.0")
    commit(clone, "Faster (#2)", pkg__a_py=functions("one two three", 2))
    commit(clone, "Other (#3)", pkg__b_py=functions("four", 3) + functions("five", 1))
    commit(clone, "Again (#4)", pkg__a_py=functions("one", 4) + functions("two three", 2))
    commit(clone, "No number", pkg__b_py=functions("four", 3) + functions("five", 9))
    run(clone, "tag", "v2.0")
    of = component(repository="https://github.com/example/pkg")
    found = scan(git.tree(clone, "1.0"), git.tree(clone, "2.0"), of, history=history(clone, "1.0", "2.0", of))
    drafts = {
        frozenset(name.partition(":")[2] for name in each["draft"]["symbols"]): [
            link.rpartition("/")[2] for link in each["draft"].get("links", [])
        ]
        for each in found.proposed
    }
    assert drafts == {
        frozenset({"one", "two", "three"}): ["2", "4"],
        frozenset({"four"}): ["3"],
        frozenset({"five"}): [],
    }


@pytest.mark.parametrize(("count", "drafts"), [(MANY // 2, MANY), (MANY // 2 + 1, 2)])
def test_many_drafts_are_one_for_each_file(count: int, drafts: int) -> None:
    """Up to twenty are told apart; every symbol is named by exactly one draft."""
    names = {path: " ".join(f"{path}{n}" for n in range(count)) for path in ("a", "b")}
    old, new = ({f"pkg/{path}.py": functions(each, value) for path, each in names.items()} for value in (1, 2))
    found = scanned(old, new).proposed
    assert len(found) == drafts
    named = [name for each in found for name in each["draft"]["symbols"]]
    assert sorted(named) == sorted(f"push:{path}{n}" for path in names for n in range(count))
    assert len({each["id"] for each in found}) == drafts


def test_a_class_that_came_whole_stands_for_its_members() -> None:
    """A draft names it once; a member that came to a class that was there is named."""
    fresh = "class New:\n    size = 1\n\n    def go(self):\n        return self.size\n"
    (draft,) = scanned("X = 1\n", f"X = 1\n{fresh}").proposed
    assert draft["draft"]["symbols"] == ["push:New"]
    (draft,) = scanned(fresh, f"{fresh}\n    def stop(self):\n        return self.size + 1\n").proposed
    assert draft["draft"]["symbols"] == ["push:New.stop"]
