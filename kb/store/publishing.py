"""Tables as one SQLite file for whoever wants to ask it: plain tables in a given order, the same bytes each time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple


class Table(NamedTuple):
    """Columns with their types, and rows."""

    columns: Mapping[str, str]
    """Name -> `text`, `integer` or `real`."""
    rows: Iterable[Sequence[str | int | float | None]]


def published(tables: Mapping[str, Table]) -> bytes:
    """The content of the file."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for name, table in tables.items():
            columns = ", ".join(f'"{column}" {kind}' for column, kind in table.columns.items())
            connection.execute(f'create table "{name}" ({columns})')
            marks = ", ".join("?" * len(table.columns))
            connection.executemany(f'insert into "{name}" values ({marks})', map(tuple, table.rows))
        connection.commit()
        return connection.serialize()
