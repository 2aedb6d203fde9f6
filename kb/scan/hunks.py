"""The lines that differ in one symbol, as a unified diff with the line numbers of the files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from kb.scan.symbols import CLASS, Symbol
from kb.scan.texts import lines

CONTEXT = 2
"""Unchanged lines shown around changed ones."""


@dataclass(frozen=True)
class Compared:
    """Two texts of one symbol, line by line."""

    gone: tuple[int, ...]
    """Lines of the old one that differ, counted within its text from 0."""
    come: tuple[int, ...]
    """Lines of the new one that differ."""
    hunk: str | None
    """The differing lines; none where only the ends of lines differ."""


def compared(old: Symbol, new: Symbol) -> Compared:
    """What differs between two texts of one symbol."""
    before, after = lines(old.text), lines(new.text)
    if before == after:
        return Compared((), (), None)
    matcher = SequenceMatcher(None, before, after)
    spans = [(a, b, c, d) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
    gone, come = ([n for span in spans for n in range(*span[at : at + 2])] for at in (0, 2))
    shown = [f"--- {_place(old)}", f"+++ {_place(new)}"]
    for group in matcher.get_grouped_opcodes(CONTEXT):
        shown.append(f"@@ -{_span(group[0][1], group[-1][2], old)} +{_span(group[0][3], group[-1][4], new)} @@")
        for tag, a, b, c, d in group:
            shown += [f" {line}" for line in before[a:b]] if tag == "equal" else _both(before[a:b], after[c:d])
    return Compared(tuple(gone), tuple(come), "\n".join(shown) + "\n")


def hunk(old: Symbol | None, new: Symbol | None) -> str | None:
    """The differing lines, or nothing when the text is the same. An added or removed symbol is all there is of it."""
    if old and new:
        return None if old.text == new.text else compared(old, new).hunk
    symbol = new or old
    there = lines(symbol.text) if symbol else []
    if not symbol or not there:
        return None
    span = _span(0, len(there), symbol)
    place = f"@@ -0,0 +{span} @@" if new else f"@@ -{span} +0,0 @@"
    shown = _both([], there) if new else _both(there, [])
    return "\n".join([f"--- {_place(old)}", f"+++ {_place(new)}", place, *shown]) + "\n"


def _both(gone: list[str], come: list[str]) -> Iterator[str]:
    yield from (f"-{line}" for line in gone)
    yield from (f"+{line}" for line in come)


def _place(symbol: Symbol | None) -> str:
    return f"{symbol.path}:{symbol.line} {symbol.name}" if symbol else "/dev/null"


def _span(start: int, stop: int, symbol: Symbol) -> str:
    """Lines of a symbol as lines of its file; a class without its methods keeps its own count."""
    first, count = start + (symbol.line if symbol.kind != CLASS else 1), stop - start
    return f"{first}" if count == 1 else f"{first},{count}" if count else f"{first - 1},0"
