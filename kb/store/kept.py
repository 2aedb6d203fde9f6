"""What builds keep for the next one: JSON by name and key, in one SQLite file beside the base, `.kb/site/kept.sqlite`.

A key says what a value follows from. A row is believed only with the mark that this program makes at this place: a base
that was cloned with such a file inside, another version's file, a row that was cut off or written over have none. What
cannot be read is not there, and is made anew; nothing that is read is ever run.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

FILE = "kept.sqlite"
HERE = "here"
"""An empty file: when and where this machine made it is part of every mark, and nobody elsewhere can know."""
_SCHEMA = "CREATE TABLE kept (name TEXT, key TEXT, digest TEXT, mark TEXT, data TEXT)"
_INDEX = "CREATE UNIQUE INDEX kept_by_key ON kept (name, key, digest, mark)"


class Lost(Exception):
    """A row that was there when its key was read is gone or damaged; the file has been removed. Never shown to people:
    the build begins again without it."""


class Kept:
    """Values by name and key; in memory only where `folder` is None or cannot be written."""

    def __init__(self, folder: Path | None = None, program: Callable[[str], str] = lambda _name: "") -> None:
        """`program`: what the values of a name follow from beside their keys, such as the program's files."""
        self._folder = folder
        self._here = _here(folder)
        self._program = program
        self._lying: dict[str, set[str]] = {}
        """Keys on disk by name, believed or not."""
        self._connections: dict[int, sqlite3.Connection | None] = {}
        self._rows: dict[str, dict[str, str]] = {}
        self._fresh: dict[str, dict[str, str]] = {}
        """Values as JSON that are not on disk yet."""
        self._used: dict[str, set[str]] = {}

    def digests(self, name: str) -> Mapping[str, str]:
        """Key -> a digest of its value, of everything kept under a name."""
        if name not in self._rows:
            rows = self._asked("SELECT key, digest, mark FROM kept WHERE name = ?", [name])
            sound = {key: digest for key, digest, mark in rows if mark == self._mark(name, key, digest)}
            self._rows[name] = sound
            self._lying[name] = {key for key, _, _ in rows}
        return self._rows[name]

    def text(self, name: str, key: str) -> str:
        """A value as JSON; the key must be one of `digests`. Raises Lost."""
        if (found := self._fresh.get(name, {}).get(key)) is not None:
            return found
        rows = self._asked("SELECT data FROM kept WHERE name = ? AND key = ?", [name, key])
        data = rows[0][0] if rows else None
        if not isinstance(data, str) or _digest(data) != self.digests(name)[key]:
            self.discard()
            raise Lost(name)
        return data

    def value(self, name: str, key: str) -> Any:
        """A value; the key must be one of `digests`. Raises Lost."""
        return json.loads(self.text(name, key))

    def put(self, name: str, key: str, value: Any) -> None:
        """Keep a value."""
        self.put_text(name, key, as_text(value))

    def put_text(self, name: str, key: str, text: str) -> None:
        """Keep a value that was written by `as_text`, perhaps in another process."""
        digests = dict(self.digests(name)) if name not in self._fresh else self._rows[name]
        self._fresh.setdefault(name, {})[key] = text
        self._rows[name] = digests
        digests[key] = _digest(text)

    def only(self, name: str, keys: Iterable[str]) -> None:
        """Of what is kept under a name only this is needed from here on."""
        self._used[name] = set(keys)

    def save(self) -> None:
        """Write what is new, and let go of what is needed no more. What cannot be written stays in memory."""
        stale = {name: self._on_disk(name) - keys for name, keys in self._used.items()}
        if not any(self._fresh.values()) and not any(stale.values()):
            return
        try:
            self._write(stale)
        except (sqlite3.Error, OSError):
            self.discard()
            self._folder = None
        if self._folder is None:
            return
        for name in {*stale, *self._fresh}:
            self._lying[name] = (self._on_disk(name) - stale.get(name, set())) | set(self._fresh.get(name, ()))
        self._fresh = {}

    def _on_disk(self, name: str) -> set[str]:
        self.digests(name)
        return self._lying[name]

    def discard(self) -> None:
        """Remove the file."""
        if connection := self._connections.pop(os.getpid(), None):
            connection.close()
        self._connections[os.getpid()] = None
        if self._folder is not None:
            for suffix in ("", "-journal", "-wal", "-shm"):
                with suppress(OSError):
                    (self._folder / f"{FILE}{suffix}").unlink()

    def _write(self, stale: Mapping[str, Iterable[str]]) -> None:
        if self._folder is None:
            return
        with self._connection() or self._made() as connection:
            for name, keys in stale.items():
                connection.executemany("DELETE FROM kept WHERE name = ? AND key = ?", [(name, key) for key in keys])
            for name, values in self._fresh.items():
                rows = [
                    (name, key, digest := self._rows[name][key], self._mark(name, key, digest), text)
                    for key, text in values.items()
                ]
                connection.executemany("DELETE FROM kept WHERE name = ? AND key = ?", [row[:2] for row in rows])
                connection.executemany("INSERT INTO kept VALUES (?, ?, ?, ?, ?)", rows)

    def _made(self) -> sqlite3.Connection:
        assert self._folder is not None
        self._folder.mkdir(parents=True, exist_ok=True)
        self.discard()
        connection = sqlite3.connect(self._folder / FILE, timeout=10)
        connection.execute("PRAGMA synchronous = off")  # a file that a fallen machine leaves damaged is made anew
        connection.execute(_SCHEMA)
        connection.execute(_INDEX)
        self._connections[os.getpid()] = connection
        return connection

    def _asked(self, sql: str, parameters: list[str]) -> list[Any]:
        connection = self._connection()
        if connection is None:
            return []
        try:
            return connection.execute(sql, parameters).fetchall()
        except sqlite3.Error:
            self.discard()
            return []

    def _connection(self) -> sqlite3.Connection | None:
        """A connection of this process: none of them may be carried into another."""
        here = os.getpid()
        if here not in self._connections:
            self._connections[here] = self._opened()
        return self._connections[here]

    def _opened(self) -> sqlite3.Connection | None:
        path = self._folder / FILE if self._folder else None
        if path is None or path.is_symlink() or not path.is_file():
            return None
        try:
            connection = sqlite3.connect(path, timeout=10)
            connection.execute("PRAGMA trusted_schema = off")
            connection.execute("PRAGMA synchronous = off")
            if [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master")] == [_SCHEMA, _INDEX]:
                return connection
            connection.close()
        except sqlite3.Error:
            pass
        self.discard()
        return None

    def _mark(self, name: str, key: str, digest: str) -> str:
        parts = (self._here, self._program(name), name, key, digest)
        return sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def as_text(value: Any) -> str:
    """A value as it is kept."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))  # also what is no text in UTF-8


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _here(folder: Path | None) -> str:
    """Where and when this machine began to keep anything here; another answer each time where it cannot be told."""
    try:
        if folder is None:
            raise OSError
        place = folder / HERE
        if not place.is_file() or place.is_symlink():
            folder.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)  # a link is never written through
            place.touch()
        found = place.stat()
    except OSError:
        return os.urandom(16).hex()
    return f"{found.st_dev} {found.st_ino} {found.st_ctime_ns}"
