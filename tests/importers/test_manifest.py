"""Every result file we have is imported with exact numbers, or declined with a sentence.

The parts in manifest/ list the files below ../shared (results/ are real public ones, generated/ the tools' own output
against a server with known truth): path, sha256, importer, number of runs, and values typed from the raw text.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.config import shipped_config
from kb.importers import importers, read
from kb.importers.run import Imported, Run
from kb.library import Library, open_library
from kb.setup import is_key

SHARED = Path(__file__).parents[3] / "shared"
PARTS = sorted((Path(__file__).parent / "manifest").glob("*.yaml"))
FIXTURES = Path(__file__).parent / "fixtures"
ENTRIES: list[dict[str, Any]] = [
    entry for part in PARTS for entry in yaml.safe_load(part.read_text(encoding="utf-8")) or []
]
needs_files = pytest.mark.skipif(not (SHARED / "results").is_dir(), reason="the result files (../shared) are not here")
each_file = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["path"]))


@cache
def imported(path: str) -> Imported:
    return read([str(SHARED / path)])


@cache
def library() -> Library:
    return open_library(shipped_config())


def run_of(entry: dict[str, Any], record: int) -> Run:
    runs = [run for run in imported(entry["path"]).runs if run.record == record]
    assert runs, f"no run {record}"
    return runs[0]


@needs_files
@each_file
def test_the_file_is_the_one_that_was_read_by_eye(entry: dict[str, Any]) -> None:
    """The manifest speaks of this very file."""
    assert hashlib.sha256((SHARED / entry["path"]).read_bytes()).hexdigest() == entry["sha256"]


@needs_files
@each_file
def test_a_file_is_read_by_its_importer_or_declined(entry: dict[str, Any]) -> None:
    """One importer and that many runs; or no run and a sentence with these words."""
    got = imported(entry["path"])
    if "declined" in entry:
        assert not got.runs
        assert entry["declined"].casefold() in got.declined[0].why.casefold()
        return
    assert [each.why for each in got.declined] == []
    assert {run.importer for run in got.runs} == {entry["importer"]}
    assert len(got.runs) == entry["runs"]


@needs_files
@each_file
def test_numbers_are_those_of_the_raw_file(entry: dict[str, Any]) -> None:
    """Value, unit and definition of every literal, exactly as far as the unit is the file's own."""
    for wanted in entry.get("values", ()):
        run = run_of(entry, wanted["record"])
        found = [p for p in run.points if p.metric == wanted["metric"] and p.stat.value == wanted["stat"]]
        found = [p for p in found if wanted.get("definition") in (None, p.definition)]
        assert len(found) == 1, f"{wanted}: {[(p.definition, p.value) for p in found]}"
        assert found[0].unit == wanted["unit"]
        assert math.isclose(found[0].value, float(wanted["value"]), rel_tol=1e-12), (wanted, found[0])


@needs_files
@each_file
def test_load_and_setup_are_those_of_the_raw_file(entry: dict[str, Any]) -> None:
    """What the manifest states of them is what the run says."""
    for wanted in entry.get("where", ()):
        where = run_of(entry, wanted["record"]).where
        assert {key: where.get(key) for key in wanted if key != "record"} == {
            key: value for key, value in wanted.items() if key != "record"
        }
    for wanted in entry.get("setup", ()):
        setup = run_of(entry, wanted["record"]).setup
        assert {key: setup.get(key) for key in wanted if key != "record"} == {
            key: value for key, value in wanted.items() if key != "record"
        }


@needs_files
def test_every_file_stands_in_one_part() -> None:
    """No file below results/ and generated/ is forgotten, none is listed twice."""
    files = {str(path.relative_to(SHARED)) for top in ("results", "generated") for path in (SHARED / top).rglob("*")
             if path.is_file()}  # fmt: skip
    listed = Counter(str(entry["path"]) for entry in ENTRIES)
    assert sorted(files - set(listed)) == []
    assert [path for path, times in listed.items() if times > 1] == []
    assert sorted(set(listed) - files) == []


@needs_files
@each_file
def test_a_run_keeps_the_contract(entry: dict[str, Any]) -> None:
    """Known definitions, keys of a setup, finite numbers, no secret."""
    keeps_contract(imported(entry["path"]).runs)


def keeps_contract(runs: tuple[Run, ...]) -> None:
    definitions, metrics = library().words["definition"], library().words["metric"]
    for run in runs:
        assert {point.definition for point in run.points} - {None} <= definitions
        assert run.importer == "table" or {point.metric for point in run.points} <= metrics
        assert [key for key in run.setup if not is_key(key)] == []
        assert all(math.isfinite(point.value) for point in run.points)
        assert len({(p.metric, p.stat, p.definition) for p in run.points}) == len(run.points)
        assert "test_key" not in str(run.as_dict())


FIXTURE_FILES = sorted(path for path in FIXTURES.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", FIXTURE_FILES, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_a_fixture_is_read_by_the_importer_it_lies_under(path: Path) -> None:
    """Folders of fixtures/ are called after importers; what lies under `declined` and `foreign` gives no run."""
    got = read([str(path)])
    folder = path.relative_to(FIXTURES).parts[0]
    keeps_contract(got.runs)
    if folder in {"declined", "foreign"}:
        assert got.runs == ()
    else:
        assert {run.importer for run in got.runs} == {folder}, got.declined


def test_every_importer_has_a_fixture() -> None:
    """What nobody can run without ../shared is not tested on a clone."""
    assert {each.NAME for each in importers()} <= {path.name for path in FIXTURES.iterdir()}
