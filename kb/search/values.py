"""Values of a vocabulary field that a query's value means, in any spelling and by any alias of a component."""

from __future__ import annotations

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
    known = store.rows("SELECT value, key, tokens FROM facet_values WHERE field = ?", [query.field])
    key = squash(query.value)
    if query.how == "prefix":
        return [value for value, k, _ in known if k.startswith(key)][:_MOST] if key else []
    if query.how == "fuzzy":
        return [value for value, k, _ in known if within(k, key, query.distance) <= query.distance][:_MOST]
    exact = _exact(store, query, key, known)
    if query.field in CLOSED_FIELDS or (exact and query.field == "component"):
        return exact[:_MOST]
    return list(dict.fromkeys((*exact, *_containing(query.value, known))))[:_MOST]


def _exact(store: Store, query: Facet, key: str, known: list[tuple[str, str, str]]) -> list[str]:
    keys = {key}
    if query.field in _BY_ALIAS:
        keys |= {squash(id_) for id_ in store.resolve(query.value)}
    keys |= {squash(name) for name in _term_names(store, query.value)}
    return [value for value, k, _ in known if k in keys]


def _term_names(store: Store, value: str) -> tuple[str, ...]:
    """Other names of a term of the vocabulary, itself included (`hardware:` in any language)."""
    terms = [term for (term,) in store.rows("SELECT DISTINCT term FROM terms WHERE key = ?", [" ".join(tokens(value))])]
    return tuple(name for names in names_of(store, terms).values() for name in names) if terms else ()


def _containing(value: str, known: list[tuple[str, str, str]]) -> list[str]:
    """Stored values that hold the value's parts in order, or the version it is."""
    each = units(value)
    wanted = f" {each[0].name} " if len(each) == 1 and each[0].exact else f" {' '.join(tokens(value))} "
    return [stored for stored, _, held in known if wanted in held] if wanted.strip() else []
