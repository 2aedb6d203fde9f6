"""Takes the Python files of two releases apart, old and new of one path side by side.

Syntax trees are ten times the size of their text. So of a large component they live only while a file is taken apart:
what is asked of most symbols later is looked at there, and the rest is parsed again when somebody asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.processes import spread, together
from kb.scan.grafting import Parsed, is_even
from kb.scan.guards import tells_options
from kb.scan.looking import alone, beside
from kb.scan.normal import Def
from kb.scan.reads import Reading, read, read_in
from kb.scan.relevant import matters
from kb.scan.symbols import CONSTANT, FUNCTION, STATEMENT, Module, Symbol, taken_apart
from kb.scan.tree import Tree

LARGE = 8_000_000
"""Characters of Python from which on trees are let go at once, and the work is spread over processes."""


@dataclass(frozen=True)
class Job:
    """One path; None on the side that does not have it."""

    path: str
    old: str | None
    new: str | None

    @property
    def texts(self) -> list[str]:
        """Each text once."""
        return list(dict.fromkeys(text for text in (self.old, self.new) if text is not None))


@dataclass(frozen=True)
class Taken:
    """What one path holds in both releases; where the text is the same, both are one."""

    old: Module | None
    new: Module | None
    readings: tuple[Reading, ...]
    """The facts in each of its texts."""


@dataclass
class Taker:
    """Takes files apart and keeps the facts that were read on the way."""

    readings: dict[str, Reading] = field(default_factory=dict)
    large: bool = False
    """Whether so much was taken apart that more processes are worth it."""

    def both(self, trees: tuple[Tree, Tree], paths: tuple[list[str], list[str]]) -> tuple[list[Module], list[Module]]:
        """Modules of both releases, by path."""
        jobs = list(_jobs(trees, paths))
        large = sum(len(text) for each in jobs for text in {each.old, each.new} if text) > LARGE
        self.large |= large
        found: tuple[list[Module], list[Module]] = ([], [])
        for job, each in zip(jobs, spread(_travelling, jobs) if large else map(take, jobs), strict=True):
            self.readings |= zip(job.texts, each.readings, strict=True)
            for made, text in ((each.old, job.old), (each.new, job.new)):
                for symbol in made.symbols if made and large else ():
                    symbol.code.file = text or ""
            for side, made in zip(found, (each.old, each.new), strict=True):
                side += [made] if made else []
        return found

    def together(self, calls: list[Callable[[], Any]]) -> list[Any]:
        """What each call returns, all at once for a large component."""
        return together(calls) if self.large else [call() for call in calls]

    def reading(self, text: str) -> Reading:
        """The facts in a text."""
        return self.readings[text] if text in self.readings else read(text)


def _jobs(trees: tuple[Tree, Tree], paths: tuple[list[str], list[str]]) -> Iterator[Job]:
    sides = list(zip(trees, map(frozenset, paths), strict=True))
    for path in sorted({*paths[0], *paths[1]}):
        if path.endswith(".py"):
            old, new = (tree.text(path) if path in side else None for tree, side in sides)
            yield Job(path, old, old if old == new else new)


def take(job: Job) -> Taken:
    """One path taken apart; the trees of what is the same are let go, if it does not tell options."""
    found = _parsed(job)
    there, here = _by_name(found.old), _by_name(found.new)
    for key, old in there.items():
        new = here.get(key)
        if new is not None and old.text == new.text and not tells_options(old):
            old.code.let_go()
            new.code.let_go()
    return found


def closely(job: Job) -> Taken:
    """One path taken apart and looked at closely, until no tree is needed."""
    found = _parsed(job)
    there, here = _by_name(found.old), _by_name(found.new)
    for key, old in there.items():
        new = here.get(key)
        if new is not None and (old.text, old.aliases) != (new.text, new.aliases):
            beside(old, new)
            _ = old.calls, new.calls
    single = (there, here) if found.old is not found.new else ()
    for each in (side[key] for side in single for key in there.keys() ^ here.keys() if key in side):
        _look_alone(each)
    for side in (there, here) if found.old is not found.new else (there,):
        named = Counter(each.plain for each in side.values())
        for symbol in side.values():
            if symbol.kind in {CONSTANT, STATEMENT} or named[symbol.plain] > 1:
                _ = symbol.digest  # one of several of a name is compared with all of them, in other files too
            symbol.code.let_go()
    return found


def _travelling(job: Job) -> Taken:
    """The same without the files' texts: who asked has them."""
    found = closely(job)
    for made in (found.old, found.new):
        for symbol in made.symbols if made else ():
            symbol.code.file = ""
    return found


def _parsed(job: Job) -> Taken:
    made: dict[str, Module] = {}
    readings = []
    for text in job.texts:
        made[text], tree = taken_apart(job.path, text, _known(made))
        readings.append(_reading(tree, text))
    old, new = (made[text] if text is not None else None for text in (job.old, job.new))
    return Taken(old, new, tuple(readings))


def _known(made: Mapping[str, Module]) -> dict[str, Def]:
    """Functions of the other release that need not be parsed again, by text; those that may state a fact are."""
    functions = (s for text, each in made.items() if is_even(text) for s in each.symbols if s.kind == FUNCTION)
    return {s.text: node for s in functions if not matters(s.text) and isinstance(node := s.code.kept, Def)}


def _reading(tree: Parsed | None, text: str) -> Reading:
    try:
        return read_in(tree, text) if tree else Reading()
    except RecursionError:
        return Reading()


def _by_name(module: Module | None) -> dict[tuple[str, str], Symbol]:
    return {(each.kind, each.name): each for each in module.symbols} if module else {}


def _look_alone(symbol: Symbol) -> None:
    """What is asked of a symbol that stands on one side, as far as its own file tells."""
    alone(symbol)
    _ = symbol.steps, symbol.digest


def let_go(modules: Iterable[Module]) -> None:
    """Without any trees: what is asked of a symbol's tree from now on is parsed again."""
    for each in modules:
        for symbol in each.symbols:
            symbol.code.let_go()
