"""Terms of the vocabulary inside the text of a query: in any language, of several words, or within a Japanese run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kb.store import Store
from kb.tokens import Token, spans

_LONGEST = 16
"""Tokens that a name of a term may have to be found inside a longer text."""
_MOST_KEYS = 800


class Segment(NamedTuple):
    """A stretch of the query: text as it is, or a term with all its names."""

    text: str
    names: tuple[str, ...] = ()
    whole: bool = False
    """The term is the whole of the text that was asked about."""


def segments(store: Store, text: str) -> list[Segment]:
    """The text cut at the terms in it; the longest name wins, and of equally long ones the first."""
    found = spans(text)
    terms = _terms(store, found)
    if not terms:
        return [Segment(text)]
    cut: list[Segment] = []
    done = at = 0
    while at < len(found):
        length = next((n for n in range(min(_LONGEST, len(found) - at), 0, -1) if _key(found[at : at + n]) in terms), 0)
        if not length:
            at += 1
            continue
        start, end = found[at].start, found[at + length - 1].end
        cut += [
            Segment(text[done:start]),
            Segment(text[start:end], terms[_key(found[at : at + length])], length == len(found)),
        ]
        done, at = end, _next_after(found, at + length, end)
    return [*cut, Segment(text[done:])]


def names_of(store: Store, terms: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Every name of some terms."""
    wanted = list(terms)
    marks = ",".join("?" * len(wanted))
    found: dict[str, list[str]] = {}
    for term, name in store.rows(f"SELECT term, name FROM terms WHERE term IN ({marks}) ORDER BY rowid", wanted):
        found.setdefault(term, []).append(name)
    return {term: tuple(dict.fromkeys(names)) for term, names in found.items()}


def _terms(store: Store, found: list[Token]) -> dict[str, tuple[str, ...]]:
    """Names of the terms in a text, by the tokens that stand for them."""
    keys = {_key(found[i : i + n]) for i in range(len(found)) for n in range(1, min(_LONGEST, len(found) - i) + 1)}
    wanted = list(keys)[:_MOST_KEYS]
    marks = ",".join("?" * len(wanted))
    by_key: dict[str, list[str]] = {}
    for key, term in store.rows(f"SELECT DISTINCT key, term FROM terms WHERE key IN ({marks})", wanted):
        by_key.setdefault(key, []).append(term)
    if not by_key:
        return {}
    names = names_of(store, {term for terms in by_key.values() for term in terms})
    return {key: tuple(dict.fromkeys(n for term in terms for n in names[term])) for key, terms in by_key.items()}


def _key(found: list[Token]) -> str:
    return " ".join(token.text for token in found)


def _next_after(found: list[Token], at: int, end: int) -> int:
    """Past the pairs that reach over the end of a term inside a Japanese run."""
    while at < len(found) and found[at].start < end:
        at += 1
    return at
