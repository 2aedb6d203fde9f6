"""Parses a file beside itself in another release: functions whose text is the same there are not parsed again.

Each of them is replaced by one that does nothing before the rest is parsed, and gets the other's body after that. It is
the function that it was if a statement begins where it stood; wherever that cannot be said, the file is parsed whole.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from kb.scan.normal import Def

SHORTEST = 80
"""Letters of a function that is worth it."""
_ODD = re.compile(r"[\r\f\v]|\\\n[ \t]*(?:async|def|class|@)")
"""Files in which the beginning of a line does not say how deep a statement stands."""
_MARK = "_graft_{}_"


@dataclass(frozen=True)
class Parsed:
    """The syntax tree of a file."""

    tree: ast.Module
    grafted: Mapping[int, str] = field(default_factory=dict)
    """id of a function whose body comes from the other release -> its text; line numbers in its body are wrong."""


def grafted(text: str, known: Mapping[str, Def]) -> Parsed | None:
    """The tree of a file of which some functions are known already, by text; None where that does not help.

    The texts are whole lines, of a file without oddities (`is_even`).
    """
    if not known or not is_even(text):
        return None
    pieces = list(_pieces(text, known))
    if not pieces:
        return None
    try:
        tree = ast.parse(_reduced(text, pieces))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    stubs = {each.name: each for each in _functions(tree.body)}
    found: dict[int, str] = {}
    for number, (_, line, piece) in enumerate(pieces):
        stub, whole = stubs.get(_MARK.format(number)), known[piece]
        if stub is None or stub.lineno != line or stub.decorator_list:
            return None
        stub.name, stub.body = whole.name, whole.body
        found[id(stub)] = piece
    return Parsed(tree, found)


def is_even(text: str) -> bool:
    """Whether lines of a file can be cut at the beginning and end of a function."""
    return not _ODD.search(text)


Piece = tuple[int, int, str]
"""Where a known function begins, in letters and in lines, and its text."""


def _pieces(text: str, known: Mapping[str, Def]) -> list[Piece]:
    """Every known function in the file, as far as they stand in the same order."""
    found: list[Piece] = []
    at, line = 0, 1
    for piece in known:
        start = text.find(piece, at) if len(piece) >= SHORTEST and piece.endswith("\n") else -1
        if start == 0 or (start > 0 and text[start - 1] == "\n"):
            line += text.count("\n", at, start)
            found.append((start, line, piece))
            line += piece.count("\n")
            at = start + len(piece)
    return found


def _reduced(text: str, pieces: list[Piece]) -> str:
    """The text with a function that does nothing for each piece, on as many lines."""
    parts: list[str] = []
    at = 0
    for number, (start, _, piece) in enumerate(pieces):
        indent = piece[: len(piece) - len(piece.lstrip(" \t"))]
        nothing = "\n" * (piece.count("\n") - 1)
        parts += [text[at:start], f"{indent}def {_MARK.format(number)}():{nothing}{indent} pass\n"]
        at = start + len(piece)
    return "".join([*parts, text[at:]])


def _functions(body: list[ast.stmt]) -> list[Def]:
    """Functions that stand for themselves, not inside of another one."""
    found: list[Def] = []
    for node in body:
        if isinstance(node, Def):
            found.append(node)
        else:
            for part in ("body", "orelse", "finalbody", "handlers"):
                found += _functions(getattr(node, part, []))
    return found
