"""Makes the table of a component's symbols out of the trees of its releases (kb/digests.py reads it)."""

from __future__ import annotations

import hashlib
import re
import sys
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from kb.component import Component
from kb.digests import ALIAS, Run, Table
from kb.errors import KbError
from kb.scan.compare import Side, pairs
from kb.scan.elsewhere import is_test
from kb.scan.kinds import judge_all, world
from kb.scan.lineage import Hierarchy
from kb.scan.match import Match, Status
from kb.scan.seen import Kind
from kb.scan.symbols import STATEMENT, Module, Symbol, module
from kb.scan.tree import Tree
from kb.versions import contains, parse

FORM = 1
"""Version of the normal form (kb/scan/normal.py) that digests are of: to be raised when they come out otherwise."""
LENGTH = 10
"""Hex digits kept of a digest: it is only compared within one symbol's history."""
OTHER_CODE = re.compile(r"\.(c|cc|cpp|cxx|cu|cuh|h|hh|hpp|hip|pyx|go|rs|java|proto)$")
"""Files of languages whose symbols no row speaks of."""


@dataclass(frozen=True)
class Release:
    """The component's own code in one release."""

    version: str
    side: Side
    partial: bool
    """Whether some of its code could not be taken apart."""

    @property
    def modules(self) -> list[Module]:
        return self.side.modules

    @cached_property
    def symbols(self) -> Mapping[str, list[Symbol]]:
        """Named symbols; several definitions of one name (overloads, branches, files) are one."""
        found: dict[str, list[Symbol]] = defaultdict(list)
        for each in self.modules:
            for symbol in each.symbols:
                if symbol.kind != STATEMENT:
                    found[symbol.plain].append(symbol)
        return found

    @cached_property
    def stands_on(self) -> Mapping[str, tuple[str, ...]]:
        """Class -> its bases, alias -> what it stands for, as far as the release defines them."""
        order = Hierarchy.of(self.modules)
        exported = {name for each in self.modules for name in each.exports} & self.symbols.keys() - order.bases.keys()
        aliases = {name: (ALIAS + target,) for name in exported if (target := order.resolve(name)) in order.bases}
        classes = {name: bases for each in self.modules for name, bases in each.bases.items()}
        own = {name: self._own(map(order.resolve, bases), name) for name, bases in classes.items()}
        return {**{name: bases for name, bases in own.items() if bases}, **aliases}

    def _own(self, bases: Iterable[str], name: str) -> tuple[str, ...]:
        return tuple(base for base in bases if base in self.symbols and base != name)


@dataclass
class Reader:
    """Takes releases apart; each text is parsed once, for most files of two releases are the same."""

    component: Component
    _known: dict[tuple[str, str], Module] = field(default_factory=dict)

    def release(self, tree: Tree) -> Release:
        """The component's own files of a release, tests left out."""
        paths = self._paths(tree)
        parsed = [self._module(path, tree.text(path)) for path in paths if path.endswith(".py")]
        partial = any(map(OTHER_CODE.search, paths)) or any(each.broken for each in parsed)
        return Release(tree.label, Side(tree, paths, parsed), partial)

    def _paths(self, tree: Tree) -> list[str]:
        own = (each for each in self.component.paths if not each.neighbour)
        globs = [each.glob for each in own if parse(tree.label) is None or contains(each.versions, tree.label)]
        return sorted(path for path in tree.under(globs) if not is_test(path))

    def _module(self, path: str, text: str) -> Module:
        if (path, text) not in self._known:
            self._known[path, text] = module(path, text)
        return self._known[path, text]


def form() -> str:
    """Which normal form digests are of here: Python itself writes the syntax tree out."""
    return f"{FORM}, python {sys.version_info.major}.{sys.version_info.minor}"


def table(trees: Iterable[Tree], component: Component, artifacts: str = "", date: str = "") -> Table:
    """The table of a component over releases, given in any order."""
    reader = Reader(component)
    made = Table(component.id, component.ships_in or component.id, (), (), artifacts, form(), date)
    before: Release | None = None
    for tree in sorted(trees, key=lambda tree: parse(tree.label) or tree.label):
        now = reader.release(tree)
        made, before = _with(made, before, now), now
    return made


def extended(known: Table, old: Tree, new: Tree, component: Component, date: str = "") -> Table:
    """A table with one more release, compared with the newest it has. Raises KbError when `old` is not that one."""
    if known.position(new.label) is not None:
        return known
    if known.position(old.label) != len(known.releases) - 1 or _older(new.label, old.label):
        raise KbError(
            f"the table of {component.id} ends at {known.releases[-1]}; a later release is added from there",
            f"kb scan {component.id} --from {known.releases[-1]} --to VERSION --index --write",
        )
    reader = Reader(component)
    return replace(_with(known, reader.release(old), reader.release(new)), form=form(), date=date)


def _older(one: str, other: str) -> bool:
    a, b = parse(one), parse(other)
    return a is None or b is None or a < b


def _with(known: Table, before: Release | None, now: Release) -> Table:
    """A table with one more release at its end."""
    previous = known.releases[-1] if known.releases else ""
    going_on = {each.symbol: each for each in known.runs if each.last == previous}
    runs = {(each.symbol, each.first): each for each in known.runs}
    found = _compared(before, now) if before and before.modules else []
    for run in _runs(_origins(found), before, now, going_on):
        old = going_on.get(run.symbol)
        if old and (old.digest, old.stands_on) == (run.digest, run.stands_on):
            run = replace(old, last=now.version, file=run.file)
        runs[run.symbol, run.first] = run
    for name, kind in _removals(found, now).items():
        if old := going_on.get(name):
            runs[name, old.first] = replace(old, gone=kind)
    return replace(
        known,
        releases=(*known.releases, now.version),
        runs=tuple(runs.values()),
        partial=known.partial or now.partial,
    )


Origin = tuple[Match, Kind | None]


def _compared(before: Release, now: Release) -> list[Origin]:
    """Symbols of two releases in pairs, with the kind of their difference."""
    matched = pairs(before.side, now.side)
    judged = judge_all(matched.matches, world(matched, before.modules, now.modules))
    return [(each, kind.kind) for each, kind in zip(matched.matches, judged, strict=True)]


def _runs(
    origins: Mapping[str, list[Origin]], before: Release | None, now: Release, going_on: Mapping[str, Run]
) -> Iterator[Run]:
    """Every symbol of a release as a run of that release alone, with what it was in the one before."""
    for name, symbols in now.symbols.items():
        came = origins.get(name, [])
        old = _same_as(came, len(symbols), before) if before else None
        digest = going_on[old].digest if old is not None and old in going_on else _digest(symbols)
        was, base = _was(name, came, going_on), now.stands_on.get(name, ())
        yield Run(name, digest, now.version, now.version, _how(came), was, base, file=symbols[0].path)


def _origins(found: Iterable[Origin]) -> Mapping[str, list[Origin]]:
    """Name now -> what its definitions were."""
    by_name: dict[str, list[Origin]] = defaultdict(list)
    for each, kind in found:
        if each.new is not None and each.new.kind != STATEMENT:
            by_name[each.new.plain].append((each, kind))
    return by_name


def _removals(found: Iterable[Origin], now: Release) -> Mapping[str, str]:
    """Name that nothing goes on from -> the gravest kind of what went; what left the component's files is one, too."""
    kinds: dict[str, list[Kind]] = defaultdict(list)
    going_on = {each.old.plain for each, _ in found if each.old and each.new and each.new.plain in now.symbols}
    for each, kind in found:
        if each.old and each.old.kind != STATEMENT and each.old.plain not in now.symbols.keys() | going_on:
            kinds[each.old.plain].append(kind or Kind.REFACTOR)
    return {name: max(each, key=list(Kind).index).value for name, each in kinds.items()}


def _same_as(came: list[Origin], count: int, before: Release) -> str | None:
    """The one name in the release before whose code it has; its digest is kept, whatever form that one is of."""
    kept = [each.old.plain for each, _ in came if each.old and each.status in {Status.UNCHANGED, Status.MOVED}]
    name = kept[0] if len(kept) == len(came) and len(set(kept)) == 1 else None
    return name if name and len(came) == count == len(before.symbols[name]) else None


def _digest(symbols: list[Symbol]) -> str:
    if len(symbols) == 1:
        return symbols[0].digest[:LENGTH]
    together = "\n".join(sorted(each.digest for each in symbols))
    return hashlib.blake2b(together.encode(), digest_size=LENGTH // 2).hexdigest()


def _how(came: list[Origin]) -> str:
    """The gravest kind of difference; nothing for what only moved."""
    order = list(Kind)
    kinds = [kind or Kind.BEHAVIOUR for each, kind in came if each.status in {Status.CHANGED, Status.ADDED}]
    return max(kinds, key=order.index).value if kinds else ""


def _was(name: str, came: list[Origin], known: Container[str]) -> tuple[str, ...]:
    """Other names that it had among the component's own, where it has not had its own."""
    names = {each.old.plain for each, _ in came if each.old and (each.old.plain == name or each.old.plain in known)}
    return () if name in names else tuple(sorted(names))
