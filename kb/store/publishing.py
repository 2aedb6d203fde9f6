"""Tables as one SQLite file for whoever wants to ask it: plain tables in a given order, the same bytes each time.

Rows come in parts, each with a key that says what it follows from. Parts that an earlier file has are copied out of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

Rows = Iterable[Sequence[str | int | float | None]]


class Part(NamedTuple):
    """Some rows of a table."""

    key: str
    """Which they are and what they follow from; no two parts of a table share one."""
    rows: Callable[[], Rows]


class Table(NamedTuple):
    """Columns with their types, and rows."""

    columns: Mapping[str, str]
    """Name -> `text`, `integer` or `real`."""
    parts: Iterable[Part]


Counts = Mapping[str, Sequence[tuple[str, int]]]
"""Table -> keys of its parts in order, each with its number of rows."""


class Published(NamedTuple):
    """A file, and what is in it."""

    content: bytes
    counts: Counts


def published(tables: Mapping[str, Table], before: Published | None = None) -> Published:
    """The file; `before` is one that was published earlier."""
    with closing(sqlite3.connect(":memory:")) as connection:
        if before:
            connection.execute("attach ':memory:' as before")
            connection.deserialize(before.content, name="before")
        counts = {name: list(_filled(connection, name, table, before)) for name, table in tables.items()}
        connection.commit()
        return Published(connection.serialize(), counts)


def _filled(
    connection: sqlite3.Connection, name: str, table: Table, before: Published | None
) -> Iterator[tuple[str, int]]:
    columns = ", ".join(f'"{column}" {kind}' for column, kind in table.columns.items())
    connection.execute(f'create table "{name}" ({columns})')
    insert = f'insert into "{name}" values ({", ".join("?" * len(table.columns))})'
    copy = f'insert into "{name}" select * from before."{name}" where rowid between ? and ? order by rowid'
    known = dict(_places(before.counts.get(name, ()))) if before else {}
    run = range(0)
    for key, rows in table.parts:
        if (found := known.get(key)) is not None:
            if found.start != run.stop:
                connection.execute(copy, [run.start + 1, run.stop])
                run = range(found.start, found.start)
            run = range(run.start, found.stop)
            yield key, len(found)
            continue
        connection.execute(copy, [run.start + 1, run.stop]) if run else None
        run = range(0)
        listed = [tuple(row) for row in rows()]
        connection.executemany(insert, listed)
        yield key, len(listed)
    connection.execute(copy, [run.start + 1, run.stop]) if run else None


def _places(parts: Iterable[tuple[str, int]]) -> Iterator[tuple[str, range]]:
    """Key -> the rows of a part, from 0."""
    start = 0
    for key, number in parts:
        yield key, range(start, start + number)
        start += number
