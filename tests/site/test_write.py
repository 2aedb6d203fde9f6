"""A site on disk: whole or few files of it, never half of one, and nothing outside of it."""

from __future__ import annotations

import resource
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.site import write as writing
from kb.site.write import MARK, write
from tests.site.building import files

NAMES = st.lists(st.sampled_from(["a", "b", "c.html"]), min_size=1, max_size=3).map("/".join)


def _no_file_is_a_folder(site: Mapping[str, bytes]) -> bool:
    return not any(other.startswith(f"{each}/") for each in site for other in site)


SITES = st.dictionaries(NAMES, st.sampled_from([b"", b"one", b"two", b"longer"]), max_size=6).filter(
    _no_file_is_a_folder
)


@given(before=SITES, after=SITES, few=st.sampled_from([0, 2, 500]), same=st.booleans())
def test_what_lies_there_in_the_end_is_the_site(
    before: dict[str, bytes], after: dict[str, bytes], few: int, same: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever lay there, and however much of it changed."""
    out = tmp_path_factory.mktemp("sites") / "out"
    write(out, before)
    stays = [path for path, content in after.items() if same and before.get(path) == content]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "FEW", few)
        size = write(out, {path: content for path, content in after.items() if path not in stays}, stays)
    assert {path: content for path, content in files(out).items() if path != MARK} == after
    assert size == sum(map(len, after.values()))
    assert not [each for each in out.rglob("*") if each.is_dir() and not any(each.iterdir())]
    assert [each.name for each in out.parent.iterdir()] == ["out"]


def test_few_files_are_changed_where_the_site_lies(tmp_path: Path) -> None:
    """The folder is the same one, a file that stays is untouched, and one with new content is a new one: whoever has
    the old one open reads it to its end."""
    out = tmp_path / "out"
    write(out, {"index.html": b"one", "kept/index.html": b"kept"})
    folder, old, kept = (path.stat().st_ino for path in (out, out / "index.html", out / "kept/index.html"))
    with (out / "index.html").open("rb") as reader:
        write(out, {"index.html": b"two"}, ["kept/index.html"])
        assert reader.read() == b"one"
    assert (out.stat().st_ino, (out / "kept/index.html").stat().st_ino) == (folder, kept)
    assert (out / "index.html").stat().st_ino != old
    assert (out / "index.html").read_bytes() == b"two"


@pytest.mark.parametrize("few", [0, 500])
def test_what_cannot_be_written_leaves_the_site_as_it_was(
    few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second of two files is more than may be written: the first was not changed, and nothing is left aside."""
    monkeypatch.setattr(writing, "FEW", few)
    out = tmp_path / "out"
    write(out, {"a.html": b"one", "z.html": b"one"})
    before = files(out)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            write(out, {"a.html": b"two", "z.html": bytes(100_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert files(out) == before
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("place", ["linked", "page.html"])
def test_nothing_is_written_through_a_link(place: str, tmp_path: Path) -> None:
    """A folder or a page of the site that somebody made a link: what it points at stays as it is."""
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    site = {"linked/index.html": b"one", "page.html": b"one"}
    write(out, site)
    elsewhere.mkdir()
    (elsewhere / "index.html").write_bytes(b"mine")
    shutil.rmtree(out / place) if (out / place).is_dir() else (out / place).unlink()
    (out / place).symlink_to(elsewhere if place == "linked" else elsewhere / "index.html")
    write(out, dict.fromkeys(site, b"two"))
    assert files(elsewhere) == {"index.html": b"mine"}
    assert files(out) == dict.fromkeys(site, b"two") | {MARK: (out / MARK).read_bytes()}
    assert not [each for each in out.rglob("*") if each.is_symlink()]
