"""kb.scan.keeping: what a scan leaves in the base beside its drafts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kb.component import Component, Facts
from kb.digests import Table, read, write
from kb.errors import KbError
from kb.library import read_file
from kb.scan import Report, Tree, scan
from kb.scan.compare import ONE_WHEEL
from kb.scan.keeping import LONGEST, Keeping, unlisted
from tests.scan.made import tree

RECORD = """id: push
title: Push
kind: connector  # ours
ships_in: dist
paths:
  - {glob: "pkg/**"}  # all of it
  - {glob: "requirements.txt", neighbour: true}
"""
ONE, TWO = "def f():\n    return 1\n", "def f():\n    return 2\n"


@pytest.fixture
def entries(tmp_path: Path) -> Path:
    (tmp_path / "components").mkdir()
    (tmp_path / "components" / "push.yaml").write_text(RECORD, encoding="utf-8")
    return tmp_path


def component(entries: Path) -> Component:
    found = read_file(entries / "components" / "push.yaml", "push.yaml").record
    assert isinstance(found, Component)
    return found


def known(entries: Path) -> Table | None:
    path = entries / "components" / "push.symbols.tsv"
    return read(path.read_text(encoding="utf-8"), path.name) if path.exists() else None


def trees(old: str = ONE, new: str = TWO, labels: tuple[str, str] = ("1.0", "2.0")) -> tuple[Tree, Tree]:
    return tree({"pkg/a.py": old}, labels[0]), tree({"pkg/a.py": new}, labels[1])


def keep(entries: Path, pair: tuple[Tree, Tree], report: Report | None = None) -> list[str]:
    """Names of what was written, and sentences about what was not."""
    of = component(entries)
    keeping = Keeping(of, known(entries), entries, "2026-11-29", "as given")
    found = keeping.keep(report or scan(*pair, of), pair)
    return [each.message if isinstance(each, KbError) else each.name for each in found]


def test_a_table_and_a_statement(entries: Path) -> None:
    """Both releases are in the table; the interval is stated in the record, its comments kept."""
    assert keep(entries, trees()) == ["push.symbols.tsv", "push.yaml"]
    kept = known(entries)
    assert kept is not None
    assert (kept.releases, kept.artifacts, kept.date) == (("1.0", "2.0"), "as given", "2026-11-29")
    assert kept.between("f", "1.0", "2.0").changed_in == ("2.0",)
    text = (entries / "components" / "push.yaml").read_text(encoding="utf-8")
    assert text.startswith(RECORD)
    (stated,) = component(entries).coverage
    assert (stated.since, stated.until, stated.date, stated.by) == ("1.0", "2.0", "2026-11-29", "scan")
    assert stated.open == ()


def test_a_second_run_adds_nothing(entries: Path) -> None:
    """The same scan leaves the same files; a later one carries the statement on."""
    keep(entries, trees())
    before = {path: path.read_bytes() for path in sorted(entries.rglob("*"), key=str) if path.is_file()}
    assert keep(entries, trees()) == []
    assert {path: path.read_bytes() for path in before} == before
    assert keep(entries, trees(TWO, TWO, ("2.0", "3.0"))) == ["push.symbols.tsv", "push.yaml"]
    assert [(each.since, each.until) for each in component(entries).coverage] == [("1.0", "3.0")]


def test_an_interval_within_a_stated_one_is_stated(entries: Path) -> None:
    """Nothing is said twice, and the table is not touched either."""
    keep(entries, trees(labels=("1.0", "3.0")))
    found = keep(entries, trees(labels=("1.0", "2.0")))
    assert len(found) == 1
    assert "ends at 3.0" in found[0]
    assert len(component(entries).coverage) == 1


def test_a_gap_is_said(entries: Path) -> None:
    """The table does not grow over releases that were left out, and what it cannot list is not stated."""
    keep(entries, trees())
    found = keep(entries, trees(labels=("4.0", "5.0")))
    assert len(found) == 1
    assert "ends at 2.0" in found[0]
    assert [each.until for each in component(entries).coverage] == ["2.0"]


def test_a_statement_by_a_person_is_left_alone(entries: Path) -> None:
    """A scan that goes on from it makes a statement of its own."""
    path = entries / "components" / "push.yaml"
    by_hand = "coverage:\n  - {since: '0.9', until: '1.0', date: 2026-01-02, by: person, because: Read it}\n"
    path.write_text(RECORD + by_hand, encoding="utf-8")
    keep(entries, trees())
    assert [(each.until, each.by) for each in component(entries).coverage] == [("1.0", "person"), ("2.0", "scan")]


@pytest.mark.parametrize("labels", [("a", "b"), ("1.0", "main")])
def test_folders_without_a_version_leave_nothing(entries: Path, labels: tuple[str, str]) -> None:
    """Only releases are kept."""
    assert keep(entries, trees(labels=labels)) == []


def test_backwards_is_no_coverage(entries: Path) -> None:
    """A scan from the newer to the older release covers no interval."""
    assert keep(entries, trees(labels=("2.0", "1.0"))) == ["push.symbols.tsv"]


FACTS = """facts:
  - {versions: "<2.0", options: {depth: "4"}, requires: {nixl: "1"}, env: {A: "1"}, read_in: pkg/a.py}
  - {versions: ">=2.0", options: {depth: "8"}, requires: {nixl: "1"}, read_in: pkg/a.py}
"""


def row(what: str, name: str, old: str | None, new: str | None) -> dict[str, object]:
    return {"what": what, "name": name, "old": old, "new": new}


@pytest.mark.parametrize(
    ("field", "given", "open_"),
    [
        ("requirements", row("requirement", "nixl", "1", "2"), "2.0: requirement nixl 1 -> 2"),
        ("requirements", row("requirement", "ucx", None, "2"), "2.0: requirement ucx absent -> 2"),
        ("options", row("option", "depth", "4", "8"), None),
        ("options", row("option", "width", "4", "8"), "2.0: option width 4 -> 8"),
        ("env", row("env", "A", "1", None), None),
        ("env", row("env", "B", "1", None), "2.0: env B 1 -> absent"),
        ("defaults", row("field", "f", "1", "2"), None),
        ("defaults", row("argument", "--f", "1", "2"), "2.0: argument --f 1 -> 2"),
    ],
)
def test_facts_that_no_record_states_stay_open(
    entries: Path, field: str, given: dict[str, object], open_: str | None
) -> None:
    """The component's facts account for what they state otherwise of the new release; a symbol has its row already."""
    path = entries / "components" / "push.yaml"
    path.write_text(RECORD + FACTS, encoding="utf-8")
    report = replace(scan(*trees(), component(entries)), **{field: (given,)})  # type: ignore[arg-type]
    assert list(unlisted(report, component(entries))) == ([open_] if open_ else [])


def test_many_facts_are_told_together(entries: Path) -> None:
    """A line for each up to eight of a kind; beyond, their number and the first names."""
    rows = tuple(row("env", f"V{n}", None, "1") for n in range(9))
    report = scan(*trees(), component(entries))
    assert len(list(unlisted(replace(report, env=rows[:8]), component(entries)))) == 8
    (only,) = unlisted(replace(report, env=rows), component(entries))
    assert only == "2.0: 9 times env: V0, V1, V2 and 6 more"


def test_facts_of_the_host_account_too(entries: Path) -> None:
    """The engine's record states the pins of its connectors."""
    told = ({"versions": "<2.0", "requires": {"nixl": "1"}}, {"versions": ">=2.0", "requires": {"nixl": "2"}})
    host = HOST.model_copy(update={"facts": tuple(map(Facts.model_validate, told))})
    report = replace(scan(*trees(), component(entries)), requirements=(row("requirement", "nixl", "1", "2"),))
    assert list(unlisted(report, component(entries), host)) == []
    assert list(unlisted(report, component(entries), HOST)) == ["2.0: requirement nixl 1 -> 2"]


def test_pins_of_a_wheel_beside_an_sdist_stay_open(entries: Path) -> None:
    """A wheel has no requirement files: their absence is no removal, and what they say now is not known."""
    files = {"pkg/a.py": ONE, "requirements.txt": "nixl==1\n", "PKG-INFO": "Requires-Dist: nixl==1\n"}
    wheel = {"pkg/a.py": ONE, "d-2.dist-info/METADATA": "Requires-Dist: nixl==2\n"}
    report = scan(tree(files, "1.0"), tree(wheel, "2.0"), component(entries))
    assert [(each["old"], each["new"], each["scope"]) for each in report.requirements] == [("==1", "==2", "metadata")]
    assert [each for each in unlisted(report, component(entries)) if "wheel" in each] == [f"2.0: {ONE_WHEEL}"]
    again = scan(tree(wheel, "2.0"), tree(wheel, "3.0"), component(entries))
    assert list(unlisted(again, component(entries))) == []


HOST = Component.model_validate(
    {"id": "dist", "title": "D", "kind": "engine", "paths": ({"glob": "core/**", "versions": ">=2.0"},)}
)


def test_what_no_table_lists_stays_open(entries: Path) -> None:
    """Other languages, nameless statements, files that cannot be parsed, neighbours that are nobody's own."""
    record = (entries / "components" / "push.yaml").read_text(encoding="utf-8")
    beside = '  - {glob: "core/*.py", neighbour: true}\n  - {glob: "odd/*", neighbour: true}\n'
    (entries / "components" / "push.yaml").write_text(record + beside, encoding="utf-8")
    old = {"pkg/a.py": "import x\nx.start(1)\n", "pkg/b.py": "def (", "core/c.py": ONE, "odd/o.py": ONE, "pkg/s.c": "1"}
    new = {"pkg/a.py": "import x\nx.start(2)\n", "pkg/b.py": ONE, "core/c.py": TWO, "odd/o.py": TWO, "pkg/t.c": "1"}
    report = scan(tree(old, "1.0"), tree(new, "2.0"), component(entries))
    said = [
        "2.0: statement <x.start(1)> removed in pkg/a.py",
        "2.0: statement <x.start(2)> added in pkg/a.py",
        "2.0: file pkg/b.py changed",
        "2.0: file odd/o.py changed",
    ]
    assert sorted(unlisted(report, component(entries), HOST)) == sorted(said)
    assert sorted(unlisted(report, component(entries))) == sorted([*said, "2.0: file core/c.py changed"])
    many = {**new, **{f"pkg/{n}.c": "1" for n in range(3)}}
    together = unlisted(scan(tree(old, "1.0"), tree(many, "2.0"), component(entries)), component(entries), HOST)
    assert "2.0: 4 files of pkg/** differ" in set(together)
    same = scan(tree(old, "1.0"), tree(old, "2.0"), component(entries))
    assert list(unlisted(same, component(entries))) == []


def test_open_points_are_stated(entries: Path) -> None:
    """They stand in the statement, those of a later release behind them; a long one is cut."""
    pair = trees()
    report = scan(*pair, component(entries))
    keep(entries, pair, replace(report, env=(row("env", "A", "1", "9" * 400),)))
    later = trees(TWO, ONE, ("2.0", "3.0"))
    keep(entries, later, replace(scan(*later, component(entries)), env=(row("env", "B", None, "1"),)))
    (stated,) = component(entries).coverage
    assert [each[:15] for each in stated.open] == ["2.0: env A 1 ->", "3.0: env B abse"]
    assert max(map(len, stated.open)) == LONGEST


def test_a_mounted_record_is_not_edited(entries: Path) -> None:
    """Without a record of its own the base keeps the table only, and says so: no verdict follows from it alone."""
    of = component(entries)
    (entries / "components" / "push.yaml").unlink()
    keeping = Keeping(of, None, entries, "2026-11-29", "as given")
    table, said = keeping.keep(scan(*trees(), of), trees())
    assert isinstance(table, Path)
    assert table.name == "push.symbols.tsv"
    assert str(said) == "that it was looked at is not stated: the record of push is in a base that is mounted"


def test_a_mounted_table_is_continued(entries: Path) -> None:
    """The base's own copy begins with what the mounted one knows."""
    of = component(entries)
    keep(entries, trees())
    mounted = known(entries)
    assert mounted is not None
    (entries / "components" / "push.symbols.tsv").unlink()
    later = trees(TWO, ONE, ("2.0", "3.0"))
    list(Keeping(of, mounted, entries, "2026-11-30", "as given").keep(scan(*later, of), later))
    kept = known(entries)
    assert kept is not None
    assert kept.releases == ("1.0", "2.0", "3.0")
    assert "# date: 2026-11-30" in write(kept)
