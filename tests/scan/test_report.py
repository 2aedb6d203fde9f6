"""What a scan found, as a value and as JSON."""

from __future__ import annotations

import json

import pytest

from kb.scan import Report
from kb.scan.match import Status
from tests.scan.made import component, scanned

OLD = "LIMIT = 3\ndef f(a):\n    return a\ndef g(a):\n    return a\n"
NEW = "LIMIT = 4\ndef f(a):\n    '''One.'''\n    return a\ndef h(a):\n    return [a]\n"


def test_the_keys_are_the_promised_ones() -> None:
    """Scripts rely on them."""
    found = json.loads(json.dumps(scanned(OLD, NEW).as_dict()))
    assert list(found) == ["symbols", "options", "env", "defaults", "requirements", "files", "proposed"]
    promised = {"name", "status", "kind", "guards", "old_path", "new_path", "hunk"}
    assert all(promised <= set(each) for each in found["symbols"])


def test_counts_are_of_status_and_kind() -> None:
    """Every symbol is counted once."""
    counts = {f"{status} {kind}": count for (status, kind), count in scanned(OLD, NEW).counts().items()}
    assert counts == {"changed behaviour": 1, "unchanged docs": 1, "removed behaviour": 1, "added behaviour": 1}


def test_it_never_speaks_of_an_effect() -> None:
    """Size and sign are not for a scan to say."""
    text = json.dumps(scanned(OLD, NEW).as_dict())
    assert not any(word in text for word in ("faster", "slower", "improve", "regress", "favours"))


def test_neighbours_are_apart_and_tests_are_none() -> None:
    """A neighbour's symbols stand with its file, tests of the component nowhere."""
    of = component("pkg/**", paths=({"glob": "pkg/**"}, {"glob": "core/**", "neighbour": True}))
    old = {"pkg/a.py": OLD, "core/s.py": OLD, "pkg/tests/test_a.py": OLD, "core/same.py": OLD}
    new = {"pkg/a.py": OLD, "core/s.py": NEW, "pkg/tests/test_a.py": NEW, "core/same.py": OLD}
    found = scanned(old, new, of)
    assert {each.status for each in found.symbols} == {Status.UNCHANGED}
    assert [(each.path, each.neighbour) for each in found.files] == [("core/s.py", True)]
    assert sorted(each.name for each in found.files[0].symbols) == ["LIMIT", "f", "g", "h"]


def test_paths_hold_for_their_versions_only() -> None:
    """The old release is read at its paths, the new one at its own."""
    paths = ({"glob": "pkg/one.py", "versions": "<2"}, {"glob": "pkg/two/**", "versions": ">=2"})
    old = {"pkg/one.py": OLD, "pkg/two/x.py": NEW}
    new = {"pkg/one.py": NEW, "pkg/two/x.py": OLD}
    found = scanned(old, new, component(paths=paths))
    assert {each.status for each in found.symbols} == {Status.MOVED}


def test_code_that_left_the_paths_is_not_removed() -> None:
    """It is looked for in the rest of the release: by what is imported, in the same file, by name and a like body."""
    body = "    a = x.open()\n    b = a.post()\n    return b.wait()\n"
    of = component(paths=({"glob": "pkg/a/**", "versions": "<2"}, {"glob": "pkg/a/w.py", "versions": ">=2"}))
    old = {"pkg/a/w.py": f"def go(x):\n{body}", "pkg/a/stats.py": "FULL = 1\n", "pkg/a/u.py": f"def util(x):\n{body}"}
    new = {
        "pkg/a/w.py": f"from pkg.far import util\ndef go(x):\n{body}",
        "pkg/a/stats.py": "FULL = 1\n",
        "pkg/far.py": f"def util(x):\n{body}",
    }
    found = {each.name: (each.status.value, each.new_path) for each in scanned(old, new, of).symbols}
    assert found["FULL"] == ("unchanged", "pkg/a/stats.py")
    assert found["util"] == ("moved", "pkg/far.py")


def test_a_name_elsewhere_is_not_enough() -> None:
    """Another function that happens to have the name of a removed one is another function."""
    old = {"pkg/w.py": "def run(x):\n    a = x.open()\n    return a\ndef go(): return 1\n"}
    new = {"pkg/w.py": "def go(): return 1\n", "other/cli.py": "def run():\n    print('hello')\n    return 0\n"}
    assert {each.name: each.status.value for each in scanned(old, new).symbols}["run"] == "removed"


def test_files_that_are_no_python_are_compared_by_lines() -> None:
    """A changed file has a hunk; one that moved is found by its bytes."""
    old = {"pkg/a.py": OLD, "pkg/router.rs": "fn a() {}\n", "pkg/one.cfg": "x=1\n"}
    new = {"pkg/a.py": OLD, "pkg/router.rs": "fn b() {}\n", "pkg/two.cfg": "x=1\n"}
    found = {each.path: each for each in scanned(old, new).files}
    assert "-fn a() {}" in (found["pkg/router.rs"].hunk or "")
    assert (found["pkg/two.cfg"].status, found["pkg/two.cfg"].old_path) == (Status.MOVED, "pkg/one.cfg")


def test_python_that_cannot_be_parsed_is_compared_by_lines_and_said() -> None:
    """Nothing is passed over in silence."""
    found = scanned({"pkg/a.py": "def f(:\n"}, {"pkg/a.py": "def g(:\n"})
    assert "pkg/a.py cannot be parsed" in found.notes[0]
    assert "-def f(:" in (found.files[0].hunk or "")


def test_a_component_that_is_not_there_is_said() -> None:
    """A release from before the component has none of its files."""
    found = scanned({"other.py": OLD}, {"pkg/a.py": OLD})
    assert found.notes == ("push has no files in 1.0",)
    assert {each.status for each in found.symbols} == {Status.ADDED}


@pytest.mark.parametrize("order", [1, -1])
def test_the_same_inputs_give_the_same_report(order: int) -> None:
    """The order of files in an archive is not seen."""
    files = {"pkg/a.py": OLD, "pkg/b.py": NEW, "pkg/c.py": OLD.replace("f", "k")}
    turned = dict(list(files.items())[::order])
    report: Report = scanned(turned, {**turned, "pkg/b.py": OLD})
    assert report.as_dict() == scanned(files, {**files, "pkg/b.py": OLD}).as_dict()


def test_code_nested_too_deep_to_be_walked_is_compared_by_its_text() -> None:
    """A generated table or a sum of a thousand terms ends no scan."""
    old = f"def f(a):\n    return {' + '.join(['a'] * 3000)}\n"
    found = scanned({"pkg/a.py": old}, {"pkg/a.py": old.replace("a + a\n", "a + 1\n")})
    assert [(each.name, each.status) for each in found.symbols] == [("f", Status.CHANGED)] or found.notes
