"""Values of a vocabulary field that a query's value means, in any spelling and by any alias of a component."""

from __future__ import annotations

from collections.abc import Iterator

from kb.search.query import Facet
from kb.search.spell import within
from kb.search.terms import names_of
from kb.store import Store
from kb.store.schema import CLOSED_FIELDS
from kb.tokens import squash, tokens, units

_BY_ALIAS = ("component", "connector", "engine")
_MOST = 900


def resolved(store: Store, query: Facet) -> list[str]:
    """The stored values meant. A closed field's value is meant whole; elsewhere part of a value will do (model:qwen3
    means Qwen3-32B), except that a component named exactly means no other.
    """
    key = squash(query.value)
    if query.how in ("prefix", "fuzzy"):
        return _like(store, query, key)
    import json

    keys = json.dumps([key, *_other_keys(store, query)])
    rows = store.rows(_MEANT, [keys, _held(query.value), query.field])
    exact = [value for value, is_exact in rows if is_exact]
    if query.field in CLOSED_FIELDS or (exact and query.field == "component"):
        return exact
    return [value for value, _ in rows]


_MEANT = f"""
SELECT value, key IN (SELECT value FROM json_each(?1)) AS exact FROM facet_values
WHERE field = ?3 AND (exact OR (?2 <> '' AND instr(tokens, ?2))) LIMIT {_MOST}
"""


def _like(store: Store, query: Facet, key: str) -> list[str]:
    """Values that begin with the key, or are a few typing errors from it."""
    known = store.rows("SELECT value, key FROM facet_values WHERE field = ?", [query.field]) if key else []
    if query.how == "prefix":
        return [value for value, k in known if k.startswith(key)][:_MOST]
    return [value for value, k in known if within(k, key, query.distance)][:_MOST]


def _other_keys(store: Store, query: Facet) -> Iterator[str]:
    """Keys of other names of the thing meant."""
    if query.field in _BY_ALIAS:
        yield from map(squash, store.resolve(query.value))
    yield from map(squash, _term_names(store, query.value))


def _term_names(store: Store, value: str) -> list[str]:
    """Other names of a term of the vocabulary (`hardware:` in any language)."""
    found = store.rows("SELECT DISTINCT concept FROM terms WHERE key = ?", [" ".join(tokens(value))])
    return names_of(store, (concept for (concept,) in found)) if found else []


def _held(value: str) -> str:
    """What a stored value has to hold: the value's parts in order, or the version it is."""
    each = units(value)
    if len(each) == 1 and each[0].exact:
        return f" {each[0].name} "
    return f" {' '.join(tokens(value))} " if each else ""
