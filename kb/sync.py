"""Keeping the derived file in step with the record files: plan in values, then apply in one transaction.

A file counts as changed when its size or time differs from what is stored, and is read again only if its hash differs
too; that none has changed is seen at once by one mark of all sizes and times. What cannot be read is reported and
leaves the store; the rest is kept.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from kb.collector import patient_collector
from kb.errors import KbError
from kb.files import read_regular
from kb.store import Damaged, FileRow, ReadOnly, Store, discard, open_store

if TYPE_CHECKING:
    from kb.document import Loaded
    from kb.store.writing import Writer


T = TypeVar("T")


class File(NamedTuple):
    """A record file on disk; size and time take in its attachments, if it has any."""

    size: int
    mtime_ns: int


class Plan(NamedTuple):
    """What is to be done, by path."""

    add: tuple[str, ...] = ()
    update: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.add or self.update or self.remove)


class Synced(NamedTuple):
    """What was done."""

    added: int = 0
    updated: int = 0
    removed: int = 0
    failures: tuple[tuple[str, Exception], ...] = ()
    """(path, error) of the files that could not be read; nothing of them is in the store."""

    @property
    def changed(self) -> bool:
        """Whether the records in the store are other ones than before."""
        return bool(self.added or self.updated or self.removed or self.failures)


Load = Callable[[str], "Iterable[Loaded]"]
"""Reads one file. Raises one of the errors named to `apply` when it cannot."""
Digest = Callable[[str], str]
"""Hash of a file's content, attachments included."""

SEEN = "seen"
"""Key of the mark of the files that the derived file was made of: most searches find nothing changed, and a thousand
files need not be compared one by one for that."""
_WITHOUT_REFERENCES = 2
"""The marshal format in which equal values are equal bytes; later ones also say which objects are the same one."""

UNREAD = ""
"""Hash stored for a file that could not be read: it is read again when its size or time changes."""

AHEAD_FROM = 1000
"""Files from which on it pays to start a second process."""

TIDY_AFTER = 1000
"""Changed files after which the full-text index is worth joining into one segment."""


def seen(listed: Any) -> bytes:
    """The mark of what lies on disk: names, sizes and times of all files. Equal marks, equal disks."""
    return marshal.dumps(listed, _WITHOUT_REFERENCES)


def current(path: Path, mark: bytes) -> Store | None:
    """The derived file, where it was made of files with just this mark; None where there is more to find out."""
    if not path.is_file():
        return None
    try:
        store = open_store(path)
        if store.rows("SELECT 1 FROM meta WHERE key = ? AND value = ?", [SEEN, mark]):
            return store
    except (Damaged, ReadOnly):
        return None
    store.close()
    return None


def plan(on_disk: Mapping[str, File], in_store: Mapping[str, FileRow]) -> Plan:
    """What has to happen so that the store holds what is on disk."""
    return Plan(
        add=tuple(path for path in on_disk if path not in in_store),
        update=tuple(path for path, f in on_disk.items() if (row := in_store.get(path)) and f != row[:2]),
        remove=tuple(path for path in in_store if path not in on_disk),
    )


def apply(
    store: Store,
    planned: Plan,
    on_disk: Mapping[str, File],
    load: Load,
    digest: Digest,
    mark: bytes = b"",
    refused: tuple[type[Exception], ...] = (KbError,),
) -> Synced:
    """Carry out a plan in one transaction; errors of the kinds in `refused` cost only their own file.

    Safe when another process has meanwhile done the same work: what a path had is removed before it is added.
    """
    hashes = {path: row.hash for path, row in store.files().items()} if planned.update else {}
    failures: list[tuple[str, Exception]] = []
    expected: tuple[type[Exception], ...] = (*refused, OSError)
    done: list[str] = []

    def read(path: str) -> tuple[str, list[Loaded] | None]:
        """Hash of a file, and what it holds where that is another than before."""
        found = digest(path)
        return found, None if found == hashes.get(path) else list(load(path))

    with patient_collector(), store.writing() as writer:
        known = writer.paths()
        if not known and len(planned.add) > TIDY_AFTER:
            writer.bulk()
        for path in planned.remove:
            writer.remove(path)
        for path, result in _results(_vocabulary_first((*planned.add, *planned.update)), read):
            try:
                found, loaded = result()
                if loaded is not None:
                    _replace(writer, path, path in known, loaded)
                    done.append(path)
            except expected as error:
                writer.remove(path)
                failures.append((path, error))
                found = UNREAD
            writer.file(path, FileRow(*on_disk[path], found))
        if done or failures or planned.remove:
            writer.forget_outcomes()
            writer.drop_unused()
        if len(done) + len(planned.remove) > TIDY_AFTER:
            writer.tidy()
        writer.meta(SEEN, mark)
    fresh = set(planned.add)
    added = sum(path in fresh for path in done)
    return Synced(added, len(done) - added, len(planned.remove), tuple(failures))


def refresh(
    path: Path | None,
    on_disk: Mapping[str, File],
    load: Load,
    digest: Digest,
    mark: bytes = b"",
    refused: tuple[type[Exception], ...] = (KbError,),
) -> tuple[Store, Synced]:
    """An up-to-date store. A derived file that turns out damaged on the way is made anew, once; where nothing can be
    written the store is kept in memory.
    """
    try:
        store = open_store(path)
        return store, _synced(store, on_disk, load, digest, mark, refused)
    except ReadOnly:
        return _afresh(None, on_disk, load, digest, mark, refused)
    except Damaged:
        if path is None:
            raise
        return rebuild(path, on_disk, load, digest, mark, refused)


def rebuild(
    path: Path,
    on_disk: Mapping[str, File],
    load: Load,
    digest: Digest,
    mark: bytes = b"",
    refused: tuple[type[Exception], ...] = (KbError,),
) -> tuple[Store, Synced]:
    """A store made from nothing; kept in memory where nothing can be written."""
    discard(path)
    try:
        return _afresh(path, on_disk, load, digest, mark, refused)
    except ReadOnly:
        return _afresh(None, on_disk, load, digest, mark, refused)


def content_hash(paths: Iterable[str | Path]) -> str:
    """Hash of the contents of some files, in the order given."""
    from hashlib import blake2b

    digest = blake2b(digest_size=16)
    for path in paths:
        digest.update(read_regular(Path(path)))
        digest.update(b"\0")
    return digest.hexdigest()


def _afresh(
    path: Path | None,
    on_disk: Mapping[str, File],
    load: Load,
    digest: Digest,
    mark: bytes,
    refused: tuple[type[Exception], ...],
) -> tuple[Store, Synced]:
    store = open_store(path)
    return store, _synced(store, on_disk, load, digest, mark, refused)


def _synced(
    store: Store,
    on_disk: Mapping[str, File],
    load: Load,
    digest: Digest,
    mark: bytes,
    refused: tuple[type[Exception], ...],
) -> Synced:
    planned = plan(on_disk, store.files())
    if planned:
        return apply(store, planned, on_disk, load, digest, mark, refused)
    store.remember(SEEN, mark)
    return Synced()


def _vocabulary_first(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Prose last: documents that are indexed before a term is known have to be indexed again."""
    return tuple(sorted(paths, key=lambda path: path.endswith(".md")))


def _results(paths: tuple[str, ...], read: Callable[[str], T]) -> Iterator[tuple[str, Callable[[], T]]]:
    """A call for each path that gives what is read of it; of many, a second process reads ahead."""
    if len(paths) <= AHEAD_FROM:
        return ((path, partial(read, path)) for path in paths)
    from kb.ahead import ahead

    return zip(paths, ahead(paths, read), strict=True)


def _replace(writer: Writer, path: str, known: bool, loaded: Iterable[Loaded]) -> None:
    """What the file holds instead of what it held."""
    from kb.document import Document  # its fields take 2 ms to declare; a search needs none of them

    if known:
        writer.remove(path)
    for each in loaded:
        writer.document(each) if isinstance(each, Document) else writer.term(each)
