"""What may go on under another name with another body: a suggestion for a person, nothing is concluded from it."""

from __future__ import annotations

import re
from collections import defaultdict
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
    """id of a removed function -> the added one of its class or file that may go on with what it did."""
    matches = list(matches)
    gone = [each.old for each in matches if each.status is Status.REMOVED and each.old and each.old.kind == FUNCTION]
    come = [each.new for each in matches if each.status is Status.ADDED and each.new and each.new.kind == FUNCTION]
    beside: dict[str, list[Symbol]] = defaultdict(list)
    for each in come:
        for place in {each.path, each.owner or each.path}:
            beside[place].append(each)
    found = {}
    for old in gone:
        near = {id(each): each for place in (old.path, old.owner or old.path) for each in beside[place]}
        if best := _best(old, near.values()):
            found[id(old)] = best
    return found


def _best(old: Symbol, come: Iterable[Symbol]) -> str | None:
    """The one that has most of its words, if that is enough."""
    mine = _words(old)
    scored = [(_share(mine, _words(new)), new.plain, new) for new in come] if len(mine) >= FEWEST else []
    score, name, best = max(scored, key=lambda each: each[:2], default=(0.0, "", None))
    return name if best and (score >= SHARED or (score >= NEARBY and _named_alike(old, best))) else None


def _words(symbol: Symbol) -> frozenset[str]:
    return frozenset(re.findall(r"[A-Za-z_]\w{3,}", symbol.text)) - {symbol.last, "self", "return"}


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _named_alike(old: Symbol, new: Symbol) -> bool:
    a, b = (frozenset(filter(None, each.last.split("_"))) for each in (old, new))
    return _share(a, b) >= SHARED and (old.owner == new.owner if old.owner or new.owner else old.path == new.path)
