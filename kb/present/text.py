"""Laying out text in columns of a terminal, where a Japanese character takes two."""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

WIDEST = 100
"""Lines longer than this are hard to read, however wide the terminal is."""

# Patterns are compiled where they are needed: plain ASCII, the commonest text, needs none, and `kb search` starts fast.
_ANSI = r"\x1b\[[0-9;]*m"
_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
_PIECE = r"\s+|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+|."
_NO_START = frozenset("、。，．・：；？！）」』】〉》〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?)]}%")
"""Characters that no line begins with."""


class Style(NamedTuple):
    """How marked text looks; every style is plain where colour is not wanted."""

    on: bool = False

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.on and text else text

    def dim(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[0m" if self.on and text else text

    def red(self, text: str) -> str:
        return f"\x1b[31m{text}\x1b[0m" if self.on and text else text

    def yellow(self, text: str) -> str:
        return f"\x1b[33m{text}\x1b[0m" if self.on and text else text


class Page(NamedTuple):
    """What is written on: its width and whether it takes colour."""

    width: int = 80
    style: Style = Style()
    terminal: bool = False
    """Whether somebody looks at it; a pipe gets one line for each thing."""


def page() -> Page:
    """The page that stdout is: colour only on a terminal, and not when NO_COLOR is set."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    columns = shutil.get_terminal_size((80, 24)).columns
    return Page(max(40, min(columns, WIDEST)), Style(colour), sys.stdout.isatty())


def clean(text: str) -> str:
    """Text without control characters: what a record says must not be able to steer a terminal."""
    return text if text.isprintable() else re.sub(_CONTROL, "", text.replace("\t", "    "))


def width(text: str) -> int:
    """Columns that `text` takes."""
    if "\x1b" in text:
        text = re.sub(_ANSI, "", text)
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def pad(text: str, columns: int, right: bool = False) -> str:
    """`text` filled up with blanks to `columns`."""
    blanks = " " * max(0, columns - width(text))
    return blanks + text if right else text + blanks


def cut(text: str, columns: int) -> str:
    """`text` shortened to `columns`, with an ellipsis where something was left out."""
    if width(text) <= columns:
        return text
    kept, used = [], 0
    for char in text:
        used += _columns(char)
        if used > columns - 1:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


def wrap(text: str, columns: int, first: str = "", rest: str | None = None) -> list[str]:
    """Lines of at most `columns`, beginning with `first` and then `rest` (blanks as wide as `first`).

    Breaks at blanks, and between Japanese or Chinese characters; a word longer than a line is broken.
    """
    rest = " " * width(first) if rest is None else rest
    lines: list[str] = []
    for paragraph in clean(text).split("\n"):
        lines.extend(_wrapped(paragraph, columns, first if not lines else rest, rest))
    return lines or [first.rstrip()]


def few_lines(text: str, most: int, columns: int, first: str = "", rest: str | None = None) -> list[str]:
    """The same in at most so many lines, with an ellipsis where something was left out."""
    lines = wrap(text, columns, first, rest)
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    return [*lines[: most - 1], cut(f"{last}…", columns)]


def _wrapped(text: str, columns: int, first: str, rest: str) -> list[str]:
    lines: list[str] = []
    line: list[str] = []
    start, used = first, width(first)
    for piece in _pieces(text, max(8, columns - width(rest))):
        if line and used + width(piece) > columns and piece != " ":
            carried = [line.pop()] if piece[0] in _NO_START and len(line) > 1 else []
            lines.append((start + "".join(line)).rstrip())
            line, start, used = carried, rest, width(rest) + sum(map(width, carried))
        if line or piece != " ":
            line.append(piece)
            used += width(piece)
    return [*lines, (start + "".join(line)).rstrip()]


def _pieces(text: str, longest: int) -> Iterable[str]:
    for piece in _words(text):
        if piece.isspace():
            yield " "
            continue
        while width(piece) > longest:
            yield (head := _head(piece, longest))
            piece = piece[len(head) :]
        if piece:
            yield piece


def _words(text: str) -> list[str]:
    """Words and the blanks between them; Japanese characters one by one."""
    if not text.isascii():
        return re.findall(_PIECE, text)
    words = [piece for word in text.split() for piece in (" ", word)]
    return words if text[:1].isspace() else words[1:]


def _head(text: str, columns: int) -> str:
    """As much of a word as fits; ids, paths and symbols break after a sign, where that leaves enough of them."""
    fitting = _fitting(text, columns)
    if len(fitting) == len(text):
        return text
    for signs in ("/:.", "_-,=&?"):
        place = max(fitting.rfind(sign) for sign in signs) + 1
        if place * 3 > len(fitting):
            return fitting[:place]
    return fitting


def _fitting(text: str, columns: int) -> str:
    used = 0
    for place, char in enumerate(text):
        used += _columns(char)
        if used > columns:
            return text[:place]
    return text


def table(
    rows: Sequence[Sequence[str]],
    columns: int,
    head: Sequence[str] | None = None,
    right: Iterable[int] = (),
    indent: str = "  ",
    page: Page | None = None,
) -> list[str]:
    """Rows in columns two blanks apart, the widest columns wrapped until the whole fits; where words would have to be
    broken, one thing under the other.
    """
    cells = [[clean(cell) for cell in row] for row in ([list(head)] if head else []) + [list(row) for row in rows]]
    if not cells:
        return []
    widths = _fit(cells, columns - width(indent))
    if widths is None:
        return _stacked(cells, columns, head is not None, indent)
    flush = frozenset(right)
    lines: list[str] = []
    for number, row in enumerate(cells):
        laid = _row(row, widths, flush, indent)
        lines.extend(map(page.style.dim, laid) if page and head and number == 0 else laid)
    return lines


def _fit(cells: Sequence[Sequence[str]], room: int) -> list[int] | None:
    """Widths of the columns: what they need, the widest giving way until all fit; None where words do not fit whole."""
    count = max(len(row) for row in cells)
    columns = [[row[i] for row in cells if i < len(row)] for i in range(count)]
    widths = [max(map(width, column)) for column in columns]
    floors = [max(map(_longest_word, column)) for column in columns]
    room -= 2 * (count - 1)
    if sum(floors) > room:
        return None
    while sum(widths) > room:
        able = [i for i in range(count) if widths[i] > floors[i]]
        widths[max(able, key=widths.__getitem__)] -= 1
    return widths


def _stacked(cells: Sequence[Sequence[str]], columns: int, has_head: bool, indent: str) -> list[str]:
    """Each row's first cell, the others under it, named as their columns are."""
    head, rows = (cells[0], cells[1:]) if has_head else ([], cells)
    lines: list[str] = []
    for first, *others in rows:
        lines += wrap(first, columns, indent, f"{indent}  ")
        for place, cell in enumerate(others, 1):
            name = f"{head[place]}: " if place < len(head) and head[place] else ""
            lines += wrap(f"{name}{cell}", columns, f"{indent}  ", f"{indent}    ") if cell else []
    return lines


def _longest_word(text: str) -> int:
    return max((width(piece) for piece in _words(text)), default=0)


def _row(row: Sequence[str], widths: Sequence[int], flush: frozenset[int], indent: str) -> list[str]:
    wrapped = [wrap(cell, columns) for cell, columns in zip(row, widths, strict=False)]
    return [
        (
            indent
            + "  ".join(
                pad(cell[line] if line < len(cell) else "", columns, number in flush)
                for number, (cell, columns) in enumerate(zip(wrapped, widths, strict=False))
            )
        ).rstrip()
        for line in range(max(map(len, wrapped)))
    ]


def heading(text: str, page: Page) -> list[str]:
    """A heading with an empty line before it."""
    return ["", *map(page.style.bold, wrap(text, page.width))]


def bullets(items: Iterable[str], columns: int, mark: str = "- ") -> list[str]:
    """One wrapped item after another."""
    return [line for item in items for line in wrap(item, columns, f"  {mark}")]


def named(name: str, text: str, columns: int, gap: int = 10, indent: str = "") -> list[str]:
    """A short name, then text that is wrapped beside it."""
    return wrap(text, columns, pad(f"{indent}{name}", gap) + " ", " " * (gap + 1)) if text else []
