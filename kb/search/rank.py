"""Order of the hits: entries about a thing before entries that mention it.

A hit's score is BM25 over weighted columns (title, names, claims and tags above facts above body), raised by how much
of the query its title holds; an entry whose id, alias or title *is* the query comes first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from kb.search.compile import Compiled, Condition
from kb.search.match import any_of
from kb.store import Store
from kb.tokens import analyse, squash

WEIGHTS = {"title": 20, "ident": 8, "claims": 5, "tags": 5, "facts": 3, "body": 1, "title_names": 12, "names": 1}
"""In the order of kb.store.schema.TEXT_COLUMNS; BM25 saturates, so that a body's tenth mention still adds little."""

POOL = 100
"""Hits that are looked at twice."""
_TITLE = 0.6
"""What a title that holds the whole query adds to a score, as a part of it."""
_NAMED = 1000.0
"""Added when the query is the entry's name."""

_QUOTED = re.compile(r'"([^"]+)"')
_BM25 = f"bm25(text, {', '.join(f'{w:.1f}' for w in WEIGHTS.values())})"


class Ranked(NamedTuple):
    """One hit: the best document of an entry."""

    rid: int
    score: float


def ranked(store: Store, asked: Compiled, text: str, by_date: bool = False) -> list[Ranked]:
    """Every hit, best (or newest) first, one for each entry."""
    if not asked.wanted:
        return _newest(store, asked)
    hits = _best(_matched(store, asked) if asked.match else _filtered(store, asked))
    if by_date:
        return _by_date(store, hits)
    ordered = sorted(hits, key=_best_first)
    return _lifted(store, _named_first(store, ordered, text), asked) if ordered else ordered


def _best_first(hit: Ranked) -> tuple[float, int]:
    return -hit.score, hit.rid


def _matched(store: Store, asked: Compiled) -> list[tuple[int, float]]:
    where, parameters = _where(asked.conditions, "rowid")
    sql = f"SELECT rowid, -{_BM25} FROM text WHERE text MATCH ?{where}"
    return store.rows(sql, [asked.match, *parameters])


def _filtered(store: Store, asked: Compiled) -> list[tuple[int, float]]:
    """Documents that meet conditions with text in them, scored by that text."""
    where, parameters = _where(asked.conditions, "rid")
    scores = dict(store.rows(f"SELECT rowid, -{_BM25} FROM text WHERE text MATCH ?", [any_of(asked.wanted)]))
    return [(rid, scores.get(rid, 0.0)) for (rid,) in store.rows(f"SELECT rid FROM records WHERE 1{where}", parameters)]


def _newest(store: Store, asked: Compiled) -> list[Ranked]:
    where, parameters = _where(asked.conditions, "rid")
    rows = store.rows(f"SELECT rid FROM records WHERE 1{where} ORDER BY date DESC, id, rid", parameters)
    first: dict[int, int] = {}
    for (rid,) in rows:
        first.setdefault(rid >> 4, rid)
    return [Ranked(rid, 0.0) for rid in first.values()]


def _where(conditions: Iterable[Condition], rid: str) -> tuple[str, list[object]]:
    each = list(conditions)
    return "".join(f" AND {c.sql.format(rid=rid)}" for c in each), [p for c in each for p in c.parameters]


def _best(rows: list[tuple[int, float]]) -> list[Ranked]:
    """The best document of each entry; of equals the original."""
    best: dict[int, tuple[int, float]] = {}
    for row in rows:
        entry = row[0] >> 4
        if entry not in best or row[1] > best[entry][1]:
            best[entry] = row
    return [Ranked(*row) for row in best.values()]


def _by_date(store: Store, hits: list[Ranked]) -> list[Ranked]:
    scores = dict(hits)
    wanted = json.dumps(list(scores))
    rows = store.rows(
        "SELECT rid FROM records WHERE rid IN (SELECT value FROM json_each(?)) ORDER BY date DESC, id", [wanted]
    )
    return [Ranked(rid, scores[rid]) for (rid,) in rows]


def _named_first(store: Store, hits: list[Ranked], text: str) -> list[Ranked]:
    """Hits whose id, alias or title is the whole query, then the others."""
    key = squash(text)
    named = {rid >> 4 for (rid,) in store.rows("SELECT rid FROM names WHERE key = ?", [key])} if key else ()
    if not named:
        return hits
    first = [Ranked(rid, score + _NAMED) for rid, score in hits if rid >> 4 in named]
    return first + [hit for hit in hits if hit.rid >> 4 not in named]


def _lifted(store: Store, hits: list[Ranked], asked: Compiled) -> list[Ranked]:
    """The first hits in the order that their titles give them."""
    pool = hits[:POOL]
    heads = store.heads(hit.rid for hit in pool)
    wanted = [[f" {each} " for each in _QUOTED.findall(expression)] for expression in asked.wanted]
    lifted = [Ranked(rid, score * (1 + _TITLE * _coverage(heads[rid].title, wanted))) for rid, score in pool]
    return sorted(lifted, key=_best_first) + hits[POOL:]


def _coverage(title: str, wanted: list[list[str]]) -> float:
    """How much of the query a title holds, 0 to 1."""
    found = analyse(title)
    held = f" {' '.join(found.parts)} {' '.join(found.names)} "
    return sum(any(each in held for each in group) for group in wanted) / len(wanted)
