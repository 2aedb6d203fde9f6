"""Reading the derived file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from weakref import finalize

from kb import __version__
from kb.errors import KbError
from kb.tokens import squash

if TYPE_CHECKING:
    from kb.store.writing import Writer

# Primary result codes of SQLite (sqlite3 has names for them from 3.11 on, but only as attributes of the module).
_DAMAGED = (10, 11, 26)  # i/o error (a short read), corrupt, not a database
_FULL = 13
_CANNOT_WRITE = (778, 1034, 1290, 1546, 4874)  # i/o errors of write, fsync, directory fsync, truncate, shared memory
_BUSY = (5, 6)
_READ_ONLY = (8, 14)  # read-only, cannot open
FieldKind = Literal["text", "facet", "number"]
WRITING_CACHE = 128 * 1024
"""Kibibytes of pages kept while writing: a large base outgrows SQLite's usual two megabytes and would write twice."""
OUTCOMES = "outcomes"
"""Key of the program's version that judged the records as they are; it is taken away with any change of a record."""
HEAD = "rid, id, kind, lang, title, date, path, base"


class Damaged(Exception):
    """The file cannot be read and has been removed; asked again, it is made anew. Never shown to people."""


class ReadOnly(Exception):
    """The file or its folder cannot be written; whoever holds the files keeps a store in memory."""


class Busy(KbError):
    """Another process has kept the file for too long."""


class FileRow(NamedTuple):
    """A record file as it was when it was read."""

    size: int
    mtime_ns: int
    hash: str


class Head(NamedTuple):
    """What a list shows of a document."""

    rid: int
    id: str
    kind: str
    lang: str
    title: str
    date: str | None
    path: str
    base: str


def explained(error: sqlite3.DatabaseError) -> Exception:
    """The error in our words: Damaged, ReadOnly, Busy, or as it is."""
    extended = getattr(error, "sqlite_errorcode", 0)
    code = extended & 0xFF
    if code == _FULL or extended in _CANNOT_WRITE:
        return ReadOnly(str(error))
    if code in _DAMAGED or str(error).startswith(("no such ", "Could not decode")):
        return Damaged(str(error))
    if code in _READ_ONLY:
        return ReadOnly(str(error))
    if code in _BUSY:
        return Busy("another process is writing the search index", "wait for it to end and try again")
    return error


def discard(path: Path) -> None:
    """Remove a derived file with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").unlink()


class Store:
    """A usable derived file."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self._connection = connection
        self.path = path
        finalize(self, connection.close)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Any]:
        """Every row of a statement. Raises Busy, or Damaged: then the file is gone, to be made anew."""
        try:
            return self._connection.execute(sql, parameters).fetchall()
        except UnicodeEncodeError:  # bytes of a command line that are no text, and so stand nowhere
            return []
        except sqlite3.DatabaseError as error:
            problem = explained(error)
            raise (self._damaged(str(error)) if isinstance(problem, Damaged) else problem) from error

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """One transaction: all of it or, after any exception, nothing."""
        from kb.store.writing import Writer

        for kept in ("has_translations", "has_orphans"):
            self.__dict__.pop(kept, None)
        try:
            self._connection.execute(f"PRAGMA cache_size = -{WRITING_CACHE}")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                writer = Writer(self._connection)
                yield writer
                writer.index()
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
        except sqlite3.DatabaseError as error:
            raise explained(error) from error

    def remember(self, key: str, value: bytes) -> None:
        """Keep something about the file as a whole, where it can be written."""
        with suppress(sqlite3.DatabaseError):
            self._connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", [key, value])

    @cached_property
    def has_translations(self) -> bool:
        """Whether any entry has more than one document."""
        return bool(self.rows("SELECT 1 FROM records WHERE rid & 15 LIMIT 1"))

    @cached_property
    def has_orphans(self) -> bool:
        """Whether any translation's original is missing, or cannot be read."""
        orphan = "SELECT 1 FROM records WHERE rid & 15 AND rid & -16 NOT IN (SELECT rid FROM records) LIMIT 1"
        return self.has_translations and bool(self.rows(orphan))

    def files(self) -> dict[str, FileRow]:
        """Record files by path, as they were when they were read."""
        return {path: FileRow(*row) for path, *row in self.rows("SELECT path, size, mtime_ns, hash FROM files")}

    def unread(self) -> list[str]:
        """Files that could not be read when they were last looked at."""
        return [path for (path,) in self.rows("SELECT path FROM files WHERE hash = '' ORDER BY path")]

    def heads(self, rids: Iterable[int]) -> dict[int, Head]:
        """Documents by rid."""
        wanted = list(rids)
        found: dict[int, Head] = {}
        for start in range(0, len(wanted), 500):
            part = wanted[start : start + 500]
            marks = ",".join("?" * len(part))
            found.update(
                (row[0], Head(*row)) for row in self.rows(f"SELECT {HEAD} FROM records WHERE rid IN ({marks})", part)
            )
        return found

    def entry_heads(self, entries: Iterable[int]) -> dict[int, Head]:
        """The original of each entry (or the first there is), by entry number."""
        wanted = list(entries)
        marks = ",".join("?" * len(wanted))
        rows = self.rows(f"SELECT {HEAD} FROM records WHERE rid >> 4 IN ({marks}) ORDER BY rid DESC", wanted)
        return {row[0] >> 4: Head(*row) for row in rows}

    def documents(self, id_: str) -> list[Head]:
        """An entry's documents, the original first."""
        return [Head(*row) for row in self.rows(f"SELECT {HEAD} FROM records WHERE id = ? ORDER BY rid", [id_])]

    def record(self, rid: int) -> dict[str, Any]:
        """The record as it was given."""
        import json  # 1 ms; a search reads no record

        found = self.rows("SELECT record FROM stored WHERE rid = ?", [rid])
        if not found:
            raise self._damaged("a record is not stored")
        return dict(json.loads(found[0][0]))

    def _damaged(self, what: str) -> Damaged:
        if self.path:
            discard(self.path)
        return Damaged(what)

    def resolve(self, name: str) -> list[str]:
        """Ids of the entries of that id or alias, in any spelling; an id goes before an alias."""
        rows = self.rows(
            "SELECT DISTINCT r.id, n.what <> 'id' FROM names n JOIN records r USING (rid)"
            " WHERE n.key = ? AND n.what IN ('id', 'alias') ORDER BY 2, 1",
            [squash(name)],
        )
        return list(dict.fromkeys(id_ for id_, _ in rows))

    def ids(self) -> list[str]:
        """Every entry's id."""
        return [id_ for (id_,) in self.rows("SELECT DISTINCT id FROM records ORDER BY id")]

    def kinds(self) -> dict[str, int]:
        """Entries by kind."""
        return dict(self.rows("SELECT kind, count(DISTINCT id) FROM records GROUP BY kind ORDER BY kind"))

    @property
    def outcomes_known(self) -> bool:
        """Whether the records were judged as they are now, by this program."""
        return bool(self.rows("SELECT 1 FROM meta WHERE key = ? AND value = ?", [OUTCOMES, __version__]))

    def outcomes(self, ids: Sequence[str] | None = None) -> dict[str, dict[str, int]]:
        """Number of claims by outcome, by evaluation; of all evaluations unless some are named. None while nobody has
        judged the records as they are now (kb.outcomes): an outcome of other records is never shown."""
        if not self.outcomes_known:
            return {}
        where = "" if ids is None else f"WHERE id IN ({','.join('?' * len(ids))})"
        found: dict[str, dict[str, int]] = {}
        for id_, outcome, n in self.rows(f"SELECT id, outcome, n FROM outcomes {where} ORDER BY outcome", ids or ()):
            found.setdefault(id_, {})[outcome] = n
        return found

    def relations_to(self, id_: str) -> list[tuple[str, str]]:
        """(kind, id) of every relation that points here."""
        return self.rows(
            "SELECT DISTINCT l.kind, r.id FROM relations l JOIN records r USING (rid) WHERE l.target = ? ORDER BY 1, 2",
            [id_],
        )

    def relations_of(self, id_: str) -> list[tuple[str, str]]:
        """(kind, id) of every relation that starts here."""
        return self.rows(
            "SELECT DISTINCT l.kind, l.target FROM relations l JOIN records r USING (rid) WHERE r.id = ? ORDER BY 1, 2",
            [id_],
        )

    def fields(self) -> dict[str, FieldKind]:
        """Fields that some entry has a value of, and whether they hold words or numbers."""
        words = {field: "facet" for (field,) in self.rows("SELECT DISTINCT field FROM facet_values")}
        numbers = {field: "number" for (field,) in self.rows("SELECT DISTINCT field FROM numbers")}
        return {**numbers, **words}  # type: ignore[dict-item]
