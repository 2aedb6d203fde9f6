"""Order of the hits: entries about a thing before entries that mention it.

A hit's score is BM25 over weighted columns (title, names, claims and tags above facts above body), raised by how much
of the query its title holds; an entry whose id, alias or title *is* the query comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from kb.search.compile import Compiled, Condition
from kb.search.language import chosen
from kb.search.match import any_of
from kb.store import Store
from kb.tokens import squash

WEIGHTS = {"title": 20, "ident": 8, "claims": 5, "tags": 5, "facts": 3, "body": 1, "title_names": 12, "names": 1}
"""In the order of kb.store.schema.TEXT_COLUMNS; BM25 saturates, so that a body's tenth mention still adds little."""

POOL = 40
"""Best hits by BM25 whose titles are looked at."""
_COVERED = 0.4
"""What a title that holds every wanted thing, by any of its names, adds to a score, as a part of it."""
_TYPED = 0.4
"""What a title that holds every token that was typed adds."""
_NAMED = 1000.0
"""Added when the query is the entry's name."""

_QUOTED = re.compile(r'"([^"]+)"')
_PHRASE = re.compile(r'"[a-z0-9]+ [^"]')
_HELD = "SELECT rid, held FROM records WHERE rid IN (SELECT value FROM json_each(?))"
_FEW = 400
"""Hits up to which sorting them is faster than meeting them among all entries in order."""
_NEWEST = "date DESC, id, rid"
_BM25 = f"bm25(text, {', '.join(f'{w:.1f}' for w in WEIGHTS.values())})"


class Ranked(NamedTuple):
    """One hit: the best document of an entry."""

    rid: int
    score: float


class Ranking(NamedTuple):
    """The first hits, and how many entries there are in all."""

    first: list[Ranked]
    total: int


def ranked(store: Store, asked: Compiled, text: str, limit: int, by_date: bool = False) -> Ranking:
    """The first `limit` hits, best (or newest) first, one for each entry."""
    if not (asked.wanted or asked.by_document):
        return _newest_entries(store, asked, limit)
    statement = _statement(asked, by_date)
    best, total = _first(store, statement, asked, max(POOL, limit), limit)
    if asked.wanted and not by_date:
        best = _lifted(_named(store, statement, best, text), asked)
    return Ranking(_in_language(store, statement, best[:limit], asked), total)


def _first(store: Store, statement: _Statement, asked: Compiled, pool: int, limit: int) -> tuple[list[_Row], int]:
    """The best documents of the first entries, and how many entries there are.

    Counting asks for the same hits again, which is cheap for words; a phrase is looked for once, and all of it taken.
    """
    if _PHRASE.search(asked.match or ""):
        scored = _best(statement.scored(store))
        held = dict(store.rows(_HELD, [_list(rid for rid, _ in scored[:pool])]))
        return [(rid, score, held[rid]) for rid, score in scored[:pool]], len(scored)
    rows = statement.rows(store, pool)
    best = _best(rows)
    if len(rows) == pool and len(best) < limit:
        best = _best(rows := statement.rows(store, -1))
    return best, len(best) if len(rows) != pool else statement.count(store)


def _in_language(store: Store, statement: _Statement, best: list[_Row], asked: Compiled) -> list[Ranked]:
    def matching(entries: str) -> list[int]:
        return [rid for rid, _, _ in statement.rows(store, -1, f" AND {statement.rid} >> 4 IN ({entries})")]

    instead = chosen(store, [rid for rid, _, _ in best], matching, asked.typed)
    return [Ranked(instead.get(rid, rid), score) for rid, score, _ in best]


def every(store: Store, asked: Compiled) -> list[int]:
    """Entry numbers of all hits."""
    return _statement(asked, False).entries(store)


_Row = tuple[int, float, str]
"""rid, score, tokens of the title."""


class _Statement(NamedTuple):
    """How documents are found (`found`), scored (`score`) and ordered; `rid` is what they are known by."""

    rid: str
    score: str
    found: str
    order: str
    parameters: list[object]

    def rows(self, store: Store, most: int, more: str = "") -> list[_Row]:
        """The first documents."""
        scored = f"SELECT {self.rid} AS rid, {self.score} AS score FROM {self.found}{more}"
        first = f"{scored} ORDER BY {self.order} LIMIT {most}"
        return store.rows(f"SELECT rid, score, held FROM ({first}) JOIN records USING (rid)", self.parameters)

    def scored(self, store: Store) -> list[tuple[int, float]]:
        """All documents."""
        return store.rows(
            f"SELECT {self.rid}, {self.score} AS score FROM {self.found} ORDER BY {self.order}", self.parameters
        )

    def count(self, store: Store) -> int:
        """Number of entries."""
        what = f"DISTINCT {self.rid} >> 4" if store.has_translations else "*"
        return int(store.rows(f"SELECT count({what}) FROM {self.found}", self.parameters)[0][0])

    def entries(self, store: Store) -> list[int]:
        """Every entry's number."""
        rows = store.rows(f"SELECT DISTINCT {self.rid} >> 4 FROM {self.found}", self.parameters)
        return [entry for (entry,) in rows]


def _statement(asked: Compiled, by_date: bool) -> _Statement:
    if asked.match and by_date:
        return _dated(asked)
    if asked.match:
        where, parameters = _where(asked.conditions, "rowid", "(rowid & -16)")
        return _Statement("rowid", _BM25, f"text WHERE text MATCH ?{where}", "score", [asked.match, *parameters])
    if asked.wanted and not by_date:
        return _scored(asked)
    return _newest(asked)


def _newest(asked: Compiled) -> _Statement:
    """Without text to rank by: newest first."""
    where, parameters = _where(asked.conditions, "rid", "(rid & -16)")
    return _Statement("rid", "0.0", f"records WHERE 1{where}", _NEWEST, parameters)


def _newest_entries(store: Store, asked: Compiled, limit: int) -> Ranking:
    """What is asked of entries alone: their originals, newest first. Few are sorted, many are met in that order."""
    total = _total(store, asked)
    rid = "rid" if total <= _FEW else "+rid"  # the sign keeps SQLite from sorting them all the same
    where, parameters = _where(asked.conditions, rid, rid)
    by = "" if total <= _FEW else "INDEXED BY records_newest"
    found = f"SELECT rid FROM records {by} WHERE rid & 15 = 0{where} ORDER BY {_NEWEST} LIMIT {limit}"
    rows = store.rows(found, parameters) if total and limit else []
    return Ranking([Ranked(rid, 0.0) for (rid,) in rows], total)


def _total(store: Store, asked: Compiled) -> int:
    """How many entries there are: counted where the conditions are kept, if every entry has its original."""
    if asked.conditions and all(each.entries for each in asked.conditions) and not store.has_orphans:
        first, *others = (each.entries for each in asked.conditions)
        found = " INTERSECT ".join([first.replace("SELECT", "SELECT DISTINCT", 1), *others])
        parameters: list[object] = [p for each in asked.conditions for p in each.parameters]
    else:
        where, parameters = _where(asked.conditions, "rid", "rid")
        found = f"SELECT rid FROM records WHERE rid & 15 = 0{where}"
    return int(store.rows(f"SELECT count(*) FROM ({found})", parameters)[0][0])


def _dated(asked: Compiled) -> _Statement:
    where, parameters = _where(asked.conditions, "rid", "(rid & -16)")
    found = f"records WHERE rid IN (SELECT rowid FROM text WHERE text MATCH ?){where}"
    return _Statement("rid", "0.0", found, _NEWEST, [asked.match, *parameters])


def _scored(asked: Compiled) -> _Statement:
    """Documents that meet conditions with text in them, scored by that text."""
    where, parameters = _where(asked.conditions, "records.rid", "(records.rid & -16)")
    scores = f"(SELECT rowid AS rid, {_BM25} AS score FROM text WHERE text MATCH ? LIMIT -1)"
    found = f"records LEFT JOIN {scores} s ON s.rid = records.rid WHERE 1{where}"
    wanted: list[object] = [any_of(asked.wanted)]
    return _Statement("records.rid", "coalesce(s.score, 0.0)", found, "2", [*wanted, *parameters])


def _where(conditions: Iterable[Condition], rid: str, entry: str) -> tuple[str, list[object]]:
    each = list(conditions)
    sql = "".join(f" AND {c.sql.format(rid=rid, entry=entry)}" for c in each)
    return sql, [parameter for c in each for parameter in c.parameters]


def _list(numbers: Iterable[int]) -> str:
    """Numbers as JSON, which SQLite reads as a table."""
    return f"[{','.join(map(str, numbers))}]"


R = TypeVar("R", tuple[int, float], _Row)


def _best(rows: list[R]) -> list[R]:
    """The first document of each entry."""
    first: dict[int, R] = {}
    for row in rows:
        first.setdefault(row[0] >> 4, row)
    return list(first.values())


def _named(store: Store, statement: _Statement, best: list[_Row], text: str) -> list[_Row]:
    """Hits whose id, alias or title is the whole query get a score that no other reaches."""
    key = squash(text)
    named = {rid >> 4 for (rid,) in store.rows("SELECT rid FROM names WHERE key = ?", [key])} if key else set()
    if not named:
        return best
    missing = named - {rid >> 4 for rid, _, _ in best}
    if missing:
        entries = ", ".join(map(str, missing))
        best = [*best, *_best(statement.rows(store, -1, f" AND {statement.rid} >> 4 IN ({entries})"))]
    return [(rid, score - _NAMED, held) if rid >> 4 in named else (rid, score, held) for rid, score, held in best]


def _lifted(best: list[_Row], asked: Compiled) -> list[_Row]:
    """The order that the titles give; scores turn positive."""
    wanted = [[f" {each} " for each in _QUOTED.findall(expression)] for expression in asked.wanted]
    typed = [[f" {each} "] for each in asked.typed]
    lifted = [
        (rid, -score * (1 + _COVERED * _held(held, wanted) + _TYPED * _held(held, typed)), held)
        for rid, score, held in best
    ]
    return sorted(lifted, key=lambda row: (-row[1], row[0]))


def _held(held: str, groups: list[list[str]]) -> float:
    """The share of the groups of which a title's tokens hold a member."""
    return sum(any(each in held for each in group) for group in groups) / max(1, len(groups))
