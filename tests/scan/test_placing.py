"""kb.scan.placing: commits of a real repository among the releases that a record lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.builds import Known, builds
from kb.config import read
from kb.errors import KbError
from kb.library import Library, open_library
from kb.present.placing import placing as shown
from kb.present.text import page
from kb.registry import Registry
from kb.scan.placing import BY_LINE, BY_TAG, Placed, pins, place, write
from tests.scan.test_git import commit, run

RECORD = """\
schema_version: 1
id: ember
title: Ember
kind: transfer-library
ships_in: ember
paths:
  - {glob: "ember/**"}
releases:
  # by hand
  - {version: "0.1.0", date: 2026-01-01}
  - {version: "1.0.0", date: 2026-02-01}
  - {version: "1.1.0", date: 2026-03-01}
  - {version: "1.1.1", date: 2026-03-10}
  - {version: "1.2.0", date: 2026-04-01}
  - {version: "1.3.0", date: 2026-05-01}
"""
PLUGIN = """\
schema_version: 1
id: plugin
title: Plugin
kind: connector
ships_in: ember
paths:
  - {glob: "ember/plugin.py"}
"""


@pytest.fixture
def commits(tmp_path: Path) -> dict[str, str]:
    """Releases 1.0.0 and 1.3.0 on main; 1.1.0 and 1.1.1 on one branch, 1.2.0 on another, each with picked commits."""
    clone = tmp_path / "clone"
    clone.mkdir()
    run(clone, "init", "-q", "-b", "main")
    made: dict[str, str] = {}

    def add(name: str, tag: str = "") -> None:
        made[name] = commit(clone, name, **{f"{name}_py": f"x = '{name}'\n"})
        if tag:
            run(clone, "tag", tag)

    add("first")
    add("one", "v1.0.0")
    add("early")
    add("cut")
    run(clone, "checkout", "-q", "-b", "r1")
    add("pick", "v1.1.0")
    add("fix")
    add("fixed", "v1.1.1")
    run(clone, "checkout", "-q", "main")
    add("later")
    run(clone, "checkout", "-q", "-b", "r2")
    add("two", "v1.2.0")
    run(clone, "checkout", "-q", "main")
    run(clone, "checkout", "-q", "-b", "side")
    add("merged")
    run(clone, "checkout", "-q", "main")
    add("between")
    run(clone, "merge", "-q", "--no-ff", "-m", "Merge", "side")
    add("three", "v1.3.0")
    add("newest")
    run(clone, "checkout", "-q", "-b", "proposal")
    add("proposed")
    run(clone, "checkout", "-q", "main")
    return made


def library(root: Path, *pinned: str, record: str = RECORD) -> Library:
    """A base whose evaluations pin these, each as the keys of a pin."""
    places = {"kb.toml": "", "entries/components/ember.yaml": record, "entries/components/plugin.yaml": PLUGIN}
    for number, pin in enumerate(pinned):
        places[f"entries/deployments/at-{number}.yaml"] = (
            f"schema_version: 1\nid: at-{number}\ntitle: At {number}\nsetup:\n  transfer_library: {{{pin}}}\n"
        )
    for name, text in places.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return open_library(read(root))


def placed(tmp_path: Path, *pinned: str, record: str = RECORD) -> tuple[Placed, ...]:
    found = library(tmp_path / "base", *pinned, record=record)
    return place(found.components["ember"], found, tmp_path / "clone")


def test_tags_of_releases(tmp_path: Path, commits: dict[str, str]) -> None:
    """Each with its commit; a number on the main line only where it is on it. A release without a tag is left out."""
    found = [each.build for each in placed(tmp_path)]
    assert [(each.version, each.commit, each.order, each.read_in) for each in found if each] == [
        ("1.0.0", commits["one"], 2, BY_TAG),
        ("1.1.0", commits["pick"], None, BY_TAG),
        ("1.1.1", commits["fixed"], None, BY_TAG),
        ("1.2.0", commits["two"], None, BY_TAG),
        ("1.3.0", commits["three"], 9, BY_TAG),
    ]


@pytest.mark.parametrize(
    ("name", "after", "before", "order"),
    [
        ("early", "1.0.0", "1.1.0", 3),
        ("cut", "1.0.0", "1.1.0", 4),  # the branch of 1.1.0 begins here: it is in it, and not after it
        ("fix", "1.1.0", "1.1.1", None),
        ("later", "1.1.1", "1.2.0", 5),
        ("between", "1.2.0", "1.3.0", 6),
        ("merged", "1.2.0", "1.3.0", None),  # merged into main: numbers of the main line say nothing of it
    ],
)
def test_between_two_releases(
    name: str, after: str, before: str, order: int | None, tmp_path: Path, commits: dict[str, str]
) -> None:
    """After the last release that it has or that was cut before it, before the first that has it."""
    found = placed(tmp_path, f"component: ember, commit: {commits[name][:9]}")[-1]
    assert found.build
    assert (found.build.after, found.build.before, found.build.order) == (after, before, order)
    assert (found.build.commit, found.build.read_in, found.named_by) == (commits[name], BY_LINE, ("at-0",))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("first", "it came before 1.0.0 and after no tagged release"),
        ("newest", "no tag of a release has it"),
        ("proposed", "no tag of a release has it, nor main"),
        ("nowhere", "the clone does not have it"),
    ],
)
def test_what_is_not_placed(name: str, why: str, tmp_path: Path, commits: dict[str, str]) -> None:
    """Nothing is guessed, and the reason is said."""
    found = placed(tmp_path, f"component: ember, commit: {commits.get(name, 'deadbeef01')[:10]}")[-1]
    assert (found.build, found.why_not) == (None, why)


def test_a_pin_of_a_release(tmp_path: Path, commits: dict[str, str]) -> None:
    """A commit that is a tag's is that release."""
    found = placed(tmp_path, f"component: ember, commit: {commits['pick'][:8]}")[-1]
    assert found.build
    assert (found.build.version, found.build.after) == ("1.1.0", None)


def test_whose_pins(tmp_path: Path, commits: dict[str, str]) -> None:
    """Those of the component and of what ships with it; a fork's, another one's and an unknown one are none."""
    early, later = commits["early"][:9], commits["later"][:9]
    made = library(
        tmp_path / "base",
        f"component: ember, commit: {early}",
        f"component: plugin, commit: {early}",
        f"component: ember, commit: {later}, fork: a/ember",
        f"component: other, commit: {later}",
        "component: ember, commit: unknown",
    )
    assert pins(made.components["ember"], made) == {early: ("at-0", "at-1")}


def test_written_once(tmp_path: Path, commits: dict[str, str]) -> None:
    """What is written is on record the next time, and nothing else changes; a pin is one of two releases then."""
    early = commits["early"][:9]
    found = placed(tmp_path, f"component: ember, commit: {early}")
    entries = tmp_path / "base" / "entries"
    record = entries / "components" / "ember.yaml"
    made = open_library(read(tmp_path / "base"))
    assert write(found, made.components["ember"], entries) == record
    text = record.read_text()
    assert text.startswith(RECORD)
    again = open_library(read(tmp_path / "base"))
    component = again.components["ember"]
    second = place(component, again, tmp_path / "clone")
    assert all(each.known for each in second)
    assert write(second, component, entries) is None
    assert record.read_text() == text
    pin = builds("ember", {"commit": early}, Registry(again))
    assert (pin.versions, pin.known) == (("1.0.0", "1.1.0"), Known.PLACED)


def test_what_the_record_says_otherwise_stays(tmp_path: Path, commits: dict[str, str]) -> None:
    """A person placed it: that is told, not written over."""
    said = f'builds:\n  - {{commit: "{commits["early"][:10]}", version: "1.2.0"}}\n'
    found = placed(tmp_path, f"component: ember, commit: {commits['early'][:9]}", record=RECORD + said)[-1]
    assert (found.build, found.why_not) == (None, "the record places it elsewhere: a person decides")


def test_in_words(tmp_path: Path, commits: dict[str, str]) -> None:
    """A line for each, with who pins it."""
    told = "\n".join(shown(placed(tmp_path, f"component: ember, commit: {commits['early'][:9]}"), page()))
    assert f"{commits['one'][:12]} 1.0.0, 2 commits up to it" in told
    assert "between 1.0.0 and 1.1.0, 3 commits up to it (pinned by at-0)" in " ".join(told.split())


@pytest.mark.usefixtures("commits")
@pytest.mark.parametrize(
    ("id_", "record", "message", "hint"),
    [
        ("plugin", RECORD, "plugin ships in ember, whose record places commits", "kb scan ember --git"),
        ("ember", RECORD.partition("releases")[0], "lists no releases to place commits among", "add its releases"),
        ("ember", RECORD.replace('"1.', '"7.'), "has no tag of a release of ember", "git fetch --tags"),
    ],
)
def test_nothing_to_place_among(id_: str, record: str, message: str, hint: str, tmp_path: Path) -> None:
    """One sentence and what to try."""
    made = library(tmp_path / "base", record=record)
    with pytest.raises(KbError, match=message) as told:
        place(made.components[id_], made, tmp_path / "clone")
    assert hint in str(told.value.hint)
