"""Code that left a component's paths, or came into them, is looked for in the rest of the release."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kb.scan.alike import ALIKE, likeness, same
from kb.scan.match import Match, match
from kb.scan.symbols import STATEMENT, Module, Symbol, module
from kb.scan.tree import Tree

_TEST = re.compile(r"(^|/)(tests?|testing)/|(^|/)(test_\w+|conftest)\.py$")

EVERYWHERE = frozenset({"logger", "log", "_logger"})
"""Names that every module defines for itself: one elsewhere is not this one, and all files would be parsed for it."""


def is_test(path: str) -> bool:
    """Tests are no component's code."""
    return bool(_TEST.search(path))


def found_elsewhere(
    alone: list[Symbol], tree: Tree, known: Iterable[str], importing: Iterable[Module] = ()
) -> list[tuple[Symbol, Symbol, str]]:
    """(Symbol, what it is in the rest of a release, why). Its name must be defined there, with a like body or in the
    same file; a name alone says nothing in a large package."""
    names = {each.plain for each in alone}
    whole = [each for each in alone if _top(each) in names and each.plain not in EVERYWHERE]
    tops = {_top(each) for each in whole}
    if not whole:
        return []
    origins = {origin for each in importing for name, origin in each.origins.items() if name in tops}
    paths = list(_candidates(tree, frozenset(known), {each.path for each in whole}, tops, origins))
    there = [module(path, tree.text(path)) for path in paths]
    wanted = [replace(each, symbols=tuple(s for s in each.symbols if _top(s) in tops)) for each in there]
    return list(_accepted(match([Module("", tuple(whole), {}, {}, {})], wanted).matches, origins))


def _top(symbol: Symbol) -> str:
    """The name at the top of the module that a symbol belongs to."""
    return symbol.plain.partition(".")[0] if symbol.kind != STATEMENT else symbol.plain


def _candidates(tree: Tree, known: frozenset[str], same: set[str], tops: set[str], origins: set[str]) -> Iterator[str]:
    roots = {each.partition("/")[0] for each in same}
    files = {origin.replace(".", "/") + end for origin in origins for end in (".py", "/__init__.py")}
    for path in tree.paths:
        if not path.endswith(".py") or path in known or is_test(path):
            continue
        if path in same or path in files or (path.partition("/")[0] in roots and _defines(tree.text(path), tops)):
            yield path


def _defines(text: str, names: set[str]) -> bool:
    """Whether one of the names is defined at the top of a module, by its lines."""
    return any(one in names or other in names for one, other in _DEFINED.findall(text))


_DEFINED = re.compile(r"^(?:class|def|async def) (\w+)|^(\w+)\s*[:=]", re.MULTILINE)


def _accepted(matches: Iterable[Match], origins: set[str]) -> Iterator[tuple[Symbol, Symbol, str]]:
    pairs = [(each.old, each.new) for each in matches if each.old and each.new]
    classes = {old.plain for old, new in pairs if old.kind == "class" and old.plain == new.plain}
    for old, new in pairs:
        dotted = new.path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        if old.plain != new.plain:
            continue
        if dotted in origins or old.path == new.path:
            yield old, new, f"in {new.path}, outside of the component's paths"
        elif same(old, new) or likeness(old, new) >= ALIKE or old.owner in classes:
            yield old, new, f"the same name and a like body in {new.path}, outside of the component's paths"


def bound_elsewhere(
    gone: Iterable[Symbol], tree: Tree, importing: Iterable[Module]
) -> Iterator[tuple[Symbol, Symbol, str]]:
    """(Statement, what it is in the rest of a release, why): the component now imports the names that it bound."""
    modules = list(importing)
    known: dict[str, tuple[Symbol, ...]] = {}
    for old in (each for each in gone if each.kind == STATEMENT):
        names = _bound(old.node)
        origins = {each.origins[name] for each in modules for name in names & each.origins.keys()}
        files = [origin.replace(".", "/") + end for origin in sorted(origins) for end in (".py", "/__init__.py")]
        for path in files:
            if path in tree and path not in known:
                known[path] = module(path, tree.text(path)).symbols
        there = [each for path in files for each in known.get(path, ())]
        fitting = [each for each in there if each.kind == STATEMENT and _bound(each.node) & names]
        if fitting:
            new = max(fitting, key=lambda each: likeness(old, each))
            yield old, new, f"its names are imported from {new.path} now, outside of the component's paths"


def _bound(node: ast.stmt) -> set[str]:
    """Names that a statement imports or gives a value."""
    imported = {each.asname or each.name for each in ast.walk(node) if isinstance(each, ast.alias)}
    return imported | {
        each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
