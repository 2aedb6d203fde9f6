"""Terms of the vocabulary inside the text of a query: in any language, of several words, or within a Japanese run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kb.store import Store
from kb.tokens import Token, spans

_LONGEST = 16
"""Tokens that a name of a term may have to be found inside a longer text."""
_MOST_KEYS = 800


class Segment(NamedTuple):
    """A stretch of the query: text as it is, or text that names terms."""

    text: str
    concepts: tuple[str, ...] = ()
    """Tokens that stand for those terms in the index."""
    whole: bool = False
    """The term is the whole of the text that was asked about."""


def segments(store: Store, text: str) -> list[Segment]:
    """The text cut at the terms in it; the longest name wins, and of equally long ones the first."""
    found = spans(text)
    stretches = windows(found)
    terms = _terms(store, {_key(found[a:b]) for a, b in stretches})
    if not terms:
        return [Segment(text)]
    cut: list[Segment] = []
    done = 0
    for a, b in _chosen(found, stretches, terms):
        start, end = found[a].start, _word_end(text, found[b - 1].end)
        cut += [Segment(text[done:start]), Segment(text[start:end], terms[_key(found[a:b])], b - a == len(found))]
        done = end
    return [*cut, Segment(text[done:])]


def _word_end(text: str, end: int) -> int:
    """The end of a term with its last long vowel, which the tokens leave out."""
    while text[end : end + 1] in {"ー", "ｰ"}:
        end += 1
    return end


def windows(found: list[Token]) -> list[tuple[int, int]]:
    """Stretches of tokens that could be a term, first and longest first; an identifier is not cut."""
    starts = [i for i, t in enumerate(found) if t.run is None or not i or found[i - 1].run != t.run]
    ends = {i + 1 for i, t in enumerate(found) if t.run is None or i + 1 == len(found) or found[i + 1].run != t.run}
    return [(a, b) for a in starts for b in range(min(len(found), a + _LONGEST), a, -1) if b in ends]


def _chosen(
    found: list[Token], stretches: list[tuple[int, int]], terms: dict[str, tuple[str, ...]]
) -> Iterator[tuple[int, int]]:
    """The windows that are terms, none overlapping another."""
    done = 0
    for a, b in stretches:
        if found[a].start >= done and _key(found[a:b]) in terms:
            yield a, b
            done = found[b - 1].end


def names_of(store: Store, concepts: Iterable[str]) -> list[str]:
    """Every name of the terms that some tokens stand for."""
    wanted = list(concepts)
    marks = ",".join("?" * len(wanted))
    return [n for (n,) in store.rows(f"SELECT DISTINCT name FROM terms WHERE concept IN ({marks})", wanted)]


def keys_of(store: Store, concepts: Iterable[str]) -> list[str]:
    """The tokens of every name of the terms that some tokens stand for."""
    wanted = list(concepts)
    marks = ",".join("?" * len(wanted))
    return [key for (key,) in store.rows(f"SELECT DISTINCT key FROM terms WHERE concept IN ({marks})", wanted) if key]


def long_keys_of(store: Store, concepts: Iterable[str]) -> list[str]:
    """The tokens of the terms' names of several words."""
    wanted = list(concepts)
    marks = ",".join("?" * len(wanted))
    sql = f"SELECT DISTINCT key FROM terms WHERE concept IN ({marks}) AND name LIKE '% %' ORDER BY key"
    return [key for (key,) in store.rows(sql, wanted) if " " in key]


def _terms(store: Store, keys: set[str]) -> dict[str, tuple[str, ...]]:
    """The tokens of terms, by the parts that name them."""
    wanted = list(keys)[:_MOST_KEYS]
    marks = ",".join("?" * len(wanted))
    found: dict[str, list[str]] = {}
    for key, concept in store.rows(f"SELECT DISTINCT key, concept FROM terms WHERE key IN ({marks})", wanted):
        found.setdefault(key, []).append(concept)
    return {key: tuple(concepts) for key, concepts in found.items()}


def _key(found: list[Token]) -> str:
    return " ".join(token.text for token in found)
