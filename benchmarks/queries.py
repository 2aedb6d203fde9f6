"""Queries in process on 10,000 entries: p50 and p95 of every kind in the query language, beside the raw statement.

The raw statement is what SQLite is asked for the same hits: the full-text match as it is compiled (terms of the
vocabulary included), ordered by bm25 with the same weights, or the SQL condition on numbers, dates and facets, with the
columns that a list shows. Ours is the whole search up to the same list, without snippets; p95 is with snippets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks.timing import Row, calls, p50, p95
from kb.search import parse, rank, search
from kb.search.compile import compiled
from kb.store import Store

BOUND = 1.5
HEADS = "r.rid, r.id, r.kind, r.lang, r.title, r.date, r.path, r.base"
RANKED = f"""SELECT {HEADS} FROM text JOIN records r ON r.rid = text.rowid
WHERE text MATCH ? ORDER BY {rank._BM25} LIMIT 10"""
FOUND = f"SELECT {HEADS} FROM records r WHERE rid IN (%s) ORDER BY date DESC LIMIT 10"
FACET = FOUND % "SELECT rid FROM facets WHERE field = ? AND value = ?"
NUMBERS = FOUND % "SELECT rid FROM numbers WHERE field = ? AND high >= ? AND low <= ?"
DATES = f"SELECT {HEADS} FROM records r WHERE date >= ? AND date <= ? ORDER BY date DESC LIMIT 10"

WITH_RAW: tuple[tuple[str, str, str, tuple[object, ...]], ...] = (
    ("term, common", "latency", RANKED, ("latency",)),
    ("term, Japanese, two characters", "転送", RANKED, ('"転送"',)),
    ("AND of two", "transfer cache", RANKED, ("transfer AND cache",)),
    ("AND of three", "transfer cache load", RANKED, ("transfer AND cache AND load",)),
    ("phrase", '"the transfer of"', RANKED, ('"the transfer of"',)),
    ("field", "hardware:H200", FACET, ("hardware", "H200")),
    ("range", "qps:>=8", NUMBERS, ("qps", 8.0, 9e99)),
    ("closed range", "ttft:[200 TO 400]", NUMBERS, ("ttft", 200.0, 400.0)),
    ("dates", "date:2026-10", DATES, ("2026-10-01", "2026-10-31")),
)
REPORTED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("OR of three", "handshake OR lease OR fabric", ()),
    ("NOT", "latency -router", ()),
    ("parentheses", "(lease OR handshake) AND latency", ()),
    ("prefix", "trans*", ()),
    ("fuzzy", "latancy~", ()),
    ("identifier", "NixlPushConnector", ()),
    ("identifier in words", "nixl push connector", ()),
    ("Japanese phrase", "初回トークン", ()),
    ("cross-language term", "tempo até o primeiro token", ()),
    ("words and fields", "latency hardware:H200 qps:>=4", ()),
    ("one facet", "latency", ("kind",)),
    ("three facets", "latency", ("model", "hardware", "topology")),
    ("everything, three facets", "*", ("model", "hardware", "component")),
    ("typo, did you mean", "latencyy hanshake", ()),
)


def measure(store: Store, runs: int) -> list[Row]:
    """Rows for every kind of query."""
    rows = [_beside(store, runs, *each) for each in WITH_RAW]
    rows += [_alone(store, runs, *each) for each in REPORTED]
    by_date = _times(partial(_ask, store, "latency", (), "date"), runs)
    return [*rows, Row("sorted by date", p50(by_date), note=f"p95 {p95(by_date):.2f}")]


def _ask(store: Store, text: str, facets: tuple[str, ...], sort: str = "relevance") -> dict[str, object]:
    return search(store, text, limit=10, sort="date" if sort == "date" else "relevance", facets=facets).as_dict()


def _times(call: Callable[[], object], runs: int) -> list[float]:
    return calls({"ours": call}, runs)["ours"]


def _beside(store: Store, runs: int, name: str, text: str, sql: str, parameters: tuple[object, ...]) -> Row:
    if sql is RANKED:
        parameters = (compiled(store, parse(store, text)).match,)
    contestants = {
        "ours": lambda: search(store, text, limit=10).heads,
        "raw": lambda: store.rows(sql, parameters),
        "whole": partial(_ask, store, text, ()),
    }
    times = calls(contestants, runs)
    ours, raw, whole = times["ours"], times["raw"], times["whole"]
    total = search(store, text).total
    return Row(name, p50(ours), "raw statement", p50(raw), BOUND, note=f"p95 {p95(whole):.2f}, {total} hits")


def _alone(store: Store, runs: int, name: str, text: str, facets: tuple[str, ...]) -> Row:
    times = _times(partial(_ask, store, text, facets), runs)
    return Row(name, p50(times), note=f"p95 {p95(times):.2f}, {search(store, text).total} hits")
