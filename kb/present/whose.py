"""Whose claims they are, on one line: evaluations with their number of claims, or the claims of a single one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from kb.present.text import width


def whose(claims: Sequence[tuple[str, str]], room: int, own: AbstractSet[str] = frozenset()) -> str:
    """Of pairs of evaluation and claim as much as fits into `room` columns; what is `own` stands first, with a mark."""
    per = Counter(evaluation for evaluation, _ in claims)
    if len(per) == 1:
        return fitting([claim for _, claim in claims], room, f"{marked(claims[0][0], own)}/")
    ordered = sorted(per.most_common(), key=lambda pair: pair[0] not in own)
    return fitting([f"{marked(name, own)} ({number})" for name, number in ordered], room)


def marked(name: str, own: AbstractSet[str]) -> str:
    """A name, with a mark where it is the base's own."""
    return f"*{name}" if name in own else name


def fitting(names: Sequence[str], room: int, first: str = "") -> str:
    """`a, b and 3 more`, with at least one name."""
    number = len(names)
    while number > 1 and width(_few(names, number, first)) > room:
        number -= 1
    return _few(names, number, first)


def _few(names: Sequence[str], number: int, first: str) -> str:
    left = len(names) - number
    return first + ", ".join(names[:number]) + (f" and {left} more" if left else "")
