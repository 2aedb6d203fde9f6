"""Lines of a report or log as text: without colours, without the stamps of a log collector, without a last line that
was cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kb.importers.fields import is_missing
from kb.importers.source import LARGEST_TEXT, Source, of_text

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]")
_STAMP = re.compile(r"^\[\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?\]\s?")
CUT = "the file ends without a line end; its last line may be cut and was not read"

UNFINISHED = "the last line has no line end; if the file was cut, its last cell is not whole"


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a report; `cut` says that a last one without an end was left out."""

    lines: tuple[str, ...]
    cut: bool

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    @property
    def odd(self) -> tuple[str, ...]:
        """The sentence about the cut line, if there is one."""
        return (CUT,) if self.cut else ()


def uncoloured(text: str) -> str:
    """The text without terminal codes."""
    return _COLOUR.sub("", text)


def whole_lines(source: Source, closes: Sequence[str] = ()) -> Lines:
    """The lines of a text. A number in a last line without an end may have lost digits, so that line is left out,
    unless it begins with one of `closes`: lines that carry no number. Raises Unreadable."""
    text = uncoloured(source.text).replace("\r\n", "\n").replace("\r", "\n")
    lines = [_STAMP.sub("", line).rstrip() for line in text.split("\n")]
    last = lines.pop()
    whole = not last or last.strip().startswith(tuple(closes) or ("=", "-", "*"))
    return Lines(tuple([*lines, last] if whole else lines), not whole)


def unfinished(source: Source) -> tuple[str, ...]:
    """What to say of a table without a last line end. Tables made by hand often have none, so that the row is kept."""
    return () if _ends_in_a_line_end(source) else (UNFINISHED,)


def _ends_in_a_line_end(source: Source) -> bool:
    """By the last bytes: a table may be larger than what is read whole."""
    if source.path is None:
        return source.size > LARGEST_TEXT or source.text.endswith(("\n", "\r"))
    with source.path.open("rb") as opened:
        opened.seek(-min(source.size, 2), 2)
        return opened.read().strip(b"\0")[-1:] in {b"\n", b"\r"}


def whole_records(source: Source) -> tuple[Iterator[Any], tuple[str, ...]]:
    """The records, and what to say about them. YAML that was cut in its last line still reads, with a number that lost
    digits: there that line is left out. Raises Unreadable."""
    if source.shape != "yaml" or source.text.endswith(("\n", "...")):
        return source.records(), ()
    text = source.text
    return of_text(text[: text.rfind("\n") + 1], source.name).records(), (CUT,)


def labelled(line: str) -> tuple[str, str] | None:
    """`Label: value` of a line; None where there is no colon or no label."""
    label, colon, value = line.partition(":")
    return (label.strip(), value.strip()) if colon and label.strip() else None


def stated(value: str | None) -> str | None:
    """A value that says something: `None`, `N/A` and an empty one do not."""
    return None if value is None or is_missing(value) else value
