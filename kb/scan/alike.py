"""How alike two symbols are."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from kb.scan.normal import Form
from kb.scan.symbols import Symbol

ALIKE = 0.5
"""Share of statements two bodies of one name must have in common to be one function that changed."""

SUBSTANCE = 3
"""Statements (head included) a body must have to be recognised under another name."""


def same(old: Symbol, new: Symbol) -> bool:
    """Whether two symbols do the same; equal text is not normalised, other text as far as it is alike."""
    if old is new or (old.text == new.text and old.aliases == new.aliases):
        return True
    if (known := old.code.beside) and known[0] is new.code:
        return known[1].same
    if "digest" in vars(old) and "digest" in vars(new):
        return old.digest == new.digest
    try:
        return equal(*((leaf.key for leaf in each.walk(Form(each.aliases))) for each in (old, new)))
    except RecursionError:
        return old.text == new.text


def equal(old: Iterable[object], new: Iterable[object]) -> bool:
    """Whether two walks yield the same; neither goes on beyond the first difference."""
    return all(a == b for a, b in zip_longest(old, new, fillvalue=None))


def likeness(old: Symbol, new: Symbol) -> float:
    """Share of statements in common, 0 to 1 (Dice's coefficient over statements in normal form, heads left out)."""
    a, b = old.bag, new.bag
    total = a.total() + b.total()
    return 2 * sum(min(count, b[step]) for step, count in a.items() if step in b) / total if total else 0.0


def solid(symbol: Symbol) -> bool:
    """Whether there is enough of it to be known by its body."""
    return len(symbol.steps) >= SUBSTANCE
