"""The tables of the derived file, and the number that says which program they fit.

`rid` is an entry's number * 16 + a slot for each language (0 is the original), so that everything an entry is asked
for in any language meets at `rid >> 4` without a join.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from zlib import crc32

from kb import tokens

SCHEMA_VERSION = 7
"""Goes up with every change of a table."""

SLOTS = 16
"""Documents (languages) an entry can have."""

FORMAT = crc32(f"{SCHEMA_VERSION}/{tokens.VERSION}/{unicodedata.unidata_version}".encode()) & 0x7FFFFFFF
"""Written last into the file; a file with another number is made anew."""

TEXT_COLUMNS = ("title", "ident", "claims", "tags", "facts", "body", "title_names", "names")
"""Full-text columns. `facts` holds facet values, the last two the whole forms of what the others hold in parts."""

CLOSED_FIELDS = frozenset({"kind", "lang", "source", "status", "outcome", "prefix_caching"})
"""Facets whose values are words of ours rather than of the subject: matched whole, and not part of the text."""

_COLUMNS: dict[str, dict[str, type]] = {
    "records": {
        "rid": int, "id": str, "kind": str, "lang": str, "title": str, "date": str, "path": str, "base": str,
        "held": str,
    },
    "stored": {"rid": int, "record": str},
    "texts": {"rid": int, "title": str, "ident": str, "claims": str, "tags": str, "facts": str, "body": str},
    "points": {
        "rid": int, "metric": str, "definition": str, "stat": str, "arm": str, "value": float, "low": float,
        "high": float, "unit": str, "n": int, "qualifier": str, "stage": str, "data": str,
    },
    "claims": {
        "rid": int, "claim": str, "kind": str, "text": str, "form": str, "metric": str, "value": float, "low": float,
        "high": float, "phase": str, "data": str,
    },
    "relations": {"rid": int, "kind": str, "target": str},
    "files": {"path": str, "size": int, "mtime_ns": int, "hash": str},
    "outcomes": {"id": str, "outcome": str, "n": int},
    "terms": {"key": str, "term": str, "name": str, "lang": str, "concept": str, "path": str},
    "meta": {"key": str, "value": str},
}  # fmt: skip
_KEYS = {"records": "rid", "stored": "rid", "texts": "rid", "files": "path", "meta": "key"}
_INDEXES = {
    "records": ("id", "path", "kind"),
    "points": ("rid", "metric"),
    "claims": ("rid",),
    "relations": ("rid", "target"),
    "outcomes": ("id",),
    "terms": ("key", "term", "path"),
}
# Clustered on what they are searched by; sqlite-utils has no WITHOUT ROWID.
_CLUSTERED = """
CREATE TABLE facets (field TEXT, value TEXT, rid INTEGER, PRIMARY KEY (field, value, rid)) WITHOUT ROWID;
CREATE INDEX facets_rid ON facets (rid);
CREATE TABLE facet_values (field TEXT, value TEXT, key TEXT, tokens TEXT, PRIMARY KEY (field, value)) WITHOUT ROWID;
CREATE TABLE numbers (field TEXT, low REAL, high REAL, rid INTEGER, PRIMARY KEY (field, low, high, rid)) WITHOUT ROWID;
CREATE INDEX numbers_high ON numbers (field, high, rid);
CREATE INDEX numbers_rid ON numbers (rid);
CREATE TABLE names (key TEXT, rid INTEGER, what TEXT, name TEXT, PRIMARY KEY (key, rid, what)) WITHOUT ROWID;
CREATE INDEX names_rid ON names (rid);
CREATE INDEX records_newest ON records (date DESC, id, rid);
CREATE INDEX records_entry ON records (rid >> 4);
CREATE INDEX records_translated ON records (rid) WHERE rid & 15;
CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID;
"""
# `ascii` leaves every non-ASCII token whole; `.` keeps versions whole.
_FULL_TEXT = f"""
CREATE VIRTUAL TABLE text USING fts5({", ".join(TEXT_COLUMNS)}, tokenize="ascii tokenchars '.'");
INSERT INTO text (text, rank) VALUES ('automerge', 8);
"""


def create(connection: sqlite3.Connection) -> None:
    """Make every table in an empty file; the format number comes last, so that half a file is never taken for one."""
    from sqlite_utils import Database

    connection.execute("PRAGMA journal_mode = wal")
    database = Database(connection)
    for name, columns in _COLUMNS.items():
        table = database.table(name)
        table.create(columns, pk=_KEYS.get(name))
        for column in _INDEXES.get(name, ()):
            table.create_index([column])
    connection.executescript(_CLUSTERED + _FULL_TEXT)
    database.table("meta").insert_all({"key": key, "value": value} for key, value in _meta().items())
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def _meta() -> dict[str, str]:
    """What the format number was made of, for people who open the file."""
    return {
        "schema": str(SCHEMA_VERSION),
        "tokenizer": str(tokens.VERSION),
        "unicode": unicodedata.unidata_version,
    }
