"""What `kb search` answers, as data that the browser's answers are compared with."""

from __future__ import annotations

from typing import Any

from kb.errors import QueryError
from kb.search import parse, search
from kb.search.compile import compiled
from kb.search.rank import _BM25
from kb.store import Store

FACETS = ("kind", "component", "model", "hardware", "topology", "source", "lang", "outcome")


def answer(store: Store, text: str, limit: int = 10) -> dict[str, Any]:
    """Everything that is shown for a query: count, hits in order, snippets, facets, did you mean; or the error."""
    try:
        found = search(store, text, limit=limit, facets=FACETS)
    except QueryError as error:
        return {"q": text, "error": [error.message, error.position, error.hint]}
    return {
        "q": text,
        "total": found.total,
        "hits": [[hit.head.id, hit.head.lang, hit.score, hit.snippet] for hit in found.hits],
        "facets": {field: [[value, count] for value, count in found.facets[field].items()] for field in FACETS},
        "did_you_mean": found.did_you_mean,
    }


def lost_places(store: Store, text: str) -> bool:
    """Whether FTS5 scores some document of a query otherwise in a scan than by itself.

    SQLite 3.40 forgets a phrase's places in a document that it has gone ahead to while another part of the same
    bracket was found not to match (fts5ExprNodeTest_AND clears the lists of all parts, wherever they stand), so that
    such a score depends on which documents lie before. The browser gives every document its own score.
    """
    match = compiled(store, parse(store, text)).match
    if match is None or " AND " not in match:
        return False
    scanned = store.rows(f"SELECT rowid, {_BM25} FROM text WHERE text MATCH ?", [match])
    alone = f"SELECT {_BM25} FROM text WHERE text MATCH ? AND rowid = ?"
    return any(abs(store.rows(alone, [match, rowid])[0][0] - score) > 1e-9 for rowid, score in scanned)
