"""Queries in process on 10,000 entries: p50 and p95 of every kind in the query language, beside the raw statement.

The raw statement is what SQLite is asked for the same hits: the full-text match as it is compiled (terms of the
vocabulary included), ordered by bm25 with the same weights, or the SQL condition on numbers, dates and facets, with the
columns that a list shows. Ours is the whole search up to the same list, without snippets; p95 is with snippets.

Every search also says how many hits there are. For fields, ranges and dates the raw side counts them too, by the
plain `SELECT count(*)`; beside a ranked match, which has looked at every hit anyway, it does not. Dates are ranges like
any other, because a record dated by its month or year alone is in every range that overlaps it: a comparison of the
date's text, which this benchmark had before, stops at the tenth row of an index and finds other records.
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
COUNTED = "SELECT count(*) FROM records r WHERE rid IN (%s)"
FACET = FOUND % "SELECT rid FROM facets WHERE field = ? AND value = ?"
NUMBERS = FOUND % "SELECT rid FROM numbers WHERE field = ? AND high >= ? AND low <= ?"

WITH_RAW: tuple[tuple[str, str, str, tuple[object, ...]], ...] = (
    ("term, common", "latency", RANKED, ("latency",)),
    ("term, Japanese, two characters", "転送", RANKED, ('"転送"',)),
    ("AND of two", "transfer cache", RANKED, ("transfer AND cache",)),
    ("AND of three", "transfer cache load", RANKED, ("transfer AND cache AND load",)),
    ("phrase", '"the transfer of"', RANKED, ('"the transfer of"',)),
    ("field", "hardware:H200", FACET, ("hardware", "H200")),
    ("range", "qps:>=8", NUMBERS, ("qps", 8.0, 9e99)),
    ("closed range", "ttft:[200 TO 400]", NUMBERS, ("ttft", 200.0, 400.0)),
    ("dates", "date:2026-10", NUMBERS, ("date", 20261001, 20261031)),
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
    statements = (sql,) if sql is RANKED else (sql, _counting(sql))
    contestants: dict[str, Callable[[], object]] = {
        "ours": lambda: search(store, text, limit=10).heads,
        "raw": lambda: [store.rows(each, parameters) for each in statements],
        "whole": partial(_ask, store, text, ()),
    }
    times = calls(contestants, runs)
    ours, raw, whole = times["ours"], times["raw"], times["whole"]
    total = search(store, text).total
    return Row(name, p50(ours), "raw statement", p50(raw), BOUND, note=f"p95 {p95(whole):.2f}, {total} hits")


def _counting(sql: str) -> str:
    """The statement that counts the hits of a list."""
    before, _, after = FOUND.partition("%s")
    return COUNTED % sql.removeprefix(before).removesuffix(after)


def _alone(store: Store, runs: int, name: str, text: str, facets: tuple[str, ...]) -> Row:
    times = _times(partial(_ask, store, text, facets), runs)
    return Row(name, p50(times), note=f"p95 {p95(times):.2f}, {search(store, text).total} hits")
