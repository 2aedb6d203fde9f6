"""The parts of a syntax tree in which a fact can stand: most of a file has none of the words, and is not walked."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable

from kb.scan.normal import Def

_MATTERS = re.compile(r"[eE][nN][vV]|extra|add_argument|register_|class")
"""Environment variables and tables of them, free-form configuration, arguments, registered names, classes."""


def matters(text: str) -> bool:
    """Whether a function may state a fact, as far as its own words tell."""
    return bool(_MATTERS.search(text))


def relevant(tree: ast.Module, text: str, names: Iterable[str] = ()) -> list[ast.AST]:
    """All nodes but contexts, as `kb.scan.normal.nodes` has them, without statements that have none of the words."""
    spoken = "|".join([_MATTERS.pattern, *(rf"\b{re.escape(each)}\b" for each in sorted(names))])
    lines = _lines(text, re.compile(spoken))
    found: list[ast.AST] = [tree]
    for node in found:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                found += [each for each in value if isinstance(each, ast.AST) and _speaks(each, lines)]
            elif isinstance(value, ast.AST) and name != "ctx":
                found.append(value)
    return found


def _speaks(node: ast.AST, lines: list[int]) -> bool:
    if not isinstance(node, ast.stmt):
        return True
    decorators = node.decorator_list if isinstance(node, Def | ast.ClassDef) else ()
    first = min([node.lineno, *(each.lineno for each in decorators)])
    at = bisect_left(lines, first)
    return at < len(lines) and lines[at] <= (node.end_lineno or first)


def _lines(text: str, words: re.Pattern[str]) -> list[int]:
    """Numbers of the lines with one of the words."""
    found: list[int] = []
    line, at = 1, 0
    for each in words.finditer(text if "\r" not in text else text.replace("\r\n", "\n").replace("\r", "\n")):
        line += each.string.count("\n", at, each.start())
        at = each.start()
        if found[-1:] != [line]:
            found.append(line)
    return found
