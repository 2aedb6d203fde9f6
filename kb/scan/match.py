"""Which symbol of the new release is which of the old one.

By qualified name first, wherever the file went; then a member of a class in the class that took over or in its
bases; then, among what is left on both sides, by the same last name with the same or a similar body, by the same body
under another name, and by what callers call instead. A name that exists on both sides is never a candidate for another:
a deleted function beside a similar one is removed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeGuard

from kb.scan.alike import ALIKE, likeness, same, solid
from kb.scan.lineage import Heirs, Hierarchy, heirs
from kb.scan.symbols import CLASS, CONSTANT, FUNCTION, STATEMENT, Module, Symbol


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
    how: str = ""
    """How the two were found to be one."""

    @cached_property
    def status(self) -> Status:
        if self.old is None:
            return Status.ADDED
        if self.new is None:
            return Status.REMOVED
        if not same(self.old, self.new):
            return Status.CHANGED
        return Status.UNCHANGED if (self.old.path, self.old.plain) == (self.new.path, self.new.plain) else Status.MOVED

    @property
    def symbol(self) -> Symbol:
        """The symbol now, or as it last was."""
        symbol = self.new or self.old
        assert symbol is not None
        return symbol

    @property
    def name(self) -> str:
        """The name now, or the last it had."""
        return self.symbol.name


@dataclass(frozen=True)
class Matched:
    """All symbols of two releases in pairs, and which classes took over from which."""

    matches: tuple[Match, ...]
    heirs: Heirs

    def renamed(self) -> dict[str, str]:
        """Old last name -> new one, where a symbol goes on under a name that was free, and its own is free now."""
        before = {each.old.last for each in self.matches if each.old}
        after = {each.new.last for each in self.matches if each.new}
        pairs = [
            (a.last, b.last) for a, b in ((each.old, each.new) for each in self.matches) if _named(a) and _named(b)
        ]
        return {old: new for old, new in pairs if old not in after and new not in before}


def _named(symbol: Symbol | None) -> TypeGuard[Symbol]:
    return symbol is not None and symbol.kind != STATEMENT


def match(old: Iterable[Module], new: Iterable[Module]) -> Matched:
    """Pair the symbols of two releases; every symbol is in at least one pair."""
    old, new = list(old), list(new)
    found, left, right = _by_name([s for m in old for s in m.symbols], [s for m in new for s in m.symbols])
    after = Hierarchy.of(new)
    took_over = heirs(after, left, right)
    ways = (_Lineage(took_over), _same_last_name_and_body, _same_last_name, _same_body, _Called(found))
    for way in ways:
        pairs = list(way(left, right))
        found += pairs
        left = _without(left, (each.old for each in pairs))
        right = _without(right, (each.new for each in pairs))
    kept = _renamed(found)
    found += [Match(each, None) for each in left] + [Match(None, each) for each in right if not _passed_on(each, kept)]
    return Matched(tuple(sorted(found, key=lambda each: (each.name, each.symbol.path))), took_over)


def _renamed(found: Iterable[Match]) -> dict[str, str]:
    pairs = [(each.old.plain, each.new.plain) for each in found if each.old and each.new]
    return {old: new for old, new in pairs if old != new}


def _passed_on(new: Symbol, renamed: dict[str, str]) -> bool:
    """An alias that keeps the old name of something renamed alive."""
    return new.kind == CONSTANT and new.plain in renamed and renamed[new.plain] in new.text


def _without(symbols: list[Symbol], used: Iterable[Symbol | None]) -> list[Symbol]:
    gone = {id(each) for each in used}
    return [each for each in symbols if id(each) not in gone]


def _by_name(old: list[Symbol], new: list[Symbol]) -> tuple[list[Match], list[Symbol], list[Symbol]]:
    before, after, homes = _grouped(old), _grouped(new), _homes(old, new)
    found: list[Match] = []
    left: list[Symbol] = []
    right: list[Symbol] = [each for key, group in after.items() if key not in before for each in group]
    for key, olds in before.items():
        pairs, spare_old, spare_new = _pair_up(olds, after.get(key, []), homes)
        found += pairs
        left += spare_old
        right += spare_new
    return found, left, right


def _grouped(symbols: list[Symbol]) -> dict[tuple[str, str], list[Symbol]]:
    groups: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
    for each in symbols:
        groups[each.kind, each.plain].append(each)
    return groups


def _homes(old: list[Symbol], new: list[Symbol]) -> dict[str, str]:
    """Old path -> the path that has most of what it had; its own when that has as much."""
    where: dict[tuple[str, str], set[str]] = defaultdict(set)
    for each in new:
        where[each.name, each.text].add(each.path)
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for each in old:
        votes[each.path].update(where.get((each.name, each.text), ()))
    paths = {each.path for each in new}
    return {path: _home(path, votes[path], paths) for path in {each.path for each in old}}


def _home(path: str, votes: Counter[str], paths: set[str]) -> str:
    most = max(votes.values(), default=0)
    best = max((each for each, count in votes.items() if count == most), key=lambda it: (it == path, it), default=path)
    return best if path not in paths or votes[best] > votes[path] else path


def _pair_up(
    olds: list[Symbol], news: list[Symbol], homes: dict[str, str]
) -> tuple[list[Match], list[Symbol], list[Symbol]]:
    """Pair symbols of one name: the same file and body first, then the same file, the same body, the most alike."""
    if len(olds) == len(news) == 1 and olds[0].kind != STATEMENT:
        return [Match(olds[0], news[0], "same name")], [], []
    pairs: list[Match] = []
    there = {id(each): each for each in news}
    at_home: dict[str, list[Symbol]] = defaultdict(list)
    for each in news:
        at_home[each.path].append(each)
    ways: tuple[Callable[[Symbol], Iterable[Symbol]], ...] = (
        lambda old: (new for new in at_home[homes[old.path]] if same(old, new)),
        lambda old: at_home[homes[old.path]],
        lambda old: (new for new in there.values() if same(old, new)),
        lambda old: there.values() if old.kind != STATEMENT else (),
    )
    for way in ways:
        left = []
        for old in olds:
            if candidates := [new for new in way(old) if id(new) in there]:
                best = candidates[0] if len(candidates) == 1 else max(candidates, key=lambda new: likeness(old, new))
                pairs.append(Match(old, best, "same name"))
                del there[id(best)]
            else:
                left.append(old)
        olds = left
    return pairs, olds, list(there.values())


@dataclass(frozen=True)
class _Lineage:
    """Members of an old class in the class that took over, or in its bases."""

    heirs: Heirs

    def __call__(self, left: list[Symbol], right: list[Symbol]) -> Iterator[Match]:
        there = {(each.kind, each.plain): each for each in right}
        for old in left:
            if old.kind == CLASS and (heir := there.get((CLASS, self.heirs.heirs.get(old.plain, "")))):
                yield Match(old, heir, self.heirs.why[old.plain])
            elif old.owner and (new := self._member(old, there)):
                yield Match(old, new, self._why(old, new))

    def _member(self, old: Symbol, there: dict[tuple[str, str], Symbol]) -> Symbol | None:
        places = [(old.kind, f"{owner}.{old.last}") for owner in self.heirs.lineage(old.owner)]
        candidates = [there[place] for place in places if place in there]
        return max(candidates, key=lambda new: (same(old, new), likeness(old, new)), default=None)

    def _why(self, old: Symbol, new: Symbol) -> str:
        heir = self.heirs.heirs.get(old.owner, old.owner)
        base = "" if new.owner == heir else f"{new.owner} is a base of {heir}"
        return "; ".join(filter(None, (self.heirs.why.get(old.owner), base)))


def _same_last_name_and_body(left: list[Symbol], right: list[Symbol]) -> Iterator[Match]:
    olds = [each for each in left if each.kind != STATEMENT and (solid(each) or each.kind == FUNCTION)]
    yield from _greedy(olds, right, lambda each: (each.kind, each.last, each.digest), "same last name and body")


def _same_body(left: list[Symbol], right: list[Symbol]) -> Iterator[Match]:
    olds = [each for each in left if solid(each) or each.kind == STATEMENT]
    yield from _greedy(olds, right, lambda each: (each.kind, each.digest), "same body under another name")


def _greedy(left: list[Symbol], right: list[Symbol], key: Callable[[Symbol], object], how: str) -> Iterator[Match]:
    waiting: dict[object, list[Symbol]] = defaultdict(list)
    for each in right:
        waiting[key(each)].append(each)
    for old in left:
        if candidates := waiting.get(key(old)):
            yield Match(old, candidates.pop(0), how)


def _same_last_name(left: list[Symbol], right: list[Symbol]) -> Iterator[Match]:
    """Functions of one last name whose bodies are alike; constructors and the like are too alike by nature."""
    by_last: dict[str, list[Symbol]] = defaultdict(list)
    for new in right:
        if new.kind == FUNCTION and not new.last.startswith("__"):
            by_last[new.last].append(new)
    olds = [each for each in left if each.kind == FUNCTION and solid(each)]
    scored = [(likeness(old, new), old, new) for old in olds for new in by_last.get(old.last, [])]
    used: set[int] = set()
    for score, old, new in sorted(scored, key=lambda each: -each[0]):
        if score >= ALIKE and id(old) not in used and id(new) not in used:
            used |= {id(old), id(new)}
            yield Match(old, new, f"same last name, {score:.0%} of the statements in common")


ROUGHLY = 0.2
"""Share of statements in common that makes a function the successor of another when callers call it instead."""


@dataclass(frozen=True)
class _Called:
    """A function that callers call where they called one that is gone, and that has some of its body: a new name."""

    found: list[Match]

    def __call__(self, left: list[Symbol], right: list[Symbol]) -> Iterator[Match]:
        gone = {each.last: each for each in left if each.kind == FUNCTION and solid(each)}
        come = {each.last: each for each in right if each.kind == FUNCTION and solid(each)}
        votes = Counter(pair for each in self.found for pair in _swaps(each, gone.keys(), come.keys()))
        for old, new in sorted(votes, key=lambda pair: (-votes[pair], pair)):
            if old in gone and new in come and likeness(gone[old], come[new]) >= ROUGHLY:
                yield Match(gone.pop(old), come.pop(new), f"callers call {new} where they called {old}")


def _swaps(each: Match, gone: Iterable[str], come: Iterable[str]) -> Iterator[tuple[str, str]]:
    if each.old and each.new and each.old.text != each.new.text:
        before, after = each.old.calls, each.new.calls
        for old in (before - after) & set(gone):
            yield from ((old, new) for new in (after - before) & set(come))
