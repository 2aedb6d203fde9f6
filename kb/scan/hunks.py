"""The lines that differ in one symbol, as a unified diff with the line numbers of the files."""

from __future__ import annotations

import re
from difflib import unified_diff

from kb.scan.match import Match
from kb.scan.symbols import CLASS, Symbol

CONTEXT = 2
"""Unchanged lines shown around changed ones."""

_PLACE = re.compile(r"^@@ -(\d+)((?:,\d+)?) \+(\d+)((?:,\d+)?) @@$")


def hunk(match: Match) -> str | None:
    """The differing lines, or nothing when the text is the same. An added or removed symbol is all there is of it."""
    if match.old and match.new and match.old.text == match.new.text:
        return None
    old, new = _lines(match.old), _lines(match.new)
    if old == new:
        return None
    if match.old is None or match.new is None:
        lines = _whole(old or new, match)
    else:
        lines = list(unified_diff(old, new, _place(match.old), _place(match.new), n=CONTEXT, lineterm=""))
    return "\n".join(_shifted(each, match) for each in lines) + "\n"


def _whole(lines: list[str], match: Match) -> list[str]:
    """What came or went whole, as difflib writes it, who would compare it with nothing first."""
    span, sign = ("1" if len(lines) == 1 else f"1,{len(lines)}"), ("+" if match.new else "-")
    place = f"@@ -0,0 +{span} @@" if match.new else f"@@ -{span} +0,0 @@"
    return [f"--- {_place(match.old)}", f"+++ {_place(match.new)}", place, *(f"{sign}{line}" for line in lines)]


def changed_lines(match: Match) -> tuple[list[int], list[int]]:
    """Lines that differ, counted within the symbols' text from 0: in the old and in the new one."""
    old, new = _lines(match.old), _lines(match.new)
    gone, come = [], []
    for line in unified_diff(old, new, n=0, lineterm=""):
        if found := _PLACE.match(line):
            gone += _span(found[1], found[2])
            come += _span(found[3], found[4])
    return gone, come


def _span(start: str, length: str) -> list[int]:
    count = int(length[1:]) if length else 1
    return list(range(int(start) - 1, int(start) - 1 + count))


def _lines(symbol: Symbol | None) -> list[str]:
    return symbol.text.splitlines() if symbol else []


def _place(symbol: Symbol | None) -> str:
    return f"{symbol.path}:{symbol.line} {symbol.name}" if symbol else "/dev/null"


def _shifted(line: str, match: Match) -> str:
    """A place within the symbol as a place in the file; a class without its methods keeps its own count."""
    found = _PLACE.match(line)
    if not found:
        return line
    old, new = _first(match.old), _first(match.new)
    return f"@@ -{int(found[1]) + old}{found[2]} +{int(found[3]) + new}{found[4]} @@"


def _first(symbol: Symbol | None) -> int:
    return symbol.line - 1 if symbol and symbol.kind != CLASS else 0
