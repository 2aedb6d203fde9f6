"""A second opinion on a scan, by other means: whole functions as `ast.dump` writes them, without docstrings.

It knows no normal form, no matching and no kinds, so that it cannot share a mistake with them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kb.scan import Report, Tree
from kb.scan.match import Status
from kb.scan.report import Difference

SHORTEST = 60
"""Characters of a dumped body below which equal bodies say nothing (`pass`, `return None`)."""
SAME = {Status.UNCHANGED, Status.MOVED}


@dataclass(frozen=True)
class Written:
    """A function as it is written in one release."""

    name: str
    path: str
    dump: str


def functions(tree: Tree, paths: Iterable[str]) -> Iterator[Written]:
    """Functions and methods of files, under their qualified names."""
    for path in paths:
        yield from (Written(name, path, dump) for name, dump in _inside(ast.parse(tree.text(path)).body, ""))


def _inside(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name, _dump(node)
        elif isinstance(node, ast.ClassDef):
            yield from _inside(node.body, f"{prefix}{node.name}.")


def _dump(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Arguments and body, without annotations of arguments and without the docstring."""
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    names = [each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)]
    defaults = [ast.dump(each) for each in (*node.args.defaults, *filter(None, node.args.kw_defaults))]
    return f"{names}{defaults}{''.join(map(ast.dump, body))}"


def lost(report: Report, old: Tree, new: Tree) -> list[str]:
    """Functions reported as removed whose very body is in the new release: there must be none.

    Looked for under any name where the connectors are, and in every file of the package that defines the name.
    """
    gone = {each.match.symbol.path for each in report.symbols if each.status is Status.REMOVED}
    names = {each.name for each in report.symbols if each.status is Status.REMOVED}
    dumps = {each.dump: each.name for each in functions(old, sorted(gone)) if each.name in names}
    wanted = {dump: name for dump, name in dumps.items() if len(dump) >= SHORTEST}
    lasts = {name.rpartition(".")[2] for name in wanted.values()}
    folders = {path.rpartition("/kv_connector/")[0] for path in gone}
    near = {path for path in new.paths if path.endswith(".py") and any(path.startswith(f"{each}/") for each in folders)}
    found = functions(new, sorted(near.union(_defining(new, lasts)) if wanted else ()))
    return [f"{wanted[each.dump]} is {each.name} in {each.path}" for each in found if each.dump in wanted]


def _defining(tree: Tree, names: set[str]) -> list[str]:
    """Files in which a function of one of the names is defined."""
    if not names:
        return []
    define = re.compile(rf"\bdef (?:{'|'.join(sorted(map(re.escape, names)))})\b")
    return [path for path in tree.paths if path.endswith(".py") and define.search(tree.text(path))]


def mentions(tree: Tree, name: str) -> int:
    """Python files of a release in which a name stands as a word."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    return sum(path.endswith(".py") and bool(word.search(tree.text(path))) for path in tree.paths)


def misjudged(report: Report, old: Tree, new: Tree) -> tuple[list[str], list[str], int]:
    """(Same by this reading but reported to behave differently, the other way round, functions compared)."""
    before, after = _by_place(old, report, "old_path"), _by_place(new, report, "new_path")
    alarms, misses, compared = [], [], 0
    for each in report.symbols:
        pair = before.get(_place(each, "old")), after.get(_place(each, "new"))
        if pair[0] is None or pair[1] is None:
            continue
        compared += 1
        if pair[0] == pair[1] and each.behaves_differently:
            alarms.append(each.name)
        if pair[0] != pair[1] and not each.behaves_differently:
            misses.append(each.name)
    return alarms, misses, compared


def _by_place(tree: Tree, report: Report, side: str) -> Mapping[tuple[str, str], str]:
    paths = sorted({path for each in report.symbols if (path := getattr(each, side))})
    return {(each.path, each.name): each.dump for each in functions(tree, paths)}


def _place(each: Difference, side: str) -> tuple[str, str]:
    symbol = getattr(each.match, side)
    return (symbol.path, symbol.plain) if symbol else ("", "")
