"""Changing the derived file: what one document becomes in each table."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from kb import __version__
from kb.document import Document, Row, Term
from kb.errors import KbError
from kb.store.days import day_range
from kb.store.fulltext import TEXTS, Concepts, concept, held, indexed, key, texts
from kb.store.reading import OUTCOMES, FileRow
from kb.store.schema import SLOTS, TEXT_COLUMNS
from kb.tokens import squash, words

_POINT = ("metric", "definition", "stat", "arm", "value", "low", "high", "unit", "n", "qualifier", "stage")
_CLAIM = ("claim", "kind", "text", "form", "metric", "value", "low", "high", "phase")
_BY_RID = ("records", "stored", "texts", "points", "claims", "relations", "facets", "numbers", "names")
_BATCH = 20_000
"""Rows that are kept back."""
_WAITING = 50
"""Documents that are indexed together, while other ones are still being read."""
_NEEDED_TO_WRITE = ("idx_records_path", "idx_terms_path")
_TERMS = "SELECT key, name, concept FROM terms"


class Writer:
    """Adds and removes inside the transaction that `Store.writing` opened."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute
        self._batch = _Batch(connection)
        self._runs: set[str] = set()
        self._values: set[tuple[str, str]] = set()
        self._unindexed: dict[int, dict[str, str]] = {}
        self._terms = set(self._run(_TERMS))
        self._concepts = Concepts(sorted(self._terms))
        self._other_terms = False
        self._stale = False
        self._dropped: list[str] = []

    def paths(self) -> set[str]:
        """Files that something is known of."""
        return {path for (path,) in self._run("SELECT path FROM files UNION SELECT path FROM records")}

    def bulk(self) -> None:
        """Leave the second indexes until all rows are there: sorted at once they cost half."""
        rows = self._run("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").fetchall()
        for name, sql in rows:
            if name not in _NEEDED_TO_WRITE:
                self._run(f"DROP INDEX {name}")
                self._dropped.append(sql)

    def remove(self, path: str) -> None:
        """Forget everything that came from a file, and the file."""
        self._batch.flush()
        for rid, id_ in self._run("SELECT rid, id FROM records WHERE path = ?", [path]).fetchall():
            self._unindexed.pop(rid, None)
            self._rids[id_].remove(rid)
            self._run("DELETE FROM text WHERE rowid = ?", [rid])
            for table in _BY_RID:
                self._run(f"DELETE FROM {table} WHERE rid = ?", [rid])
        self._other_terms |= self._run("DELETE FROM terms WHERE path = ?", [path]).rowcount > 0
        self._run("DELETE FROM files WHERE path = ?", [path])

    def file(self, path: str, row: FileRow) -> None:
        """Remember a file as it was read."""
        self._batch.add("INSERT OR REPLACE INTO files (path, size, mtime_ns, hash) VALUES (?, ?, ?, ?)", [(path, *row)])

    def term(self, term: Term) -> None:
        """Add a word of the vocabulary, found by the tokens of each of its names."""
        self._other_terms = True
        token = concept(term.id)
        rows = [(key(name), term.id, name, lang, token, term.path) for lang, name in term.names]
        self._batch.add("INSERT INTO terms (key, term, name, lang, concept, path) VALUES (?, ?, ?, ?, ?, ?)", rows)

    def document(self, document: Document) -> None:
        """Add a document. Raises KbError when its entry has as many documents as an entry can have."""
        rid, add = self._free_rid(document), self._batch.add
        self._head(rid, document)
        self._unindexed[rid] = given = texts(document)
        add(f"INSERT INTO texts (rid, {', '.join(TEXTS)}) VALUES (?, ?, ?, ?, ?, ?, ?)", [(rid, *given.values())])
        add(
            "INSERT INTO stored (rid, record) VALUES (?, ?)",
            [(rid, _json(document.record))],
        )
        self._rows(rid, "points", _POINT, document.points)
        self._rows(rid, "claims", _CLAIM, document.claim_rows)
        self._facets(rid, document)
        add("INSERT INTO relations (rid, kind, target) VALUES (?, ?, ?)", [(rid, *r) for r in document.relations])
        add("INSERT OR IGNORE INTO numbers (rid, field, low, high) VALUES (?, ?, ?, ?)", _numbers(rid, document))
        add("INSERT OR IGNORE INTO names (key, rid, what, name) VALUES (?, ?, ?, ?)", _names(rid, document))
        if len(self._unindexed) >= _WAITING:
            self._index_waiting()

    def index(self) -> None:
        """Index what was added; all documents again when the vocabulary has other terms than they were indexed with."""
        self._index_waiting()
        if self._stale:
            rows = self._run(f"SELECT rid, {', '.join(TEXTS)} FROM texts ORDER BY rid").fetchall()
            self._unindexed = {rid: dict(zip(TEXTS, row, strict=True)) for rid, *row in rows}
            self._run("DELETE FROM text")
            self._index_waiting()
        for sql in self._dropped:
            self._run(sql)
        self._dropped, self._stale = [], False

    def _index_waiting(self) -> None:
        self._batch.flush()
        if self._other_terms:
            self._look_at_terms()
        for rid, given in self._unindexed.items():
            self._index(rid, given)
        self._batch.flush()
        self._unindexed = {}

    def _look_at_terms(self) -> None:
        """Find other terms in texts from here on; what is indexed already is stale where they are other ones."""
        terms = set(self._run(_TERMS))
        if terms != self._terms:
            self._stale = bool(self._run("SELECT EXISTS (SELECT 1 FROM text)").fetchone()[0])
            self._terms = terms
            self._concepts = Concepts(sorted(terms))
        self._other_terms = False

    @cached_property
    def _rids(self) -> dict[str, list[int]]:
        """Documents by id."""
        found: dict[str, list[int]] = {}
        for id_, rid in self._run("SELECT id, rid FROM records"):
            found.setdefault(id_, []).append(rid)
        return found

    @cached_property
    def _last(self) -> int:
        return max((rid for rids in self._rids.values() for rid in rids), default=0)

    def outcomes(self, outcomes: Mapping[str, Mapping[str, int]]) -> None:
        """Replace what is known of verdicts: number of claims by outcome, by evaluation. They count as known now."""
        self._run("DELETE FROM outcomes")
        self.meta(OUTCOMES, __version__)
        rows = [(id_, outcome, n) for id_, counts in outcomes.items() for outcome, n in counts.items() if n]
        self._batch.add("INSERT INTO outcomes (id, outcome, n) VALUES (?, ?, ?)", rows)

    def forget_outcomes(self) -> None:
        """The records are other ones than those that were judged."""
        self._run("DELETE FROM outcomes")
        self._run("DELETE FROM meta WHERE key = ?", [OUTCOMES])

    def meta(self, key: str, value: str | bytes) -> None:
        """Remember something about the file as a whole."""
        self._run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", [key, value])

    def drop_unused(self) -> None:
        """Drop facet values that no document has any more."""
        self._run("DELETE FROM facet_values WHERE (field, value) NOT IN (SELECT field, value FROM facets)")

    def tidy(self) -> None:
        """Join the full-text segments."""
        self._run("INSERT INTO text (text) VALUES ('optimize')")

    def _free_rid(self, document: Document) -> int:
        taken = self._rids.setdefault(document.id, [])
        first = (min(taken) // SLOTS if taken else self._last // SLOTS + 1) * SLOTS
        for rid in range(first + (0 if document.original else 1), first + SLOTS):
            if rid not in taken:
                taken.append(rid)
                self._last = max(self._last, rid)
                return rid
        raise KbError(f"{document.path}: more than {SLOTS - 1} records or translations have the id {document.id}")

    def _head(self, rid: int, d: Document) -> None:
        head = (rid, d.id, d.kind, d.lang, d.title, d.date, d.path, d.base)
        columns = "rid, id, kind, lang, title, date, path, base"
        self._batch.add(f"INSERT INTO records ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [head])

    def _index(self, rid: int, given: Mapping[str, str]) -> None:
        found = indexed(given, self._concepts)
        marks = ", ".join("?" * (len(TEXT_COLUMNS) + 1))
        insert = f"INSERT INTO text (rowid, {', '.join(TEXT_COLUMNS)}) VALUES ({marks})"
        self._batch.add(insert, [(rid, *found.columns)])
        self._batch.add("UPDATE records SET held = ? WHERE rid = ?", [(found.held, rid)])
        new = found.runs - self._runs
        self._runs |= new
        self._batch.add("INSERT OR IGNORE INTO words (word) VALUES (?)", [(word,) for word in words(new)])

    def _rows(self, rid: int, table: str, columns: tuple[str, ...], rows: Iterable[Row]) -> None:
        marks = ", ".join("?" * (len(columns) + 2))
        values = [(rid, *(_plain(row.get(c)) for c in columns), _rest(row, columns)) for row in rows]
        self._batch.add(f"INSERT INTO {table} (rid, {', '.join(columns)}, data) VALUES ({marks})", values)

    def _facets(self, rid: int, document: Document) -> None:
        pairs = list(dict.fromkeys(_facet_pairs(document)))
        insert = "INSERT OR IGNORE INTO facets (field, value, rid) VALUES (?, ?, ?)"
        self._batch.add(insert, [(*pair, rid) for pair in pairs])
        new = [pair for pair in pairs if pair not in self._values]
        self._values.update(new)
        rows = [(field, value, squash(value), held(value)) for field, value in new]
        insert = "INSERT OR IGNORE INTO facet_values (field, value, key, tokens) VALUES (?, ?, ?, ?)"
        self._batch.add(insert, rows)


class _Batch:
    """Rows on their way into their tables: a few thousand at once cost half of one by one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._rows: dict[str, list[tuple[object, ...]]] = {}
        self._size = 0

    def add(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        """Add rows for a statement; statements run in the order they were first given."""
        held = self._rows.setdefault(statement, [])
        before = len(held)
        held.extend(rows)
        self._size += len(held) - before
        if self._size > _BATCH:
            self.flush()

    def flush(self) -> None:
        """Run what is waiting."""
        for statement, rows in self._rows.items():
            self._connection.executemany(statement, rows)
        self._rows, self._size = {}, 0


def _facet_pairs(document: Document) -> Iterator[tuple[str, str]]:
    yield "kind", document.kind
    yield from (("tag", tag) for tag in document.tags)
    yield from ((field, value) for field, values in document.facets.items() for value in values)


def _numbers(rid: int, document: Document) -> Iterator[tuple[int, str, float, float]]:
    yield from ((rid, field, low, high) for field, low, high in document.numbers if low == low and high == high)
    dates = (*document.dates, *([("date", document.date)] if document.date else ()))
    for field, date in dates:
        if days := day_range(date):
            yield (rid, field, *days)


def _names(rid: int, document: Document) -> Iterator[tuple[str, int, str, str]]:
    names = [("id", document.id), ("title", document.title), *(("alias", alias) for alias in document.aliases)]
    yield from ((squash(name), rid, what, name) for what, name in names)


def _rest(row: Row, columns: tuple[str, ...]) -> str | None:
    rest = {key: value for key, value in row.items() if key not in columns}
    return _json(rest) if rest else None


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, str | int | float) else _json(value)


def _json(value: Any) -> str:
    """A value as JSON; text is JSON already."""
    return (
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)
    )
