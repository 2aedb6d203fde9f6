"""Statements in the file: appended, never over what stands there."""

from __future__ import annotations

import re
from multiprocessing import get_context
from pathlib import Path

import pytest

from kb.config import read
from kb.errors import WriteRefused
from kb.history import append, path_of
from kb.library import open_library
from kb.record import make_base

from .cli.running import FIXTURE

ID = "orbit-one-arm"
IMPACT = {
    "change": "orbit-7-reader-thread",
    "claim": "bound",
    "status": "affected",
    "because": "y: # n",
    "date": "2030-06-01",
}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for each in FIXTURE.rglob("*"):
        if each.is_file() and ".kb" not in each.parts:
            there = tmp_path / each.relative_to(FIXTURE)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(each.read_bytes())
    return tmp_path


def add(base: Path, **more: object) -> str:
    config = read(base)
    library = open_library(config)
    append(config, library, library.evaluations[ID], "impacts", {**IMPACT, **more})
    return (base / "entries/evaluations" / f"{ID}.md").read_text(encoding="utf-8")


def test_what_stood_there_stays(base: Path) -> None:
    """Byte for byte, comments included; the new record comes after it."""
    path = base / "entries/evaluations" / f"{ID}.md"
    path.write_text(path.read_text(encoding="utf-8").replace("---\n", "---\n# kept\n", 1), encoding="utf-8")
    before = path.read_text(encoding="utf-8").splitlines()
    after = add(base).splitlines()
    assert [line for line in after if line in before] == before
    assert "# kept" in after


def test_a_second_one_comes_after_the_first(base: Path) -> None:
    """History is in order, and read back as it was written."""
    add(base)
    add(base, status="remeasured", date="2030-07-01")
    found = open_library(read(base)).evaluations[ID].impacts
    assert [(each.status.value, each.because, each.date) for each in found] == [
        ("affected", "y: # n", "2030-06-01"),
        ("remeasured", "y: # n", "2030-07-01"),
    ]


ODD = """--- | - x | ' | " | a # b | a: b | 日本語、接続 | café | { | [x | !tag | &a | *a | % | @ | ` | null | ~ | yes
0.10 | 2030-01-01 | > x | \\n | ? x | = | << | Null | null, | - | : | a, b | x]"""


@pytest.mark.parametrize("because", [*(word.strip() for word in re.split(r"\| |\n", ODD)), "|", "a\tb", "x" * 3000])
def test_any_reason_is_read_back_as_it_was_given(because: str, base: Path) -> None:
    """What YAML would take for something else is quoted."""
    add(base, because=because, by=because[:300])
    found = open_library(read(base)).evaluations[ID].impacts
    assert [(each.because, each.by) for each in found] == [(because, because[:300])]


def test_what_would_be_read_back_as_something_else_is_refused(base: Path) -> None:
    """Nothing is written then."""
    path = base / "entries/evaluations" / f"{ID}.md"
    before = path.read_bytes()
    with pytest.raises(WriteRefused, match="read back"):
        add(base, because=None)
    assert path.read_bytes() == before


def test_nothing_half_written_is_left(base: Path) -> None:
    """The new text is moved into place."""
    add(base)
    assert not list((base / "entries/evaluations").glob(".*"))


def test_a_mounted_evaluation_is_read_only(tmp_path: Path) -> None:
    """The shipped base is not ours to write into; a copy of one's own goes before it."""
    make_base(tmp_path / "own")
    library = open_library(read(tmp_path / "own"))
    mounted = library.evaluations["aws-push-vs-pull-efa"]
    with pytest.raises(WriteRefused, match="read-only") as refused:
        path_of(mounted, library)
    assert "entries/evaluations/aws-push-vs-pull-efa.md" in str(refused.value.hint)


def _review(arguments: tuple[Path, int]) -> None:
    base, number = arguments
    add(base, because=f"reader {number}")


def test_two_writers_lose_nothing(base: Path) -> None:
    """What several people say at once is all in the file, and the file is whole."""
    with get_context("fork").Pool(4) as pool:
        pool.map(_review, [(base, number) for number in range(8)], chunksize=1)
    said = {each.because for each in open_library(read(base)).evaluations[ID].impacts}
    assert said == {f"reader {number}" for number in range(8)}
    assert [path.name for path in (base / "entries/evaluations").iterdir() if path.name.startswith(".")] == []


def test_a_link_is_not_written_through(base: Path, tmp_path: Path) -> None:
    """Neither is what it leads to changed nor is the link replaced."""
    path, elsewhere = base / "entries/evaluations" / f"{ID}.md", tmp_path / "elsewhere.md"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    before = elsewhere.read_bytes()
    with pytest.raises(WriteRefused, match="is a link"):
        add(base)
    assert path.is_symlink()
    assert elsewhere.read_bytes() == before


def test_a_write_that_fails_names_the_record(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk says nothing of the file; the record stands as it was, and nothing lies beside it."""
    path = base / "entries/evaluations" / f"{ID}.md"
    before = path.read_bytes()

    def full(*_: object) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left") as error:
        add(base)
    assert error.value.filename == str(path)
    assert path.read_bytes() == before
    assert not list(path.parent.glob(".*"))
