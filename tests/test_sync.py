"""The derived file follows the record files."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from kb.document import Loaded, Term
from kb.errors import KbError, RecordError
from kb.search import search
from kb.store import FileRow, Store, open_store
from kb.sync import File, Plan, Synced, apply, content_hash, current, plan, rebuild, refresh, seen

from .search.world import document

PLANS: list[tuple[dict[str, File], dict[str, FileRow], Plan]] = [
    ({}, {}, Plan()),
    ({"a": File(1, 1)}, {}, Plan(add=("a",))),
    ({"a": File(1, 1)}, {"a": FileRow(1, 1, "h")}, Plan()),
    ({"a": File(2, 1)}, {"a": FileRow(1, 1, "h")}, Plan(update=("a",))),
    ({"a": File(1, 2)}, {"a": FileRow(1, 1, "h")}, Plan(update=("a",))),
    ({}, {"a": FileRow(1, 1, "h")}, Plan(remove=("a",))),
    ({"b": File(1, 1)}, {"a": FileRow(1, 1, "h")}, Plan(add=("b",), remove=("a",))),
]


@pytest.mark.parametrize(("on_disk", "in_store", "expected"), PLANS)
def test_a_plan_says_what_differs(on_disk: dict[str, File], in_store: dict[str, FileRow], expected: Plan) -> None:
    """New, changed by size or time, gone; nothing for what is the same."""
    assert plan(on_disk, in_store) == expected
    assert bool(expected) == (expected != Plan())


LISTED = ("entries/", {"changes": [("a.md", 1, 10**18)], "": []})
OTHERS = [
    ("mount:", {"changes": [("a.md", 1, 10**18)], "": []}),
    ("entries/", {"changes": [("b.md", 1, 10**18)], "": []}),
    ("entries/", {"changes": [("a.md", 2, 10**18)], "": []}),
    ("entries/", {"changes": [("a.md", 1, 10**18 + 1)], "": []}),
    ("entries/", {"changes": [], "": [("a.md", 1, 10**18)]}),
    ("entries/", {"changes": [("a.md", 1, 10**18), ("\udcff.md", 1, 1)], "": []}),
]


def test_a_mark_is_that_of_its_files_alone() -> None:
    """Equal listings have equal marks, however they came to be; any difference makes another one."""
    again = ("".join(["ent", "ries/"]), {"changes": [("a" + ".md", int("1"), 10**17 * 10)], "": []})
    assert seen([LISTED]) == seen([again])
    assert len({seen([each]) for each in [LISTED, *OTHERS]}) == 1 + len(OTHERS)


class Folder:
    """A folder of small records: a file's first line is its title, `!` in it makes it unreadable."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store_path = path / ".kb" / "kb.sqlite"
        self.read: list[str] = []

    def write(self, name: str, text: str) -> None:
        """Write a record."""
        (self.path / name).write_text(text)

    def load(self, path: str) -> Iterable[Loaded]:
        """What a record holds. Raises RecordError."""
        self.read.append(Path(path).name)
        text = Path(path).read_text()
        if "!" in text:
            raise RecordError("KB101", path, 1, "not a record")
        return [document(Path(path).stem, text, path=path)]

    def refresh(self) -> tuple[Store, Synced]:
        """Sync once; `read` says what was read for it."""
        self.read = []
        return refresh(self.store_path, self.files(), self.load, lambda path: content_hash([path]))

    def files(self) -> dict[str, File]:
        """The records on disk."""
        return {
            str(path): File(path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(self.path.glob("*.md"))
        }


def raising(error: Exception) -> Callable[[str], Iterable[Loaded]]:
    """A load that always fails."""

    def load(_path: str) -> Iterable[Loaded]:
        raise error

    return load


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = Folder(tmp_path)
    for name in ("a", "b", "c"):
        made.write(f"{name}.md", f"Title {name}")
    return made


def ids(store: Store) -> list[str]:
    return store.ids()


def test_everything_is_added_once(folder: Folder) -> None:
    """From nothing all files are read; a second time none is."""
    store, done = folder.refresh()
    assert (done, ids(store)) == (Synced(added=3), ["a", "b", "c"])
    _, again = folder.refresh()
    assert (again, folder.read, again.changed) == (Synced(), [], False)


def test_only_what_changed_is_read(folder: Folder) -> None:
    """A changed, a new and a deleted file cost one reading each at most."""
    folder.refresh()
    folder.write("a.md", "Another title")
    folder.write("d.md", "Title d")
    (folder.path / "b.md").unlink()
    store, done = folder.refresh()
    assert done == Synced(added=1, updated=1, removed=1)
    assert sorted(folder.read) == ["a.md", "d.md"]
    assert ids(store) == ["a", "c", "d"]
    assert [h.id for h in search(store, "another").heads] == ["a"]
    assert search(store, "title").total == 3


def test_a_touched_file_is_not_read_again(folder: Folder) -> None:
    """Another time with the same content is remembered and nothing more."""
    folder.refresh()
    os.utime(folder.path / "a.md", ns=(1, 1))
    _, done = folder.refresh()
    assert (done, folder.read) == (Synced(), [])
    assert folder.files() == {path: File(*row[:2]) for path, row in open_store(folder.store_path).files().items()}


def test_an_unreadable_file_costs_only_itself(folder: Folder) -> None:
    """The others are kept, its old row goes, it is reported once and remembered; mended, it is back."""
    folder.refresh()
    folder.write("a.md", "broken!")
    store, done = folder.refresh()
    assert [(Path(path).name, type(error)) for path, error in done.failures] == [("a.md", RecordError)]
    assert (ids(store), done.updated) == (["b", "c"], 0)
    assert [Path(path).name for path in store.unread()] == ["a.md"]
    _, again = folder.refresh()
    assert (again, folder.read) == (Synced(), [])
    folder.write("a.md", "Title a")
    store, done = folder.refresh()
    assert (ids(store), store.unread()) == (["a", "b", "c"], [])


def test_a_file_that_vanishes_on_the_way_costs_only_itself(folder: Folder) -> None:
    """A file that is gone when it is to be read is a failure of that file."""
    files = folder.files() | {str(folder.path / "gone.md"): File(1, 1)}
    store, done = refresh(folder.store_path, files, folder.load, lambda path: content_hash([path]))
    assert (ids(store), len(done.failures)) == (["a", "b", "c"], 1)


def test_an_error_nobody_expected_changes_nothing(folder: Folder) -> None:
    """A fault of ours is not taken for an unreadable record, and half a sync is none."""
    folder.refresh()
    folder.write("a.md", "Another title")

    with pytest.raises(ZeroDivisionError):
        refresh(folder.store_path, folder.files(), raising(ZeroDivisionError()), lambda path: content_hash([path]))
    store, done = folder.refresh()
    assert (done.updated, ids(store)) == (1, ["a", "b", "c"])


def test_other_errors_can_be_expected(folder: Folder) -> None:
    """The caller names the errors that mean an unreadable record."""
    load = raising(ValueError())
    _, done = refresh(folder.store_path, folder.files(), load, lambda path: content_hash([path]), refused=(ValueError,))
    assert len(done.failures) == 3


def test_too_many_documents_of_one_id_are_failures_of_their_files(folder: Folder) -> None:
    """Files beyond the room an entry has are reported; the first ones stay."""
    for n in range(20):
        folder.write(f"x{n}.md", "Same")
    files = folder.files()
    store, done = refresh(folder.store_path, files, lambda path: [document("same", path=path)], str)
    assert len(store.documents("same")) == 16
    assert len(done.failures) == len(files) - 16
    assert all(isinstance(error, KbError) for _, error in done.failures)


@pytest.mark.parametrize("damage", [b"", b"not a database at all", None])
def test_a_damaged_file_is_rebuilt_in_silence(folder: Folder, damage: bytes | None) -> None:
    """Emptied, overwritten or with broken pages, the derived file comes back whole."""
    folder.refresh()[0].close()
    data = bytearray(folder.store_path.read_bytes())
    data[4096:] = b"\x5a" * (len(data) - 4096)
    folder.store_path.write_bytes(bytes(data) if damage is None else damage)
    store, done = folder.refresh()
    assert (done.added, ids(store)) == (3, ["a", "b", "c"])


def test_deleting_the_derived_folder_loses_nothing(folder: Folder) -> None:
    """All there is comes from the record files."""
    store, _ = folder.refresh()
    before = store.rows("SELECT id, title, path FROM records ORDER BY id")
    store.close()
    for file in (folder.path / ".kb").iterdir():
        file.unlink()
    assert folder.refresh()[0].rows("SELECT id, title, path FROM records ORDER BY id") == before


def test_a_rebuild_reads_everything(folder: Folder) -> None:
    """Asked to, sync starts from nothing."""
    folder.refresh()[0].close()
    _, done = rebuild(folder.store_path, folder.files(), folder.load, lambda path: content_hash([path]))
    assert done.added == 3


def test_without_a_place_to_write_the_store_is_in_memory(folder: Folder) -> None:
    """Where the derived file's folder cannot be made, everything is read into memory."""
    (folder.path / ".kb").write_text("a file where the folder should be")
    store, done = folder.refresh()
    assert (done.added, ids(store), store.path) == (3, ["a", "b", "c"], None)


def test_terms_come_from_files_too(folder: Folder) -> None:
    """A vocabulary's terms are found across names, whichever file is read first, and follow its changes."""
    folder.write("a.md", "Time to first token")
    words = [("en", "time to first token"), ("ja", "初回トークン遅延")]

    def load(path: str) -> Iterable[Loaded]:
        return [Term("ttft", path, tuple(words))] if path.endswith("c.md") else folder.load(path)

    store, _ = refresh(folder.store_path, folder.files(), load, lambda path: content_hash([path]))
    assert [h.id for h in search(store, "初回トークン遅延").heads] == ["a"]
    words.pop()
    folder.write("c.md", "Changed")
    store, _ = refresh(folder.store_path, folder.files(), load, lambda path: content_hash([path]))
    assert search(store, "初回トークン遅延").total == 0


def _sync_in_another_process(path: str) -> None:
    for _ in range(5):
        Folder(Path(path)).refresh()[0].close()


def test_two_processes_at_once_end_with_one_state(folder: Folder) -> None:
    """Several processes that sync the same folder neither fail nor double a record."""
    for n in range(30):
        folder.write(f"n{n}.md", f"Title {n}")
    spawn = multiprocessing.get_context("spawn")
    started = [spawn.Process(target=_sync_in_another_process, args=(str(folder.path),)) for _ in range(3)]
    for process in started:
        process.start()
    for process in started:
        process.join()
    assert [process.exitcode for process in started] == [0, 0, 0]
    store, done = folder.refresh()
    assert not done.changed
    assert store.rows("SELECT count(*), count(DISTINCT id) FROM records") == [(33, 33)]
    assert search(store, "title").total == 33


def test_work_that_another_process_has_done_is_done_over(folder: Folder) -> None:
    """A plan made before another process applied the same one doubles nothing."""
    store, _ = folder.refresh()
    old = plan(folder.files(), {})
    apply(store, old, folder.files(), folder.load, lambda path: content_hash([path]))
    assert store.rows("SELECT count(*) FROM records") == [(3,)]
    assert search(store, "title").total == 3


def test_a_mark_stands_for_what_was_read_last(folder: Folder) -> None:
    """A file made of the files of a mark is current for it and for no other; a failed sync leaves the old mark."""

    def made(mark: bytes, load: Callable[[str], Iterable[Loaded]]) -> None:
        refresh(folder.store_path, folder.files(), load, lambda path: content_hash([path]), mark)[0].close()

    assert current(folder.store_path, b"") is None
    made(b"one", folder.load)
    folder.write("d.md", "Title d")
    with pytest.raises(ZeroDivisionError):
        made(b"two", raising(ZeroDivisionError()))
    assert current(folder.store_path, b"two") is None
    assert current(folder.store_path, b"one") is not None
    made(b"two", folder.load)
    assert current(folder.store_path, b"one") is None
    store = current(folder.store_path, b"two")
    assert store is not None
    assert ids(store) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("damage", [b"", b"not a database", b"SQLite format 3\0"])
def test_a_damaged_file_is_current_for_no_mark(folder: Folder, damage: bytes) -> None:
    """It is left to the sync, which makes it anew."""
    folder.refresh()[0].close()
    folder.store_path.write_bytes(damage)
    assert current(folder.store_path, b"") is None
    assert folder.refresh()[1] == Synced(added=3)
