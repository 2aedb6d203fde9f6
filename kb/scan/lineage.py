"""Class hierarchies of a release, and which of its classes took over from a class of the release before.

A class that was renamed or split leaves a trace: an alias under its old name, or classes that have its methods.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from kb.scan.alike import ALIKE, likeness, same
from kb.scan.symbols import CLASS, Module, Symbol

FEWEST = 2
"""Members that a class must have taken over to be the heir of another."""
SHARE = 0.5
"""Share of the old class's members that its heir must have, its bases included."""


@dataclass(frozen=True)
class Hierarchy:
    """Classes of a release by name: their bases, and names that are only passed on."""

    bases: dict[str, tuple[str, ...]]
    aliases: dict[str, str]

    @classmethod
    def of(cls, modules: Iterable[Module]) -> Hierarchy:
        bases: dict[str, tuple[str, ...]] = {}
        aliases: dict[str, str] = {}
        for each in modules:
            bases |= each.bases
            aliases |= {name: origin for name, origin in each.exports.items() if name != origin}
        return cls(bases, aliases)

    def resolve(self, name: str) -> str:
        """The class that a name really is, through aliases and re-exports."""
        seen = {name}
        while name not in self.bases and self.aliases.get(name, name) not in seen:
            name = self.aliases[name]
            seen.add(name)
        return name

    def lineage(self, name: str) -> tuple[str, ...]:
        """A class and all it inherits from, nearest first, as far as the release defines them."""
        found: dict[str, None] = {}
        waiting = [self.resolve(name.rpartition(".")[2])]
        while waiting:
            each = waiting.pop(0)
            if each in self.bases and each not in found:
                found[each] = None
                waiting += map(self.resolve, self.bases[each])
        return tuple(found)


@dataclass(frozen=True)
class Heirs:
    """Old class -> the class that took over, and why we say so."""

    new: Hierarchy
    heirs: dict[str, str] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)

    def lineage(self, old_class: str) -> tuple[str, ...]:
        """Where members of an old class may be now."""
        return self.new.lineage(self.heirs.get(old_class, old_class))


def heirs(new: Hierarchy, left: list[Symbol], right: list[Symbol]) -> Heirs:
    """Heirs of the classes that are left over, by alias first, else by the members they have."""
    found = Heirs(new)
    unclaimed = {each.plain for each in right if each.kind == CLASS}
    members, below = _members(right), _below(new, unclaimed)
    wanted: dict[str, list[Symbol]] = defaultdict(list)
    for each in left:
        wanted[each.owner].append(each)
    for old in (each for each in left if each.kind == CLASS):
        heir = new.resolve(old.last)
        if heir != old.last and heir in new.bases:
            found.heirs[old.plain] = heir
            found.why[old.plain] = f"{old.plain} is an alias of {heir} now"
        elif voted := _voted(wanted[old.plain], old, unclaimed, below, members):
            found.heirs[old.plain], found.why[old.plain] = voted
        unclaimed.discard(found.heirs.get(old.plain, ""))
    return found


Members = dict[tuple[str, str], dict[str, Symbol]]


def _members(symbols: list[Symbol]) -> Members:
    found: Members = defaultdict(dict)
    for each in symbols:
        if each.owner:
            found[each.kind, each.last].setdefault(each.owner, each)
    return found


def _below(new: Hierarchy, names: Iterable[str]) -> dict[str, list[str]]:
    """Class -> those of the names that are it or inherit from it."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        for owner in new.lineage(name):
            found[owner].append(name)
    return found


def _voted(
    wanted: list[Symbol], old: Symbol, unclaimed: set[str], below: dict[str, list[str]], members: Members
) -> tuple[str, str] | None:
    votes: Counter[str] = Counter()
    for each in wanted:
        fitting = (owner for owner, there in _there(each, members) if _fits(each, there))
        votes.update({name for owner in fitting for name in below.get(owner, ()) if name in unclaimed})
    most = max(votes.values(), default=0)
    if most < max(FEWEST, SHARE * len(wanted)):
        return None
    best = max((name for name in votes if votes[name] == most), key=lambda name: (_resemblance(old.plain, name), name))
    return best, f"{old.plain} is {best} now: {votes[best]} of its {len(wanted)} members are there"


def _there(each: Symbol, members: Members) -> Iterable[tuple[str, Symbol]]:
    return members.get((each.kind, each.last), {}).items()


def _fits(old: Symbol, new: Symbol) -> bool:
    short, long = sorted((old.bag.total(), new.bag.total()))
    alike = 2 * short >= ALIKE * (short + long) and likeness(old, new) >= ALIKE
    return alike or same(old, new)


def _resemblance(a: str, b: str) -> float:
    return SequenceMatcher(None, a, b).ratio()
