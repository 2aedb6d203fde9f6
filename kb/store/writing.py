"""Changing the derived file: what one document becomes in each table."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kb.document import Document, Row, Term
from kb.errors import KbError
from kb.store.days import day_range
from kb.store.reading import FileRow
from kb.store.schema import CLOSED_FIELDS, SLOTS, TEXT_COLUMNS
from kb.tokens import GAP, analyse, squash, tokens

_POINT = ("metric", "definition", "stat", "arm", "value", "low", "high", "unit", "n", "qualifier", "stage")
_CLAIM = ("claim", "kind", "text", "form", "metric", "value", "low", "high", "phase")
_BY_RID = ("records", "stored", "texts", "points", "claims", "relations", "facets", "numbers", "names")
_LINES = ("ident", "claims", "tags", "facts")
"""Texts of several values, one a line, that a phrase must not reach across."""


class Writer:
    """Adds and removes inside the transaction that `Store.writing` opened."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute
        self._many = connection.executemany
        self._words: set[str] = set()
        self._values: set[tuple[str, str]] = set()

    def remove(self, path: str) -> None:
        """Forget everything that came from a file, and the file."""
        for (rid,) in self._run("SELECT rid FROM records WHERE path = ?", [path]).fetchall():
            self._unindex(rid)
            for table in _BY_RID:
                self._run(f"DELETE FROM {table} WHERE rid = ?", [rid])
        self._run("DELETE FROM terms WHERE path = ?", [path])
        self._run("DELETE FROM files WHERE path = ?", [path])

    def file(self, path: str, row: FileRow) -> None:
        """Remember a file as it was read."""
        self._run("INSERT OR REPLACE INTO files (path, size, mtime_ns, hash) VALUES (?, ?, ?, ?)", [path, *row])

    def term(self, term: Term) -> None:
        """Add a word of the vocabulary, found by the tokens of each of its names."""
        rows = [(" ".join(tokens(name)), term.id, name, lang, term.path) for lang, name in term.names]
        self._many("INSERT INTO terms (key, term, name, lang, path) VALUES (?, ?, ?, ?, ?)", rows)

    def document(self, document: Document) -> None:
        """Add a document. Raises KbError when its entry has as many documents as an entry can have."""
        rid = self._free_rid(document)
        self._head(rid, document)
        self._index(rid, document)
        self._rows(rid, "points", _POINT, document.points)
        self._rows(rid, "claims", _CLAIM, document.claim_rows)
        self._facets(rid, document)
        self._many(
            "INSERT INTO relations (rid, kind, target) VALUES (?, ?, ?)", [(rid, *r) for r in document.relations]
        )
        self._many("INSERT OR IGNORE INTO numbers (rid, field, low, high) VALUES (?, ?, ?, ?)", _numbers(rid, document))
        self._many("INSERT OR IGNORE INTO names (key, rid, what) VALUES (?, ?, ?)", _names(rid, document))

    def outcomes(self, outcomes: Mapping[str, Mapping[str, int]]) -> None:
        """Replace what is known of verdicts: number of claims by outcome, by evaluation."""
        self._run("DELETE FROM outcomes")
        rows = [(id_, outcome, n) for id_, counts in outcomes.items() for outcome, n in counts.items() if n]
        self._many("INSERT INTO outcomes (id, outcome, n) VALUES (?, ?, ?)", rows)

    def meta(self, key: str, value: str) -> None:
        """Remember something about the file as a whole."""
        self._run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", [key, value])

    def tidy(self) -> None:
        """Drop facet values that no document has any more, and join the full-text segments."""
        self._run("DELETE FROM facet_values WHERE (field, value) NOT IN (SELECT field, value FROM facets)")
        self._run("INSERT INTO text (text) VALUES ('optimize')")

    def _free_rid(self, document: Document) -> int:
        taken = [rid for (rid,) in self._run("SELECT rid FROM records WHERE id = ?", [document.id])]
        if taken:
            first = min(taken) // SLOTS * SLOTS
        else:
            (last,) = self._run("SELECT coalesce(max(rid), 0) FROM records").fetchone()
            first = (last // SLOTS + 1) * SLOTS
        for rid in range(first + (0 if document.original else 1), first + SLOTS):
            if rid not in taken:
                return rid
        raise KbError(f"{document.path}: more than {SLOTS - 1} records or translations have the id {document.id}")

    def _head(self, rid: int, d: Document) -> None:
        head = (rid, d.id, d.kind, d.lang, d.title, d.date, d.path, d.base, held(d.title))
        columns = "rid, id, kind, lang, title, date, path, base, held"
        self._run(f"INSERT INTO records ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", head)
        self._run("INSERT INTO stored (rid, record) VALUES (?, ?)", [rid, _json(d.record)])

    def _index(self, rid: int, document: Document) -> None:
        texts = _texts(document)
        marks = ", ".join("?" * (len(texts) + 1))
        self._run(f"INSERT INTO texts (rid, {', '.join(texts)}) VALUES ({marks})", [rid, *texts.values()])
        columns, words = _columns(texts)
        marks = ", ".join("?" * (len(columns) + 1))
        self._run(f"INSERT INTO text (rowid, {', '.join(TEXT_COLUMNS)}) VALUES ({marks})", [rid, *columns])
        new = words - self._words
        self._words |= new
        self._many("INSERT OR IGNORE INTO words (word) VALUES (?)", [(word,) for word in new])

    def _unindex(self, rid: int) -> None:
        """A contentless index is told what it forgets: the same tokens of the same text (see schema.FORMAT)."""
        names = ("title", *_LINES, "body")
        row = self._run(f"SELECT {', '.join(names)} FROM texts WHERE rid = ?", [rid]).fetchone()
        columns, _ = _columns(dict(zip(names, row, strict=True)))
        marks = ", ".join("?" * (len(columns) + 1))
        self._run(
            f"INSERT INTO text (text, rowid, {', '.join(TEXT_COLUMNS)}) VALUES ('delete', {marks})", [rid, *columns]
        )

    def _rows(self, rid: int, table: str, columns: tuple[str, ...], rows: Iterable[Row]) -> None:
        marks = ", ".join("?" * (len(columns) + 2))
        values = [(rid, *(_plain(row.get(c)) for c in columns), _rest(row, columns)) for row in rows]
        self._many(f"INSERT INTO {table} (rid, {', '.join(columns)}, data) VALUES ({marks})", values)

    def _facets(self, rid: int, document: Document) -> None:
        pairs = list(dict.fromkeys(_facet_pairs(document)))
        self._many(
            "INSERT OR IGNORE INTO facets (field, value, rid) VALUES (?, ?, ?)", [(*pair, rid) for pair in pairs]
        )
        new = [pair for pair in pairs if pair not in self._values]
        self._values.update(new)
        rows = [(field, value, squash(value), held(value)) for field, value in new]
        self._many("INSERT OR IGNORE INTO facet_values (field, value, key, tokens) VALUES (?, ?, ?, ?)", rows)


def held(value: str) -> str:
    """A short text's parts and names between spaces, so that a phrase or a version is found in it as a substring."""
    found = analyse(value)
    return f" {' '.join(found.parts)} {GAP} {' '.join(found.names)} "


def _facet_pairs(document: Document) -> Iterator[tuple[str, str]]:
    yield "kind", document.kind
    yield from (("tag", tag) for tag in document.tags)
    yield from ((field, value) for field, values in document.facets.items() for value in values)


def _texts(document: Document) -> dict[str, str]:
    facts = [v for field, values in document.facets.items() if field not in CLOSED_FIELDS for v in values]
    lines = {
        "ident": (document.id, *document.aliases),
        "claims": document.claims,
        "tags": document.tags,
        "facts": tuple(dict.fromkeys(facts)),
    }
    return {
        "title": document.title,
        **{name: "\n".join(_one_line(v) for v in values) for name, values in lines.items()},
        "body": document.body,
    }


def _columns(texts: Mapping[str, str]) -> tuple[list[str], set[str]]:
    """Full-text columns of a document's texts, and its words for spelling."""
    gap = f" {GAP} "
    found = {
        name: [analyse(line) for line in (text.split("\n") if name in _LINES else [text])]
        for name, text in texts.items()
    }
    parts = [gap.join(" ".join(each.parts) for each in found[name]) for name in ("title", *_LINES, "body")]
    title_names = " ".join(found["title"][0].names)
    names = " ".join(" ".join(each.names) for name in (*_LINES, "body") for each in found[name])
    return [*parts, title_names, names], {word for each in found.values() for part in each for word in part.words}


def _numbers(rid: int, document: Document) -> Iterator[tuple[int, str, float, float]]:
    yield from ((rid, field, low, high) for field, low, high in document.numbers if low == low and high == high)
    dates = (*document.dates, *([("date", document.date)] if document.date else ()))
    for field, date in dates:
        if days := day_range(date):
            yield (rid, field, *days)


def _names(rid: int, document: Document) -> Iterator[tuple[str, int, str]]:
    yield squash(document.id), rid, "id"
    yield squash(document.title), rid, "title"
    yield from ((squash(alias), rid, "alias") for alias in document.aliases)


def _one_line(value: str) -> str:
    return " ".join(value.split())


def _rest(row: Row, columns: tuple[str, ...]) -> str | None:
    rest = {key: value for key, value in row.items() if key not in columns}
    return _json(rest) if rest else None


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, str | int | float) else _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)
