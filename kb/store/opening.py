"""Opening the derived file, and making it where it cannot be used."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kb.store.reading import Busy, ReadOnly, Store, discard, explained
from kb.store.schema import FORMAT

BUSY_SECONDS = 60
"""How long to wait for another process: building a large base from nothing takes some ten seconds."""


def open_store(path: Path | None) -> Store:
    """A usable store; empty where the file was missing, damaged or another version's. None keeps it in memory.

    Raises ReadOnly where it has to be made and cannot be.
    """
    if path is None:
        return Store(_made(connect(":memory:")), None)
    found = _usable(path) or _make(path)
    return Store(found, path)


def connect(path: Path | str) -> sqlite3.Connection:
    """A connection that begins transactions only where it is told to."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    connection.execute("PRAGMA synchronous = normal")
    connection.execute("PRAGMA temp_store = memory")
    return connection


def _usable(path: Path) -> sqlite3.Connection | None:
    """A connection to a file of this format, or None."""
    if not path.is_file():
        return None
    connection: sqlite3.Connection | None = None
    try:
        connection = connect(path)
        if connection.execute("PRAGMA user_version").fetchone()[0] == FORMAT:
            connection.execute("SELECT 1 FROM files LIMIT 1").fetchone()
            return connection
    except sqlite3.DatabaseError as error:
        if isinstance(problem := explained(error), Busy):
            raise problem from error
    if connection:
        connection.close()
    return None


def _make(path: Path) -> sqlite3.Connection:
    """Make the file aside and move it into place, one process at a time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _alone(path.with_name("lock")):
            return _usable(path) or _put_in_place(path)
    except OSError as error:
        raise ReadOnly(str(error)) from error
    except sqlite3.DatabaseError as error:
        discard(path.with_name(path.name + ".new"))
        raise ReadOnly(str(error)) from error


def _put_in_place(path: Path) -> sqlite3.Connection:
    aside = path.with_name(path.name + ".new")
    discard(aside)
    _made(connect(aside)).close()
    discard(path)
    aside.rename(path)
    return connect(path)


def _made(connection: sqlite3.Connection) -> sqlite3.Connection:
    from kb.store.schema import create

    create(connection)
    return connection


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """A link in the lock's place is not followed, and nothing is cut off: a base may have been cloned with one."""
    import fcntl

    held = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
