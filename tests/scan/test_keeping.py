"""kb.scan.keeping: what a scan leaves in the base beside its drafts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kb.component import Component
from kb.digests import Table, read, write
from kb.errors import KbError
from kb.library import read_file
from kb.scan import Report, Tree, scan
from kb.scan.keeping import Keeping, unrecorded
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
    assert "1 symbols behave differently" in stated.because


def test_a_second_run_adds_nothing(entries: Path) -> None:
    """The same scan leaves the same files; a later one is added."""
    keep(entries, trees())
    before = {path: path.read_bytes() for path in sorted(entries.rglob("*"), key=str) if path.is_file()}
    assert keep(entries, trees()) == []
    assert {path: path.read_bytes() for path in before} == before
    assert keep(entries, trees(TWO, TWO, ("2.0", "3.0"))) == ["push.symbols.tsv", "push.yaml"]
    assert [each.until for each in component(entries).coverage] == ["2.0", "3.0"]


def test_an_interval_within_a_stated_one_is_stated(entries: Path) -> None:
    """Nothing is said twice, and the table is not touched either."""
    keep(entries, trees(labels=("1.0", "3.0")))
    found = keep(entries, trees(labels=("1.0", "2.0")))
    assert len(found) == 1
    assert "ends at 3.0" in found[0]
    assert len(component(entries).coverage) == 1


def test_a_gap_is_said(entries: Path) -> None:
    """The table does not grow over releases that were left out; the interval is stated all the same."""
    keep(entries, trees())
    found = keep(entries, trees(labels=("4.0", "5.0")))
    assert "ends at 2.0" in found[0]
    assert found[1:] == ["push.yaml"]


@pytest.mark.parametrize("labels", [("a", "b"), ("1.0", "main")])
def test_folders_without_a_version_leave_nothing(entries: Path, labels: tuple[str, str]) -> None:
    """Only releases are kept."""
    assert keep(entries, trees(labels=labels)) == []


def test_backwards_is_no_coverage(entries: Path) -> None:
    """A scan from the newer to the older release covers no interval."""
    assert keep(entries, trees(labels=("2.0", "1.0"))) == ["push.symbols.tsv"]


def test_what_no_draft_speaks_of_is_not_covered(entries: Path) -> None:
    """Requirement pins, other languages, files that cannot be parsed: said, and not stated as looked at."""
    pair = trees()
    report = scan(*pair, component(entries))
    assert list(unrecorded(report)) == []
    moved = replace(report, requirements=({"name": "nixl", "status": "changed", "old": "1", "new": "2"},))
    found = keep(entries, pair, moved)
    assert found == ["push.symbols.tsv", "1.0 to 2.0 is not stated as covered: requirements differ (nixl)"]
    broken = tree({"pkg/a.py": "def ("}, "1.0"), tree({"pkg/a.py": ONE, "pkg/b.cpp": "int b;"}, "2.0")
    said = "; ".join(unrecorded(scan(*broken, component(entries))))
    assert "cannot be parsed" in said
    assert "pkg/b.cpp" in said
    assert component(entries).coverage == ()


def test_a_mounted_record_is_not_edited(entries: Path) -> None:
    """Without a record of its own the base keeps the table only."""
    of = component(entries)
    (entries / "components" / "push.yaml").unlink()
    keeping = Keeping(of, None, entries, "2026-11-29", "as given")
    assert [each.name for each in keeping.keep(scan(*trees(), of), trees()) if isinstance(each, Path)] == [
        "push.symbols.tsv"
    ]


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
