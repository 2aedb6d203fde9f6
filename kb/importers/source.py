"""A file or standard input, opened once: its encoding, its shape by content, its records.

The shape is told from the text, never from the name: `object` (one JSON object), `list` (an array of them), `lines`
(several JSON values one after the other), `yaml`, `table` (CSV or TSV), `text`.
"""

from __future__ import annotations

import codecs
import csv
import errno
import io
import re
import stat
import sys
import tempfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Literal

from kb.importers.streaming import Long, Reader, Unreadable, shortened
from kb.importers.yamltext import documents

Shape = Literal["object", "list", "lines", "yaml", "table", "text", "empty", "binary"]

HEAD = 64 << 10
"""Characters by which a text is told."""
LARGEST_TEXT = 64 << 20
"""Bytes of a YAML, CSV or log file that is read whole."""
LONGEST_LINE = 8 << 20
MOST_YAML = 24 << 20
SPOOLED = 8 << 20

_JSON_START = re.compile(r'\s*(\{\s*("|\}|$)|\[\s*(\{\s*("|\}|$)|\]|$))')
_END = object()

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Source:
    """One input. `name` is what findings and runs call it; `path` is None for standard input."""

    def __init__(self, name: str, opened: IO[bytes], path: Path | None = None) -> None:
        self.name = name
        self.path = path
        self._bytes = opened
        self._encoding = _encoding(opened)
        self.repeated: tuple[str, ...] = ()
        """Keys that stood twice in one object of what was read so far."""

    def close(self) -> None:
        """Close the file."""
        self._bytes.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _text_from_start(self) -> io.TextIOWrapper:
        self._bytes.seek(0)
        return io.TextIOWrapper(
            io.BufferedReader(_Unclosed(self._bytes)), encoding=self._encoding, errors="replace", newline=""
        )

    @cached_property
    def size(self) -> int:
        """Bytes."""
        return self._bytes.seek(0, io.SEEK_END)

    @cached_property
    def ends_whole(self) -> bool:
        """Whether the last line has its end; one without may have been cut anywhere, in the middle of a number."""
        self._bytes.seek(max(0, self.size - 4))
        return self._bytes.read().rstrip(b"\0")[-1:] in {b"\n", b"\r"}

    @cached_property
    def head(self) -> str:
        """The first characters."""
        return self._text_from_start().read(HEAD)

    @cached_property
    def shape(self) -> Shape:
        """What kind of text it is."""
        head = self.head.lstrip()
        if not head:
            return "empty"
        if "\0" in head:
            return "binary"
        if (found := self._json) is not None:
            return found[0]
        if self.rows_head:
            return "table"
        return "yaml" if self._is_yaml else "text"

    @cached_property
    def _json(self) -> tuple[Literal["object", "list", "lines"], Any] | None:
        """Shape and first record; None when the text only begins like JSON, as a log line may. Raises Unreadable."""
        if not _JSON_START.match(self.head):
            return None
        reader = self._reader()
        array = reader.is_array()
        values = reader.values()
        first = next(values, None)
        self.repeated = tuple(reader.repeated)
        if array:
            return "list", first
        try:
            return ("object" if next(values, _END) is _END else "lines"), first
        except Unreadable:
            return "lines", first

    def _reader(self) -> Reader:
        return Reader(self._text_from_start().read)

    @cached_property
    def record(self) -> Any:
        """The first record: the object, the first member of the list, the first line's object, the YAML document.
        Long lists in it are `Long`. None for tables and text. Raises Unreadable."""
        return self._json[1] if self._json else next(self.records(), None)

    def records(self) -> Iterator[Any]:
        """Every record, one at a time and read anew at each call. Raises Unreadable in the middle of broken text."""
        if self.shape == "object":
            yield self.record
        elif self.shape in {"list", "lines"}:
            reader = self._reader()
            try:
                yield from reader.values()
            finally:
                self.repeated = tuple(reader.repeated)
        elif self.shape == "yaml":
            yield from self._yaml

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of the first record, where it is an object; what most importers recognise by."""
        return frozenset(self.record) if isinstance(self.record, dict) else frozenset()

    @cached_property
    def text(self) -> str:
        """All of it. Raises Unreadable above the limit."""
        if self.size > LARGEST_TEXT:
            raise Unreadable(f"more than {LARGEST_TEXT >> 20} MiB of text")
        return self._text_from_start().read()

    def lines(self) -> Iterator[str]:
        """Lines without their ends; a carriage return alone ends one too (progress bars)."""
        wrapper = self._text_from_start()
        wrapper.reconfigure(newline=None)
        while line := wrapper.readline(LONGEST_LINE):
            yield line.rstrip("\n")

    @cached_property
    def delimiter(self) -> str:
        """What separates the cells of a table: the one of tab, semicolon and comma that its header has most of."""
        lines = [line for line in self.head.splitlines() if line.strip() and not line.startswith("#")][:1]
        counts = {each: lines[0].count(each) for each in "\t;,"} if lines else {}
        return max(counts, key=lambda each: counts[each]) if any(counts.values()) else ","

    @cached_property
    def rows_head(self) -> tuple[list[str], ...]:
        """The first rows, where two lines or more have cells alike; empty when it is no table."""
        lines = [line for line in self.head.splitlines() if line.strip() and not line.startswith("#")][:8]
        if len(lines) < 2 or self.delimiter not in lines[0]:
            return ()
        rows = list(csv.reader(lines, delimiter=self.delimiter))
        widths = [len(row) for row in rows]
        alike = max(widths[0], 2)
        return tuple(rows) if sum(abs(width - alike) <= 1 for width in widths) >= 2 and not _prose(rows) else ()

    def rows(self) -> Iterator[list[str]]:
        """Rows of a table, lines of `#` comments left out; empty lines are empty rows. Raises Unreadable."""
        before = csv.field_size_limit(LONGEST_LINE)
        try:
            rows = csv.reader(
                (line + "\n" for line in self.lines() if not line.startswith("#")), delimiter=self.delimiter
            )
            yield from rows
        except csv.Error as error:
            raise Unreadable(f"no table: {error}") from error
        finally:
            csv.field_size_limit(before)

    @cached_property
    def _is_yaml(self) -> bool:
        lines = [line for line in self.head.splitlines() if line.strip() and not line.lstrip().startswith("#")][:3]
        return bool(lines) and (lines[0].startswith("---") or _yaml_key(lines[0])) and self._yaml_or_none is not None

    @cached_property
    def _yaml_or_none(self) -> tuple[Any, ...] | None:
        try:
            found = self._yaml
        except Unreadable:
            return None
        return found if found and isinstance(found[0], dict | list) else None

    @cached_property
    def _yaml(self) -> tuple[Any, ...]:
        if self.size > MOST_YAML:
            raise Unreadable(f"more than {MOST_YAML >> 20} MiB of YAML")
        return tuple(shortened(each) for each in documents(self.text))


def open_file(path: Path, name: str | None = None) -> Source:
    """A file, or a pipe that a shell made of a command. Raises OSError."""
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.EINVAL, "it is a device", str(path))
    opened = path.open("rb")
    return Source(name or str(path), opened if opened.seekable() else _aside(opened), path)


def open_stdin() -> Source:
    """Standard input, kept aside so that it can be read again."""
    return Source("-", _aside(sys.stdin.buffer))


def _aside(read_once: IO[bytes]) -> IO[bytes]:
    aside: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=SPOOLED)  # noqa: SIM115
    while piece := read_once.read(1 << 20):
        aside.write(piece)
    return aside


def of_text(text: str, name: str = "-") -> Source:
    """A text in hand."""
    return Source(name, io.BytesIO(text.encode()))


class _Unclosed(io.RawIOBase):
    """Reads from another file and leaves it open."""

    def __init__(self, inner: IO[bytes]) -> None:
        self._inner = inner

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._inner.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)


def _encoding(opened: IO[bytes]) -> str:
    opened.seek(0)
    start = opened.read(4)
    for bom, name in _BOMS:
        if start.startswith(bom):
            return name
    if len(start) == 4 and start[1] == 0 == start[3] and start[0]:
        return "utf-16-le"
    if len(start) == 4 and start[0] == 0 == start[2] and start[1]:
        return "utf-16-be"
    return "utf-8"


def _yaml_key(line: str) -> bool:
    key, colon, _ = line.partition(":")
    return bool(colon) and key.strip("\"'- ").replace("_", "").replace("-", "").replace(".", "").isalnum()


def _prose(rows: list[list[str]]) -> bool:
    """Sentences have commas too; a header does not end in a full stop, and its cells are short."""
    return any(len(cell) > 200 and " " in cell for cell in rows[0]) or rows[0][-1].rstrip().endswith((".", ":", "{"))


__all__ = ["Long", "Source", "Unreadable", "of_text", "open_file", "open_stdin"]
