"""What a base gains by catching up with the newest releases, from a stand-in for the package index."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from kb.cli.refreshing import written
from kb.config import Config, read
from kb.errors import KbError, NotFound
from kb.library import open_library
from kb.present.refresh import refresh as shown
from kb.present.text import page
from kb.scan.listing import File, Listing
from kb.scan.refresh import Due, due
from kb.scan.tree import Tree
from kb.scan.web import Offline
from kb.vocabulary import Artifact
from tests.scan.made import tree

ENGINE = """\
schema_version: 1
id: engine
title: Engine
kind: engine
ships_in: engine
paths:
  - {glob: "engine/**"}
releases:
  # counted by hand
  - {version: "1.0", date: 2026-01-01}
  - {version: "1.1", date: 2026-02-01}
"""
PUSH = """\
schema_version: 1
id: push
title: Push
kind: connector
ships_in: engine
paths:
  - {glob: "engine/push.py"}
"""
OLD = 'def send(config):\n    wait = config.get_from_extra_config("wait", 1)\n    return post(wait)\n'
NEW = OLD.replace('"wait", 1', '"wait", 2')


class Stand:
    """An index of one distribution."""

    def __init__(self, days: Mapping[str, str], sources: Mapping[str, str], **more: str) -> None:
        self.days, self.sources, self.more = days, sources, more
        self.asked: list[str] = []

    def listing(self, distribution: str) -> Listing:
        days = self.days if distribution == "engine" else dict.fromkeys(self.more[distribution].split(), "")
        made = (
            File(
                f"{distribution}-{version}.tar.gz",
                "",
                version,
                Artifact.SDIST,
                uploaded=day.strip("!") or None,
                yanked="!" in day,
            )
            for version, day in days.items()
        )
        return Listing(distribution, tuple(made))

    def tree(self, distribution: str, version: str) -> Tree:
        self.asked.append(version)
        if version not in self.sources:
            raise NotFound(f"{distribution} has no release {version}")
        return tree({"engine/push.py": self.sources[version]}, version)


@pytest.fixture
def base(tmp_path: Path) -> Config:
    """A base of an engine and its connector."""
    (tmp_path / "kb.toml").write_text("")
    (tmp_path / "entries/components").mkdir(parents=True)
    (tmp_path / "entries/components/engine.yaml").write_text(ENGINE)
    (tmp_path / "entries/components/push.yaml").write_text(PUSH)
    return read(tmp_path)


def caught_up(base: Config, stand: Stand) -> tuple[list[Due], list[str]]:
    """What was due, and what was written."""
    library = open_library(base)
    found = list(due(library, stand))
    done = written(found, library, base.base.entries, "2026-11-29")
    return found, [each.message if isinstance(each, KbError) else each.name for each in done]


DAYS = {"1.0": "2026-01-01", "1.1": "2026-02-01", "1.2": "2026-03-01", "1.3rc1": "2026-03-09"}


def test_a_newer_release(base: Config) -> None:
    """It is listed with its day, compared, drafted, and its fact stated; comments stay, a release candidate is none."""
    found, done = caught_up(base, Stand(DAYS, {"1.1": OLD, "1.2": NEW}))
    assert [(each.component.id, each.since, each.until) for each in found] == [
        ("engine", "1.1", "1.2"),
        ("push", "1.1", "1.2"),
    ]
    assert [each.version for each in found[0].releases] == ["1.2"]
    assert "push-1.2-send.md" in done
    assert "push.symbols.tsv" in done
    engine = (base.base.entries / "components/engine.yaml").read_text()
    assert "  # counted by hand\n" in engine
    assert '  - {version: "1.2", date: 2026-03-01}\n' in engine
    push = (base.base.entries / "components/push.yaml").read_text()
    assert '{versions: "==1.2", options: {wait: "2"}, read_in: engine/push.py}' in push


HOW = """facts:
  - {versions: ">=1.0,<=1.1", options: {deep: "4"}, read_in: push.py}
  - {versions: "==1.1", env: {PATHS: not-set}}
  - {versions: "==1.1", wire_version: "7"}  # still so
  - {versions: "==1.1", options: {wait: "1"}}
  - {versions: "==1.1", options: {gone: "1"}}
  - {versions: "==1.1", options: {deep: "4"}, when: [{key: options.a, op: set}]}
  - {versions: "==1.1", options: {deep: "4"}, defaults: {prefill.tp: "1"}}
  - {versions: "==1.0", options: {deep: "4"}}
  - {versions: "<1.2", options: {deep: "4"}}
  - {versions: "==1.1", options: {deep: "4", wait: "1"}}
"""
READS = (
    "import os\nWIRE_VERSION = 7\n"
    'def more(config):\n    config.get_from_extra_config("deep", 4)\n    return os.environ.get("PATHS")\n'
)


def test_facts_reach_on_while_they_are_so(base: Config) -> None:
    """A range that ended at the release before reaches on when the newest bears out every value that a scan reads."""
    (base.base.entries / "components/push.yaml").write_text(PUSH + HOW)
    caught_up(base, Stand(DAYS, {"1.1": OLD + READS, "1.2": NEW + READS}))
    push = (base.base.entries / "components/push.yaml").read_text()
    lines = push[push.index("facts:") :].splitlines()[1:12]
    assert [line.partition('"')[2].partition('"')[0] for line in lines] == [
        ">=1.0,<=1.2",
        ">=1.1,<=1.2",
        ">=1.1,<=1.2",
        *["==1.1"] * 4,
        "==1.0",
        "<1.2",
        "==1.1",
        "==1.2",
    ]
    assert "# still so" in lines[2]


def test_what_reads_otherwise_is_not_stated_twice(base: Config) -> None:
    """A range that already reaches over the newest release is for a person to end; the rest is written."""
    open_ended = 'facts:\n  - {versions: ">=1.0", options: {wait: "1"}}\n'
    (base.base.entries / "components/push.yaml").write_text(PUSH + open_ended)
    _, done = caught_up(base, Stand(DAYS, {"1.1": OLD, "1.2": NEW + READS.replace("return os", "os")}))
    assert [each for each in done if each.startswith("push states")] == [
        "push states wait of 1.2 already, where it reads 2"
    ]
    push = (base.base.entries / "components/push.yaml").read_text()
    assert '{versions: ">=1.0", options: {wait: "1"}}' in push
    assert '{versions: "==1.2", options: {deep: "4"}, read_in: engine/push.py}' in push


def test_a_second_run_changes_nothing(base: Config) -> None:
    """Neither files nor a fetch: the base knows the newest release."""
    caught_up(base, Stand(DAYS, {"1.1": OLD, "1.2": NEW}))
    files = {path: path.read_bytes() for path in base.base.root.rglob("*") if path.is_file()}
    again = Stand(DAYS, {})
    found, done = caught_up(base, again)
    assert (done, again.asked, [each.anything for each in found]) == ([], [], [False, False])
    assert {path: path.read_bytes() for path in base.base.root.rglob("*") if path.is_file()} == files


def test_nothing_newer(base: Config) -> None:
    """What the base knows is not fetched again; an older release that it left out is not proposed before its first."""
    stand = Stand({"0.9": "2025-01-01", "1.0": "2026-01-01", "1.1": "2026-02-01"}, {})
    found, done = caught_up(base, stand)
    assert (done, stand.asked, [each.anything for each in found]) == ([], [], [False, False])


def test_withdrawn(base: Config) -> None:
    """A release withdrawn since is marked, and is never the newest."""
    found, _ = caught_up(base, Stand({"1.0": "2026-01-01", "1.1": "2026-02-01!", "1.2": "2026-03-01!"}, {}))
    assert [(each.version, each.yanked) for each in found[0].releases] == [("1.1", True), ("1.2", True)]
    assert found[0].until == "1.0"
    assert (
        '{version: "1.1", date: 2026-02-01, yanked: true}' in (base.base.entries / "components/engine.yaml").read_text()
    )


def test_a_release_that_is_only_half_there(base: Config) -> None:
    """What only one of a component's distributions has is said and not added."""
    path = base.base.entries / "components/engine.yaml"
    path.write_text(ENGINE.replace("ships_in: engine\n", "ships_in: engine\nalso_ships_in: [engine-cu12]\n"))
    found, done = caught_up(base, Stand(DAYS, {"1.1": OLD, "1.2": NEW}, **{"engine-cu12": "1.0 1.1"}))
    assert (found[0].releases, found[0].held_back, found[0].until) == ((), ("1.2",), "1.1")
    assert "engine.yaml" not in done


def test_a_release_that_another_distribution_has_alone(base: Config) -> None:
    """A newer release of one for another CUDA is said; a candidate and an old one are not."""
    path = base.base.entries / "components/engine.yaml"
    path.write_text(ENGINE.replace("ships_in: engine\n", "ships_in: engine\nalso_ships_in: [engine-cu12]\n"))
    stand = Stand({"1.0": "", "1.1": ""}, {}, **{"engine-cu12": "0.9 1.0 1.1 1.2 1.3rc1"})
    found, done = caught_up(base, stand)
    assert (found[0].releases, found[0].held_back, dict(found[0].elsewhere)) == ((), (), {"engine-cu12": ("1.2",)})
    assert done == []
    told = "\n".join(shown(found, page()))
    assert "no other distribution of the component has it\n  - engine: 1.2 of engine-cu12" in told


def test_files_that_no_release_holds(base: Config) -> None:
    """A wheel of libraries has none of the sources that a record names: that is no "nothing differs", but unknown."""
    path = base.base.entries / "components/push.yaml"
    path.write_text(PUSH.replace("engine/push.py", "src/push/**"))
    found, done = caught_up(base, Stand(DAYS, {"1.1": OLD, "1.2": NEW}))
    assert found[1].report is None
    assert found[1].why_not.startswith("none of its files is in engine 1.1 or 1.2 as the index has them")
    told = "\n".join(shown(found, page()))
    assert "push: none of its files" in told
    assert "Up to date" not in told
    assert not any(each.startswith("push") for each in done)


def test_a_component_that_went(base: Config) -> None:
    """Where its record says that it ended earlier no file is looked for, and none is missed."""
    path = base.base.entries / "components/push.yaml"
    path.write_text(PUSH.replace('"engine/push.py"', '"engine/pull.py", versions: "<1.1"'))
    found, _ = caught_up(base, Stand(DAYS, {"1.1": OLD, "1.2": NEW}))
    assert (found[1].report, found[1].why_not) == (None, "")


def test_code_that_was_never_scanned(base: Config) -> None:
    """That all releases are listed says nothing of their code: they stand apart from what is up to date."""
    done = Stand({"1.0": "2026-01-01", "1.1": "2026-02-01"}, {})
    found, _ = caught_up(base, done)
    assert [each.scanned for each in found] == [False, False]
    told = "\n".join(shown(found, page()))
    assert "Every release listed, their code never scanned\n  engine, push" in told
    assert "Up to date" not in told
    covered = PUSH + ('coverage:\n  - {since: "1.0", until: "1.1", date: 2026-02-02, by: person, because: read}\n')
    (base.base.entries / "components/push.yaml").write_text(covered)
    told = "\n".join(shown(caught_up(base, done)[0], page()))
    assert "Up to date\n  push" in told


def test_a_release_that_cannot_be_had(base: Config) -> None:
    """One sentence; that it is there is still stated."""
    found, _ = caught_up(base, Stand(DAYS, {"1.1": OLD}))
    assert [each.why_not for each in found] == ["engine has no release 1.2"] * 2
    assert [each.version for each in found[0].releases] == ["1.2"]


def test_offline(base: Config) -> None:
    """Without the index and without lists of an earlier run there is nothing to say but that."""

    class Cut(Stand):
        def listing(self, distribution: str) -> Listing:
            raise Offline(f"the package index cannot be reached for {distribution}")

    with pytest.raises(Offline):
        caught_up(base, Cut({}, {}))
