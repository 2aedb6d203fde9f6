"""Misspellings: words of the index near a word, and the best of some candidates. How errors are counted is whoosh's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kb.store import Store
from kb.tokens import squash

if TYPE_CHECKING:
    from kb.search.borrowed import Candidate


def near_words(store: Store, text: str, distance: int) -> list[str] | None:
    """Words of the index at most so many typing errors away that begin alike; None for text that is no single word."""
    word = squash(text)
    if not word or word > "\u1100" or not word[0].isalnum():
        return None
    first = word[0]
    rows = store.rows(
        "SELECT word FROM words WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ?",
        [first, chr(ord(first) + 1), len(word) - distance, len(word) + distance],
    )
    return sorted(other for (other,) in rows if within(word, other, distance))


def within(a: str, b: str, most: int) -> bool:
    """Whether two words are at most so many typing errors apart."""
    from kb.search.borrowed import errors

    return errors(a, b, most) <= most


def most_errors(key: str) -> int:
    """Typing errors that a word may have: short ones one, longer ones two."""
    return 1 if len(key) < 5 else 2


def best(key: str, candidates: Iterable[Candidate]) -> str | None:
    """The candidate that was meant, or None when none is near."""
    from kb.search.borrowed import Speller

    known = list(candidates)  # all are asked for: of equals a smaller limit keeps the last
    found = Speller(known).suggest(key, limit=len(known) + 1, maxdist=most_errors(key))
    return found[0] if found else None


def nearest(word: str, others: Iterable[str]) -> str | None:
    """The most alike of some words, or None."""
    from kb.search.borrowed import Candidate

    return best(squash(word), (Candidate(other, squash(other)) for other in others))
