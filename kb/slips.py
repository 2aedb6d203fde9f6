"""YAML that cannot be read, in words: what slipped, on which line, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import yaml


class Slip(NamedTuple):
    """A line from 1, a message, a hint."""

    line: int
    message: str
    hint: str | None = None


QUOTE_IT = 'put text with ": " or a leading * & ! % @ ` into quotes'
_CLOSES = {"[": "]", "{": "}"}
_TOP = re.compile(r"[A-Za-z_]\w*:(?:[ \n]|$)")
_GLUED = re.compile(r"(?:- +)?([A-Za-z_]\w*):[^\s/]")
"""`title:foo`: a key whose colon has no space behind it; an address is none."""
_FIRST_KEY = re.compile(r"\s*(?:- +)*[^\s:]+\s*$")
"""What stands before the colon of the first key of a line."""


def slip(error: yaml.MarkedYAMLError, front: str) -> Slip:
    """The error of the YAML reader, worded for the person who typed it."""
    lines = front.splitlines() or [""]
    mark = error.problem_mark or error.context_mark
    line = min(mark.line + 1, len(lines)) if mark else 1
    problem = error.problem or "not readable as YAML"
    found = _never_closed(error, lines, line) or _indented(error, lines, line) or _glued(error, lines)
    return found or Slip(line, f"not readable as YAML: {problem}", _hint(problem, lines[line - 1]))


def _hint(problem: str, shown: str) -> str | None:
    if "escape" in problem:
        return "use single quotes, or write the backslash twice"
    return QUOTE_IT if ":" in shown or "token" in problem or "expected key" in problem else None


def _never_closed(error: yaml.MarkedYAMLError, lines: list[str], line: int) -> Slip | None:
    context, mark = error.context or "", error.context_mark
    if mark and "quoted scalar" in context and "end of stream" in (error.problem or ""):
        return Slip(mark.line + 1, "a quote is never closed", "close it, or put the other kind of quotes around it")
    if (opened := _quote_closed_late(lines, line)) is not None:
        return Slip(opened, "a quote is never closed", "close it on this line; the text ran on to the next quote")
    if mark and "flow" in context and (found := _bracket(lines, mark.line, mark.column)):
        return found
    # At the end of the text the reader's mark lies behind the bracket, or names none.
    return _left_open(lines) if "expected node content" in (error.problem or "") or "flow" in context else None


def _left_open(lines: list[str]) -> Slip | None:
    """The innermost bracket that the whole text leaves open."""
    open_: list[tuple[int, str]] = []
    for at, text in enumerate(lines):
        for row, sign in _signs([text], 0, 0):
            if sign in _CLOSES:
                open_.append((at + row, sign))
            elif open_:
                open_.pop()
    if not open_:
        return None
    at, sign = open_[-1]
    return Slip(at + 1, "a bracket is never closed", f'put "{_CLOSES[sign]}" at its end')


_OPENING = re.compile(r"""(?:^\s*|[:,\-] +|[\[{]\s*)(["'])""")


def _quote_closed_late(lines: list[str], line: int) -> int | None:
    """Line of a quote that only the first quote of the line of the error closes."""
    for at in range(line - 1, 0, -1):
        if (sign := _open_at_end(lines[at - 1])) is not None:
            between = "".join(lines[at : line - 1])
            return at if sign not in between and sign in lines[line - 1] else None
    return None


def _open_at_end(text: str) -> str | None:
    """The quote that is still open where the line ends."""
    place = 0
    while found := _OPENING.search(text, place):
        if (end := text.find(found[1], found.end())) < 0:
            return found[1]
        place = end + 1
    return None


def _bracket(lines: list[str], row: int, column: int) -> Slip | None:
    """The bracket at a place, when it is closed by the wrong one or not before the next field."""
    open_: list[str] = []
    for at, sign in _signs(lines, row, column):
        if sign in _CLOSES:
            open_.append(sign)
        elif not open_:
            return None
        elif _CLOSES[opened := open_.pop()] != sign:
            return Slip(at + 1, f'"{opened}" is closed with "{sign}"', f'close it with "{_CLOSES[opened]}"')
        elif not open_:
            return None
    sign = lines[row][column : column + 1] if row < len(lines) else ""
    return Slip(row + 1, "a bracket is never closed", f'put "{_CLOSES[sign]}" at its end') if sign in _CLOSES else None


def _signs(lines: list[str], row: int, column: int) -> Iterator[tuple[int, str]]:
    """Brackets outside quotes from a place on, up to the next field at the margin; each with its row."""
    quote, last = "", ""
    for at, text in enumerate(lines[row:], row):
        if at > row and not quote and _TOP.match(text):
            return
        for sign in text[column:] if at == row else text:
            if quote:
                quote = "" if sign == quote else quote
            elif sign in "\"'" and last in _BEFORE_QUOTE:
                quote = sign
            elif sign in "[]{}":
                yield at, sign
            last = sign if sign != " " else last


_BEFORE_QUOTE = frozenset("[{,:")
"""A quote opens a text only behind these; elsewhere it is an apostrophe."""


def _indented(error: yaml.MarkedYAMLError, lines: list[str], line: int) -> Slip | None:
    problem, mark = error.problem or "", error.problem_mark
    if "document start" in problem and lines[0].startswith(" "):
        return Slip(1, "the indentation is wrong", "the record's own fields begin at the margin")
    if mark is None or not lines[line - 1].strip():
        return None
    before = lines[line - 1][: mark.column]
    if "expected key" in problem or "'-' indicator" in problem:
        return Slip(line, "the indentation is wrong", _ALIGN) if not before.strip() else None
    if "mapping values" in problem and _FIRST_KEY.match(before):
        above = next((each for each in reversed(lines[: line - 1]) if each.strip()), "")
        return None if _GLUED.match(above.strip()) else Slip(line, "the indentation is wrong", _DEEPER)
    return None


_ALIGN = "keys of one table, and the hyphens of one list, begin in the same column"
_DEEPER = "this line is deeper than the one above, which has its value already; put it in the same column"


def _glued(error: yaml.MarkedYAMLError, lines: list[str]) -> Slip | None:
    problem, mark = error.problem or "", error.problem_mark
    if mark is None or not ("mapping values" in problem or "expected ':'" in problem):
        return None
    last = min(mark.line, len(lines) - 1)
    for at in range(last, max(-1, last - 3), -1):
        if glued := _GLUED.match(lines[at].strip()):
            return Slip(at + 1, "a space is missing after the colon", f"write `{glued[1]}: ...`")
    if "expected ':'" in problem and error.context_mark:
        at = error.context_mark.line
        return Slip(at + 1, f'"{lines[at].strip()[:40]}" is no field', "each line is `key: value`")
    return None
