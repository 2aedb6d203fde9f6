"""All facts of a component in one release, and what differs in them between two."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import cached_property

from kb.scan.facts import Difference, Fact, What, diff
from kb.scan.pins import pins
from kb.scan.reads import Reading, read, resolved, spell
from kb.scan.tree import Tree

TABLES = ("envs.py", "environ.py")
"""Files in which engines list the environment variables that other modules read as attributes."""


def facts(tree: Tree, globs: Iterable[str], named: Iterable[str] = ()) -> tuple[Fact, ...]:
    """Facts of a component in a release: what its files read, and pins of what its requirement files name.

    Distributions in `named` are looked up in every file that declares requirements.
    """
    globs = tuple(globs)
    names = {*named, *required(tree, globs)}
    found = (*pins(tree, names=names), *_own_pins(tree, globs)) if names else ()
    return tuple(sorted({*_Release(tree, globs).facts(), *found}))


def required(tree: Tree, globs: Iterable[str]) -> set[str]:
    """Distributions that the component's own requirement files name."""
    return {each.name for each in _own_pins(tree, globs)}


def _own_pins(tree: Tree, globs: Iterable[str]) -> tuple[Fact, ...]:
    return pins(tree, tree.under(globs))


def changed(old: Tree, new: Tree, globs: Iterable[str], named: Iterable[str] = ()) -> tuple[Difference, ...]:
    """What differs in a component's facts between two releases."""
    globs = tuple(globs)
    names = {*named, *required(old, globs), *required(new, globs)}
    return diff(facts(old, globs, names), facts(new, globs, names))


class _Release:
    """One release while its modules are read together."""

    def __init__(self, tree: Tree, globs: tuple[str, ...]) -> None:
        self.tree = tree
        self.modules = {path: read(tree.text(path)) for path in tree.under(globs) if path.endswith(".py")}

    def facts(self) -> Iterable[Fact]:
        for path, reading in self.modules.items():
            yield from resolved(reading, path, self.constants, self.default_of)
            if path.rpartition("/")[2] in TABLES:
                yield from self._listed(path, reading)

    def _listed(self, path: str, reading: Reading) -> Iterable[Fact]:
        """Variables of a table that is itself the component's."""
        for name, value in reading.table.items():
            line = getattr(value, "lineno", 1)
            yield Fact(What.ENV, name, spell(value, reading.constants), path, line)

    @cached_property
    def constants(self) -> Mapping[str, ast.expr]:
        """Constants of all modules by name, where the modules agree: an imported default is one of them."""
        found: dict[str, ast.expr] = {}
        for reading in self.modules.values():
            for name, value in reading.constants.items():
                if name in found and ast.dump(found[name]) != ast.dump(value):
                    found[name] = ast.Name(name)
                else:
                    found[name] = value
        return found

    def default_of(self, name: str) -> str | None:
        """Default of a variable in the tables of the release."""
        return next((spell(each.table[name], each.constants) for each in self._tables if name in each.table), None)

    @cached_property
    def _tables(self) -> list[Reading]:
        paths = [path for path in self.tree.paths if path.rpartition("/")[2] in TABLES]
        return [read(self.tree.text(path)) for path in sorted(paths, key=lambda path: path.count("/"))]
