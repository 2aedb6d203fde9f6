"""acceptance.ships: where a change's `ships` turns, something it names turns, too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from acceptance.ships import Turn, by_commits, by_table, by_words, carried_by, turns, words
from kb.change import Change
from kb.config import read
from kb.library import Library, open_library
from kb.scan import Tree
from kb.vocabulary import Artifact
from tests.scan.made import component
from tests.scan.test_git import commit, run
from tests.scan.trees import of

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def library() -> Library:
    return open_library(read(ROOT))


def test_the_shipped_changes_agree_with_the_shipped_tables(library: Library) -> None:
    """Between the last release without and the first with a change, a symbol that it names differs, wherever a table
    speaks of one; and tables speak of many."""
    told = {turn: by_table(turn, library) for change in library.changes.values() for turn in turns(change)}
    assert [str(turn) for turn, found in told.items() if found is False] == []
    assert sum(found is True for found in told.values()) > 80


def test_a_wrong_turn_is_found(library: Library) -> None:
    """The same changes a few releases later: most of what they name is the same there."""
    later = {"0.27.0": ("0.32.0", "0.33.0"), "0.26.0": ("0.32.0", "0.33.0")}
    moved = [
        replace(turn, old=later[turn.new][0], new=later[turn.new][1])
        for change in library.changes.values()
        for turn in turns(change)
        if turn.distribution == "vllm" and turn.new in later and by_table(turn, library)
    ]
    assert len(moved) > 10
    assert sum(by_table(turn, library) is False for turn in moved) > len(moved) / 2


def change(*ships: dict[str, object]) -> Change:
    return Change.model_validate(
        {
            "schema_version": 1,
            "id": "it-1",
            "title": "It",
            "component": "push",
            "kind": "behaviour",
            "status": "merged",
            "summary": "It.",
            "ships": [{"distribution": "dist", "artifact": "sdist", **each} for each in ships],
        }
    )


def test_turns() -> None:
    """Opened releases only, in order of versions, each kind of artifact apart; not established is neither."""
    made = change(
        {"versions": ">=0.9.0,<=0.10.0", "ships": "no", "marker": "a_b", "checked": ["0.9.0", "0.10.0"]},
        {"versions": "==0.11.0", "ships": "not-established", "checked": ["0.11.0"]},
        {"versions": ">=0.12.0,<=0.13.0", "ships": "yes", "marker": "c_d", "checked": ["0.12.0", "0.13.0"]},
        {"versions": "==0.11.0", "artifact": "wheel", "ships": "yes", "marker": "x", "checked": ["0.11.0"]},
    )
    assert [(each.artifact, each.old, each.new, each.markers) for each in turns(made)] == [
        (Artifact.SDIST, "0.10.0", "0.12.0", ("a_b", "c_d"))
    ]


@pytest.mark.parametrize(
    ("marker", "files", "found"),
    [
        ("nixl ==1.4.1 in requirements/kv.txt", {"requirements/kv.txt"}, {"1.4.1"}),
        ("_send_failures in push_worker.py", {"push_worker.py"}, {"_send_failures"}),
        ("no MooncakeConnector in factory.py", {"factory.py"}, {"MooncakeConnector"}),
        ("folder sglang/srt/disaggregation/nixl", {"sglang/srt/disaggregation/nixl/"}, set()),
        ("option kv-connector in router_args.py", {"router_args.py"}, {"kv-connector"}),
        ("--num-threads, one-sided", set(), {"num-threads"}),
        ("`nixl-cu12==` in METADATA", {"METADATA"}, {"nixl-cu12=="}),
        ("text 'post thread pool' in libx.so", set(), {"post thread pool"}),
        ("wire version 7", set(), set()),
        ("the lease of a handle", set(), set()),
    ],
)
def test_words(marker: str, files: set[str], found: set[str]) -> None:
    """Files, and what can only be code or a version; prose says nothing."""
    assert words([marker]) == (files, found)


def test_a_library_has_mangled_names() -> None:
    """Letters and digits stand around a name there."""
    turn = Turn(change(), "dist", Artifact.WHEEL, "1.0", "2.0", ("post_all in the native module",))
    trees = of({"it.libs/a.so": "_ZN4base5other17h0a"}), of({"it.libs/a.so": "_ZN4base8post_all17h0a"})
    assert by_words(turn, trees, component()) == ("post_all",)


def test_a_source_file_that_only_a_library_names() -> None:
    """No artifact has it as a file: its name is a word."""
    turn = Turn(change(), "dist", Artifact.WHEEL, "1.0", "2.0", ("source name shake.cpp in liba.so",))
    assert by_words(turn, (of({"a.so": "one.cpp"}), of({"a.so": "one.cpp\0../shake.cpp"})), component()) == (
        "shake.cpp",
    )


@pytest.mark.parametrize(
    ("marker", "old", "new", "found"),
    [
        ("_lease_all in w.py", "x = 1\n", "x = _lease_all\n", ("_lease_all",)),
        ("_lease_all in w.py", "x = _lease_all\n", "x = 1\n", ("_lease_all",)),
        ("_lease_all in w.py", "x = _lease_all\n", "y = _lease_all\n", ()),
        ("_lease_all in w.py", "x = 1\n", "x = _lease_all_now\n", ()),
        ("nothing of it", "x = 1\n", "x = 2\n", ()),
    ],
)
def test_by_words(marker: str, old: str, new: str, found: tuple[str, ...]) -> None:
    """A word that came or went; one that stands there as before, or within another, bears nothing out."""
    turn = Turn(change(), "dist", Artifact.SDIST, "1.0", "2.0", (marker,))
    trees = of({"pkg/w.py": old, "pkg/other.py": "_lease_all"}), of({"pkg/w.py": new})
    assert by_words(turn, trees, component()) == found


def test_a_wheel_that_only_requires_another() -> None:
    """What it requires in exactly its version turns there; a wheel that leaves the version open says nothing of it."""
    made = change(
        *(
            {"distribution": name, "artifact": "wheel", "versions": f"=={version}", "ships": ships, "marker": "it",
             "checked": [version]}
            for name in ("dist", "dist-native")
            for version, ships in (("1.0", "no"), ("2.0", "yes"))
        )
    )  # fmt: skip
    turn = next(each for each in turns(made) if each.distribution == "dist")
    thin = component(also_ships_in=["dist-native", "dist-other"])

    def wheels(sign: str) -> list[Tree]:
        text = "Name: dist\nRequires-Dist: dist-native{}{}\nRequires-Dist: dist-other=={}\n"
        return [of({f"dist-{v}.dist-info/METADATA": text.format(sign, v, v)}, label=v) for v in (turn.old, turn.new)]

    assert carried_by(turn, wheels("=="), thin) == ("dist-native",)
    assert carried_by(turn, wheels(">="), thin) == ()


def test_commits(tmp_path: Path) -> None:
    """A commit that one tag has, and the other has not."""
    run(tmp_path, "init", "-q", "-b", "main")
    first = commit(tmp_path, "First", a_py="x = 1\n")
    run(tmp_path, "tag", "v1.0")
    second = commit(tmp_path, "Second", a_py="x = 2\n")
    run(tmp_path, "tag", "v2.0")
    turn = Turn(
        change(), "dist", Artifact.TAG, "1.0", "2.0", (f"commit {first[:9]}", f"commit {second[:9]} or deadbeef0")
    )
    assert by_commits(turn, tmp_path) == (second[:9],)
