"""What a query that found nothing may have meant: its words, ids and values respelt so that each is known."""

from __future__ import annotations

from collections.abc import Iterator

from kb.search import match
from kb.search.query import And, Facet, Not, Or, Query, Text
from kb.search.spell import best, most_errors, near_words, nearest
from kb.search.values import resolved
from kb.store import Store
from kb.tokens import squash


def corrected(store: Store, text: str, query: Query) -> str | None:
    """The query with what is unknown in it replaced by what is near, or None."""
    result = text
    for leaf in _wanted(query):
        better = _respelt(store, leaf)
        if better:
            found = leaf.value if isinstance(leaf, Facet) else leaf.text
            result = result.replace(found, better, 1)
    return result if result != text else None


def _wanted(query: Query) -> Iterator[Text | Facet]:
    """Leaves that a hit has to have; what is negated explains no missing hit."""
    if isinstance(query, And | Or):
        for part in query.parts:
            yield from _wanted(part)
    elif isinstance(query, Text | Facet):
        yield query
    elif isinstance(query, Not):
        return


def _respelt(store: Store, leaf: Text | Facet) -> str | None:
    if isinstance(leaf, Facet):
        return None if resolved(store, leaf) else _value(store, leaf)
    if leaf.how in ("phrase", "prefix") or _is_found(store, leaf):
        return None
    return _word(store, leaf.text, names_only=leaf.field == "id")


def _value(store: Store, leaf: Facet) -> str | None:
    values = [value for (value,) in store.rows("SELECT value FROM facet_values WHERE field = ?", [leaf.field])]
    near = nearest(leaf.value, values)
    return f'"{near}"' if near and " " in near and leaf.how != "phrase" else near


def _is_found(store: Store, leaf: Text) -> bool:
    found = match.text(store, leaf)
    return found is None or bool(store.rows("SELECT 1 FROM text WHERE text MATCH ? LIMIT 1", [found]))


def _word(store: Store, text: str, names_only: bool) -> str | None:
    """The nearest id or alias, or word; of equally near ones a name, then the commonest."""
    from kb.search.borrowed import Candidate

    key = squash(text)
    names = {name: Candidate(name, k, _NAME) for k, name in _names_like(store, key)}
    words = [] if names_only else (near_words(store, text, most_errors(key)) or [])[:_MOST]
    counted = [Candidate(word, word, _weight(count)) for word in words if (count := _count(store, word))]
    return best(key, [*(each for each in counted if each.word not in names), *names.values()])


_NAME = 0.9
"""Weight of a name beside words, however common they are."""
_MOST = 50
"""Words that are counted."""


def _weight(count: int) -> float:
    """Half at most, and more the more entries hold a word."""
    return 0.5 * (1 - 1 / (1 + count))


def _names_like(store: Store, key: str) -> list[tuple[str, str]]:
    """Keys and ids or aliases that begin as the key does."""
    sql = "SELECT DISTINCT key, name FROM names WHERE what IN ('id', 'alias') AND key >= ? AND key < ?"
    return store.rows(sql, [key[:1], chr(ord(key[0]) + 1)]) if key else []


def _count(store: Store, word: str) -> int:
    return int(store.rows("SELECT count(*) FROM text WHERE text MATCH ?", [match.phrase([word])])[0][0])
