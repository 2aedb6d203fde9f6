"""All facts of a component in one release, and what differs in them between two."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache

from kb.scan.facts import Difference, Fact, What, diff
from kb.scan.foreign import is_foreign, variables
from kb.scan.pins import comparable, pins
from kb.scan.reads import Reading, constants, last_name, read, resolved, speaks, spell
from kb.scan.tree import MAX_TEXT, Tree

TABLES = ("envs.py", "environ.py")
"""Files in which engines list the environment variables that other modules read as attributes."""
# Both begin with the end of a line: the engine looks for one character quickly, for `^` it stops at each.
_ASSIGNED = re.compile(r"\n([A-Za-z_]\w*+)([^=\n(]*=(?!=)[^\n]*(?:\n[ \t)\]}][^\n]*)*)")
_DEFINED = re.compile(r"\n([A-Za-z_]\w*+)[^=\n]*=")


def facts(tree: Tree, globs: Iterable[str], named: Iterable[str] = ()) -> tuple[Fact, ...]:
    """Facts of a component in a release: what its files read, and pins of what its requirement files name.

    Distributions in `named` are looked up in every file that declares requirements.
    """
    globs = tuple(globs)
    names = {*named, *required(tree, globs)}
    read = _Release(tree, _python(tree, globs), globs).facts()
    return tuple(sorted({*read, *_foreign(tree, globs), *_pins(tree, globs, names)}))


def changed(
    old: Tree, new: Tree, globs: Iterable[str], named: Iterable[str] = (), read: Callable[[str], Reading] = read
) -> tuple[Difference, ...]:
    """What differs in a component's facts between two releases.

    A file that is the same in both is read only where it has a word of what differs elsewhere: most need no parsing.
    """
    globs = tuple(globs)
    names = {*named, *required(old, globs), *required(new, globs)}
    before, after = set(_python(old, globs)), set(_python(new, globs))
    same = {path for path in before & after if old.content(path) == new.content(path)}
    words = _unsettled(_Release(old, before - same, globs, read), _Release(new, after - same, globs, read))
    same -= {path for path in same if not words.isdisjoint(_spoken(old.text(path)))}
    sides = (
        {*_Release(tree, paths - same, globs, read).facts(), *_foreign(tree, globs), *_pins(tree, globs, names)}
        for tree, paths in ((old, before), (new, after))
    )
    return diff(*(comparable(each, old, new) for each in sides))


def required(tree: Tree, globs: Iterable[str]) -> set[str]:
    """Distributions that the component's own requirement files name."""
    return {each.name for each in pins(tree, tree.under(globs))}


def _pins(tree: Tree, globs: tuple[str, ...], names: set[str]) -> tuple[Fact, ...]:
    return (*pins(tree, names=names), *pins(tree, tree.under(globs))) if names else ()


def _foreign(tree: Tree, globs: tuple[str, ...]) -> Iterator[Fact]:
    for path in tree.under(globs):
        if is_foreign(path) and len(content := tree.content(path)) <= MAX_TEXT:
            yield from variables(path, content.decode("utf-8", "replace"))


def _python(tree: Tree, globs: tuple[str, ...]) -> list[str]:
    return [path for path in tree.under(globs) if path.endswith(".py")]


class _Release:
    """One release while its modules are read together; constants may be defined in other modules of the component."""

    def __init__(
        self, tree: Tree, paths: Iterable[str], globs: tuple[str, ...], read: Callable[[str], Reading] = read
    ) -> None:
        self.tree, self.globs = tree, globs
        self.modules = {path: read(tree.text(path)) for path in sorted(paths)}

    def facts(self) -> Iterable[Fact]:
        for path, reading in self.modules.items():
            yield from resolved(reading, path, self.constants, self.variables.get)
            if path.rpartition("/")[2] in TABLES:
                yield from self._listed(path, reading)

    def _listed(self, path: str, reading: Reading) -> Iterable[Fact]:
        """Variables of a table that is itself the component's."""
        for name, value in reading.table.items():
            line = getattr(value, "lineno", 1)
            yield Fact(What.ENV, name, spell(value, reading.constants), path, line)

    @cached_property
    def constants(self) -> Mapping[str, ast.expr]:
        """Imported names that reads speak of -> their value, where the modules that define them agree."""
        wanted = {name for reading in self.modules.values() for name in _imported(reading)}
        found: dict[str, ast.expr] = {}
        if wanted:
            texts = map(self.tree.text, _python(self.tree, self.globs))
            for listed in (constants(text) for text in texts if not wanted.isdisjoint(_defined(text))):
                for name in wanted & listed.keys():
                    agree = name not in found or ast.dump(found[name]) == ast.dump(listed[name])
                    found[name] = listed[name] if agree else ast.Name(name)
        return found

    @property
    def assigned(self) -> Mapping[str, str]:
        """Names assigned at the top of the modules, with the lines that do it; not parsed, there are many."""
        texts = map(self.tree.text, self.modules)
        return {name: lines for text in texts for name, lines in _ASSIGNED.findall(f"\n{text}")}

    @cached_property
    def variables(self) -> Mapping[str, str]:
        """Defaults of the variables in the tables of the release."""
        found: dict[str, str] = {}
        for path in _tables(self.tree):
            listed = read(self.tree.text(path))
            for name, value in listed.table.items():
                found.setdefault(name, spell(value, listed.constants))
        return found


@lru_cache(maxsize=8192)
def _defined(text: str) -> frozenset[str]:
    """Names that may be given a value at the top of a module."""
    return frozenset(_DEFINED.findall(f"\n{text}"))


def _imported(reading: Reading) -> Iterator[str]:
    """Names in a module's reads that it does not define itself."""
    for each in reading.reads:
        for node in (each.name, each.value):
            if isinstance(node, ast.Name | ast.Attribute) and (name := last_name(node)) not in reading.constants:
                yield name


def _tables(tree: Tree) -> list[str]:
    """Tables of variables, the outermost first."""
    found = (path for path in tree.paths if path.rpartition("/")[2] in TABLES)
    return sorted(found, key=lambda path: (path.count("/"), path))


def _unsettled(old: _Release, new: _Release) -> set[str]:
    """Words by which a file that did not change can matter: names, constants and variables that differ."""
    before, after = ({(each.what, each.name, each.value) for each in side.facts()} for side in (old, new))
    words = {name for _, name, _ in before ^ after} | _differing(old.assigned, new.assigned)
    if [old.tree.content(path) for path in _tables(old.tree)] != [new.tree.content(path) for path in _tables(new.tree)]:
        words |= _differing(old.variables, new.variables)
    return {max(re.findall(r"\w+", word) or [""], key=len) for word in words}


def _differing(old: Mapping[str, str], new: Mapping[str, str]) -> set[str]:
    return {name for name in old.keys() & new.keys() if old[name] != new[name]}


def _spoken(text: str) -> set[str]:
    """Words of a module that may state a fact."""
    return set(re.findall(r"\w+", text)) if speaks(text) else set()
