"""What is taken from whoosh: the machinery of its query parser, and its spelling. The only module that imports it.

Importing it takes 55 ms, so nothing that a plain search needs may import this module at its top.

Of whoosh's spelling we take how suggestions are chosen (`Corrector.suggest`) and how errors are counted; where the
words come from is ours. Its `ListCorrector`, measured on the 36,875 words of 10,000 entries, wants all of them in
memory (15 to 33 ms to read; ours asks SQLite for the 13 to 340 that begin alike, 0.5 to 8 ms with their distances),
counts two swapped letters as two errors (`psuh` has no neighbour at one), and gives every suggestion the same score, so
that the nearest is not first. Its Damerau distance is as fast as our own was, and exact up to its limit.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from typing import NamedTuple

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from whoosh.qparser import QueryParser, plugins, syntax
    from whoosh.spelling import Corrector
    from whoosh.support.levenshtein import damerau_levenshtein

__all__ = ["Candidate", "QueryParser", "Speller", "errors", "plugins", "syntax"]


class Candidate(NamedTuple):
    """A word that may have been meant."""

    word: str
    key: str
    """How it is compared."""
    weight: float = 0.0
    """Less than 1: what puts it before equally near ones."""


class Speller(Corrector):  # type: ignore[misc]
    """Suggests among some candidates: the nearest, then the weightiest, then the first of the alphabet."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self._candidates = candidates

    def _suggestions(self, text: str, maxdist: int, prefix: int) -> Iterator[tuple[float, str]]:
        for word, key, weight in self._candidates:
            if key[:prefix] == text[:prefix] and (distance := errors(text, key, maxdist)) <= maxdist:
                yield weight - distance, word


def errors(a: str, b: str, most: int) -> int:
    """Typing errors between two words (insert, drop, replace, swap neighbours), or more than `most` if it is more."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    return 0 if a == b else int(damerau_levenshtein(a, b, most))
