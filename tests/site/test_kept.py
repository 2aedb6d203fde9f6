"""What builds keep is believed only where it is whole and our own; else the build is the one from nothing."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from kb.config import read
from kb.library import open_library
from kb.site import records
from kb.store.kept import FILE, HERE, Kept, Lost
from tests.site.building import built, changed, copied, files

ONE = "evaluations/orbit-one-arm.md"


def _rows(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute(sql)
        connection.commit()


def _cut_off(folder: Path) -> None:
    content = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(content[: len(content) // 2])


def _in_the_middle(folder: Path) -> None:
    content = bytearray((folder / FILE).read_bytes())
    for place in range(8192, len(content), 3000):
        content[place] ^= 0x55
    (folder / FILE).write_bytes(bytes(content))


DAMAGE: dict[str, Callable[[Path], None]] = {
    "gone": lambda folder: shutil.rmtree(folder),
    "empty": lambda folder: (folder / FILE).write_bytes(b""),
    "no database": lambda folder: (folder / FILE).write_bytes(b"tampered" * 1000),
    "cut off": _cut_off,
    "bytes turned over": _in_the_middle,
    "a folder": lambda folder: (folder / FILE).unlink() or (folder / FILE).mkdir(),  # type: ignore[func-returns-value]
    "other tables": lambda folder: _rows(folder, "CREATE TABLE more (x)"),
    "a trigger": lambda folder: _rows(folder, "CREATE TRIGGER t AFTER DELETE ON kept BEGIN DELETE FROM kept; END"),
    "other values": lambda folder: _rows(folder, "UPDATE kept SET data = replace(data, 'a', 'b')"),
    "values that are not JSON": lambda folder: _rows(folder, "UPDATE kept SET data = '{'"),
    "values that are no text": lambda folder: _rows(folder, "UPDATE kept SET data = x'80'"),
    "nothing": lambda folder: _rows(folder, "UPDATE kept SET data = NULL"),
    "other keys": lambda folder: _rows(folder, "UPDATE kept SET key = key || 'x'"),
    "other digests": lambda folder: _rows(folder, "UPDATE kept SET digest = 'x'"),
    "no rows": lambda folder: _rows(folder, "DELETE FROM kept"),
    "values of one name gone": lambda folder: _rows(folder, "DELETE FROM kept WHERE name LIKE 'judged%'"),
    "links of pages gone": lambda folder: _rows(folder, "DELETE FROM kept WHERE name = 'links'"),
    "what lies where gone": lambda folder: _rows(folder, "DELETE FROM kept WHERE name = 'site'"),
    "from elsewhere": lambda folder: (
        (shutil.copytree(folder, f"{folder}-") and shutil.rmtree(folder)) or Path(f"{folder}-").rename(folder)
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("change", [False, True], ids=["nothing changed", "a record changed"])
def test_damage_is_made_good(damage: str, change: bool, tmp_path: Path) -> None:
    """The site is the one from nothing, and so it is once more at the build after."""
    base, out, kept = copied(tmp_path / "base"), tmp_path / "out", tmp_path / "kept"
    built(base, out, kept)
    DAMAGE[damage](kept)
    if change:
        changed(base, ONE, lambda text: text.replace("title: ", "title: Renamed ", 1))
    built(base, out, kept)
    built(base, tmp_path / "fresh")
    assert files(out) == files(tmp_path / "fresh")
    assert damage == "a folder" or built(base, out, kept).rendered == 0  # what is no file of ours is left alone
    assert files(out) == files(tmp_path / "fresh")


def test_a_value_of_another_place_is_not_believed(tmp_path: Path) -> None:
    """A file that a clone brings along was marked elsewhere; the same file where it was made is."""
    here = Kept(tmp_path / "here")
    here.put("name", "key", "value")
    here.save()
    assert Kept(tmp_path / "here").value("name", "key") == "value"
    (tmp_path / "there").mkdir()
    shutil.copy(tmp_path / "here" / FILE, tmp_path / "there" / FILE)
    assert not Kept(tmp_path / "there").digests("name")


def test_a_value_of_another_program_is_not_believed(tmp_path: Path) -> None:
    """What follows from the program goes with it."""
    one = Kept(tmp_path, lambda _name: "1")
    one.put("name", "key", "value")
    one.save()
    assert not Kept(tmp_path, lambda _name: "2").digests("name")
    assert Kept(tmp_path, lambda _name: "1").digests("name")


def test_a_value_that_goes_under_our_hands_is_lost(tmp_path: Path) -> None:
    """Its key was seen, it cannot be read: the file is removed, and whoever asks begins again."""
    Kept(tmp_path).save()
    first = Kept(tmp_path)
    first.put("name", "key", "value")
    first.save()
    later = Kept(tmp_path)
    assert "key" in later.digests("name")
    _rows(tmp_path, "UPDATE kept SET data = '\"other\"'")
    with pytest.raises(Lost):
        later.value("name", "key")
    assert not (tmp_path / FILE).exists()


def test_what_is_needed_no_more_goes(tmp_path: Path) -> None:
    """Of a name only what the last build used stays; other names are left alone."""
    kept = Kept(tmp_path)
    for name, key in (("a", "1"), ("a", "2"), ("b", "1")):
        kept.put(name, key, name + key)
    kept.save()
    again = Kept(tmp_path)
    again.only("a", ["2"])
    again.save()
    last = Kept(tmp_path)
    assert (set(last.digests("a")), set(last.digests("b"))) == ({"2"}, {"1"})


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    """A base can be cloned with links to files of its reader in the place of ours."""
    mine, kept = tmp_path / "mine", tmp_path / "kept"
    mine.write_text("precious")
    kept.mkdir()
    for name in (FILE, HERE):
        (kept / name).symlink_to(mine)
    one = Kept(kept)
    one.put("name", "key", "value")
    one.save()
    assert mine.read_text() == "precious"
    assert Kept(kept).value("name", "key") == "value"


def test_what_cannot_be_written_is_kept_in_memory(tmp_path: Path) -> None:
    """A place that is no folder."""
    (tmp_path / "kept").write_text("mine")
    kept = Kept(tmp_path / "kept")
    kept.put("name", "key", [1])
    kept.save()
    assert kept.value("name", "key") == [1]
    assert (tmp_path / "kept").read_text() == "mine"


def test_records_read_again_are_the_records(tmp_path: Path) -> None:
    """Every field of every record in the same order, and which were given; unopened ones turn into the same."""
    base = copied(tmp_path / "base")
    (base / "kb.toml").write_text('[base]\nmounts = ["shipped"]\n')
    config = read(base)
    first = open_library(config)
    kept = Kept(tmp_path / "kept")
    records.library(config, kept)
    kept.save()
    for whole in (records.library(config, Kept(tmp_path / "kept")), records.library(config, kept)):
        assert [each.path for each in whole.loaded] == [each.path for each in first.loaded]
        for one, other in zip(whole.loaded, first.loaded, strict=True):
            assert one.record.model_fields_set == other.record.model_fields_set
            assert one.record.stored_json() == other.record.stored_json()
            assert json.dumps(one.record.stored()) == json.dumps(other.record.stored())
            assert (one.record, type(one.record)) == (other.record, type(other.record))
            assert (one.front, one.front_line, one.body, one.body_line, one.sheet) == (
                other.front, other.front_line, other.body, other.body_line, other.sheet
            )  # fmt: skip
        assert whole.findings == first.findings
