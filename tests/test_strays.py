"""kb.strays: records in the wrong place are named, attachments and notes are not."""

import os
from pathlib import Path

import pytest

from kb.config import Base
from kb.strays import strays

RECORD = "---\nid: x\ntitle: t\n---\n"
TABLE = "id: x\ntitle: t\n"


def found(root: Path, name: str, text: str = RECORD) -> list[tuple[str, str | None]]:
    (root / "entries/evaluations/good").mkdir(parents=True)
    (root / "entries/evaluations/good.md").write_text(RECORD, encoding="utf-8")
    path = root / "entries" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return [(each.path, each.hint) for each in strays(Base(root, root / "entries"))]


@pytest.mark.parametrize(
    ("name", "text", "hint"),
    [
        ("evaluations/sub/x.md", RECORD, "move it to entries/evaluations/x.md"),
        ("evaluations/good/x.md", RECORD, "move it to entries/evaluations/x.md"),
        ("evaluations/sub/deep/x.ja.md", "---\ntranslates: x\n---\n", "move it to entries/evaluations/x.ja.md"),
        ("x.md", RECORD, "move it to entries/evaluations or entries/changes"),
        ("x.yaml", TABLE, "move it to entries/components or entries/deployments"),
        ("vocabulary.yml", "terms: []\n", "rename it to vocabulary.yaml"),
        ("components/r.yml", TABLE, "rename it to r.yaml"),
        ("components/r.yml", "", "rename it to r.yaml"),
        ("components/r.md", RECORD, "rename it to r.yaml"),
        ("evaluations/x.markdown", RECORD, "rename it to x.md"),
        ("evaluations/x.MD", RECORD, "rename it to x.md"),
        ("evaluations/x.yaml", TABLE, "rename it to x.md"),
        ("evaluation/x.md", RECORD, "did you mean entries/evaluations/x.md?"),
        ("archive/x.md", RECORD, "move it to entries/evaluations or entries/changes"),
        ("evaluations/sub/x.md", RECORD.replace("\n", "\r\n"), "move it to entries/evaluations/x.md"),
    ],
)
def test_a_record_in_the_wrong_place_is_named(tmp_path: Path, name: str, text: str, hint: str) -> None:
    """With the place or the name that it ought to have."""
    assert found(tmp_path, name, text) == [(f"entries/{name}", hint)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("evaluations/x.md", RECORD),
        ("evaluations/x.ja.md", RECORD),
        ("changes/x.md", "no front matter"),
        ("components/x.yaml", TABLE),
        ("vocabulary.yaml", "terms: []\n"),
        ("README.md", RECORD),
        ("evaluations/README.markdown", RECORD),
        ("evaluations/good/results.csv", "id: x\n"),
        ("evaluations/good/raw.json", "{}"),
        ("evaluations/good/plot.png", "x"),
        ("evaluations/good/notes.md", "# Notes\n\nid: is a word.\n"),
        ("evaluations/good/values.yaml", "replicas: 2\nimage: x\n"),
        ("evaluations/readme.txt", "id: x\n"),
        ("evaluations/sub/notes.txt", "id: x\n"),
        ("notes/plan.md", "# Plan\n"),
        ("evaluations/_draft.md", RECORD),
        ("_drafts/x.md", RECORD),
        ("evaluations/.hidden.yml", TABLE),
    ],
)
def test_what_is_in_its_place_or_is_no_record_is_not(tmp_path: Path, name: str, text: str) -> None:
    """Attachments, notes, READMEs, drafts."""
    assert found(tmp_path, name, text) == []


def test_a_base_without_entries_has_none(tmp_path: Path) -> None:
    """Nothing to walk."""
    assert list(strays(Base(tmp_path, tmp_path / "entries"))) == []


@pytest.mark.parametrize(
    ("place", "target"),
    [
        ("evaluations/x.md", "x.md"),
        ("evaluations/x.md", "gone.md"),
        ("changes/a.md", "b.md"),
        ("vocabulary.yaml", "vocabulary.yaml"),
        ("components", "components"),
    ],
)
def test_a_link_that_leads_nowhere_is_said(tmp_path: Path, place: str, target: str) -> None:
    """What it should have led to is not read; a circle is no other."""
    path = tmp_path / "entries" / place
    path.parent.mkdir(parents=True)
    path.symlink_to(target)
    if target == "b.md":
        path.with_name("b.md").symlink_to("a.md")
    named = [(each.path, each.hint) for each in strays(Base(tmp_path, tmp_path / "entries"))]
    assert (f"entries/{place}", "a link that leads nowhere, or round in a circle: mend it or remove it") in named


def test_a_link_that_leads_somewhere_is_a_record(tmp_path: Path) -> None:
    """Linked files and folders are read; other broken links are none of ours."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/x.md").write_text("---\nid: x\n---\n", encoding="utf-8")
    (tmp_path / "entries/evaluations").mkdir(parents=True)
    (tmp_path / "entries/evaluations/x.md").symlink_to(tmp_path / "shared/x.md")
    (tmp_path / "entries/evaluations/notes.txt").symlink_to("gone.txt")
    assert list(strays(Base(tmp_path, tmp_path / "entries"))) == []


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """What is no file is no record, wherever it lies."""
    (tmp_path / "entries" / "evaluations").mkdir(parents=True)
    os.mkfifo(tmp_path / "entries" / "x.md")
    os.mkfifo(tmp_path / "entries" / "evaluations" / "x.yaml")
    found = [(each.path, each.hint) for each in strays(Base(tmp_path, tmp_path / "entries"))]
    assert found == [("entries/evaluations/x.yaml", "rename it to x.md")]
