"""Misspellings: words of the index near a word, and what a query that found nothing may have meant."""

from __future__ import annotations

from collections.abc import Iterable

from kb.store import Store
from kb.tokens import squash


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
    return sorted(other for (other,) in rows if within(word, other, distance) <= distance)


def within(a: str, b: str, most: int) -> int:
    """Typing errors between two words (insert, drop, replace, swap neighbours), or more than `most` if it is more."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    if a == b:
        return 0
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]


def nearest(word: str, others: Iterable[str]) -> str | None:
    """The most alike of some words, or None; short words allow one error, longer ones two."""
    key = squash(word)
    most = 1 if len(key) < 5 else 2
    scored = sorted((within(key, squash(other), most), other) for other in others)
    return scored[0][1] if scored and scored[0][0] <= most else None
