"""Which symbol of the new release is which of the old one.

By qualified name first, wherever the file went; then, among what is left on both sides, by the same last name with the same body (a class
renamed, a method moved to a base), by the same last name with a similar body, and by the same body under another name. A name that
exists on both sides is never a candidate for another: a deleted function beside a similar neighbour is removed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from kb.scan.symbols import Symbol

ALIKE = 0.5
"""Share of statements two bodies of one name must have in common to be one function that changed."""

SUBSTANCE = 3
"""Statements (head included) a body must have to be recognised under another name."""


class Status(StrEnum):
    UNCHANGED = "unchanged"
    MOVED = "moved"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True)
class Match:
    """One symbol in both releases; `old` is None for an added one, `new` for a removed one."""

    old: Symbol | None
    new: Symbol | None

    @property
    def status(self) -> Status:
        if self.old is None:
            return Status.ADDED
        if self.new is None:
            return Status.REMOVED
        if not same(self.old, self.new):
            return Status.CHANGED
        return Status.UNCHANGED if (self.old.path, self.old.name) == (self.new.path, self.new.name) else Status.MOVED

    @property
    def name(self) -> str:
        """The name now, or the last it had."""
        symbol = self.new or self.old
        assert symbol is not None
        return symbol.name


def same(old: Symbol, new: Symbol) -> bool:
    """Whether two symbols do the same; equal text is not parsed again."""
    return (old.text == new.text and old.aliases == new.aliases) or old.digest == new.digest


def match(old: Iterable[Symbol], new: Iterable[Symbol]) -> list[Match]:
    """Pair the symbols of two releases; every symbol is in at least one pair."""
    found, left, right = _by_name(list(old), list(new))
    for way in (_same_last_name_and_body, _same_last_name, _same_body):
        pairs = way(left, right)
        found += [Match(*pair) for pair in pairs]
        left = _without(left, (a for a, _ in pairs))
        right = _without(right, (b for _, b in pairs))
    found += [Match(each, None) for each in left] + [Match(None, each) for each in right]
    return sorted(found, key=lambda each: (each.name, _path(each)))


def _path(each: Match) -> str:
    symbol = each.new or each.old
    return symbol.path if symbol else ""


Pair = tuple[Symbol, Symbol]


def _without(symbols: list[Symbol], used: Iterable[Symbol]) -> list[Symbol]:
    gone = {id(each) for each in used}
    return [each for each in symbols if id(each) not in gone]


def _by_name(old: list[Symbol], new: list[Symbol]) -> tuple[list[Match], list[Symbol], list[Symbol]]:
    before, after = _grouped(old), _grouped(new)
    found: list[Match] = []
    left: list[Symbol] = []
    right: list[Symbol] = [each for key, group in after.items() if key not in before for each in group]
    for key, olds in before.items():
        pairs, spare_old, spare_new = _pair_up(olds, after.get(key, []))
        found += [Match(*pair) for pair in pairs]
        left += spare_old
        right += spare_new
    return found, left, right


def _grouped(symbols: list[Symbol]) -> dict[tuple[str, str], list[Symbol]]:
    groups: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
    for each in symbols:
        groups[each.kind, each.name].append(each)
    return groups


def _pair_up(olds: list[Symbol], news: list[Symbol]) -> tuple[list[Pair], list[Symbol], list[Symbol]]:
    """Pair symbols of one name: the same file first, then the same body, then the most alike."""
    pairs: list[Pair] = []
    for fits in (_same_file, same, _anything):
        for old in list(olds):
            candidates = [new for new in news if fits(old, new)]
            if candidates:
                best = candidates[0] if len(candidates) == 1 else max(candidates, key=lambda new: likeness(old, new))
                pairs.append((old, best))
                olds, news = _without(olds, [old]), _without(news, [best])
    return pairs, olds, news


def _same_file(old: Symbol, new: Symbol) -> bool:
    return old.path == new.path


def _anything(_old: Symbol, _new: Symbol) -> bool:
    return True


def likeness(old: Symbol, new: Symbol) -> float:
    """Share of statements in common, from 0 to 1 (Dice's coefficient over statements in normal form)."""
    a, b = Counter(old.steps), Counter(new.steps)
    total = a.total() + b.total()
    return 2 * (a & b).total() / total if total else 1.0


def _same_last_name_and_body(left: list[Symbol], right: list[Symbol]) -> list[Pair]:
    return list(_greedy(left, right, key=lambda each: (each.kind, each.last, each.digest)))


def _same_body(left: list[Symbol], right: list[Symbol]) -> list[Pair]:
    solid = [each for each in left if len(each.steps) >= SUBSTANCE]
    return list(_greedy(solid, right, key=lambda each: (each.kind, each.digest)))


def _greedy(left: list[Symbol], right: list[Symbol], key: Callable[[Symbol], object]) -> Iterator[Pair]:
    waiting: dict[object, list[Symbol]] = defaultdict(list)
    for each in right:
        waiting[key(each)].append(each)
    for old in left:
        if candidates := waiting.get(key(old)):
            yield old, candidates.pop(0)


def _same_last_name(left: list[Symbol], right: list[Symbol]) -> list[Pair]:
    by_last: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
    for new in right:
        by_last[new.kind, new.last].append(new)
    scored = [(likeness(old, new), old, new) for old in left for new in by_last.get((old.kind, old.last), [])]
    used: set[int] = set()
    pairs: list[Pair] = []
    for score, old, new in sorted(scored, key=lambda each: -each[0]):
        if score >= ALIKE and id(old) not in used and id(new) not in used:
            used |= {id(old), id(new)}
            pairs.append((old, new))
    return pairs
