"""What may go on under another name with another body: a suggestion for a person, nothing is concluded from it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.scan.match import Match, Status
from kb.scan.symbols import FUNCTION, Symbol

SHARED = 0.5
"""Share of words two bodies must have in common to be named together."""
NEARBY = 0.3
"""The same, where the names have half of their words in common and stand in one class or file."""
FEWEST = 5
"""Words that a body must have to be compared at all."""


def continued(matches: Iterable[Match]) -> dict[int, str]:
    """id of a removed function -> the added one that may go on with what it did."""
    matches = list(matches)
    gone = [each.old for each in matches if each.status is Status.REMOVED and each.old and each.old.kind == FUNCTION]
    come = [each.new for each in matches if each.status is Status.ADDED and each.new and each.new.kind == FUNCTION]
    words = {id(each): _words(each) for each in come}
    found = {}
    for old in gone:
        mine = _words(old)
        scored = [(_share(mine, words[id(new)]), new.plain, new) for new in come] if len(mine) >= FEWEST else []
        score, _, best = max(scored, key=lambda each: each[:2], default=(0.0, "", None))
        if best and (score >= SHARED or (score >= NEARBY and _near(old, best))):
            found[id(old)] = best.plain
    return found


def _words(symbol: Symbol) -> frozenset[str]:
    return frozenset(re.findall(r"[A-Za-z_]\w{3,}", symbol.text)) - {symbol.last, "self", "return"}


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _near(old: Symbol, new: Symbol) -> bool:
    a, b = (frozenset(filter(None, each.last.split("_"))) for each in (old, new))
    return _share(a, b) >= SHARED and (old.owner == new.owner if old.owner or new.owner else old.path == new.path)
