"""A text to read: its bytes decoded, and its YAML with the line of every value."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import yaml

from kb.errors import KbError

MAX_BYTES = 64 << 20
"""Largest file read; what describes a setup is small, and a log says it in its first lines."""

MAX_DEPTH = 60
MOST_VALUES = 500_000
"""Values of one text, counted through aliases; a few lines of aliases can stand for billions."""


class NotASetup(KbError):
    """No reader recognises a text, or more than one does."""


class Text(str):
    """A scalar with the line it begins on."""

    line: int

    def __new__(cls, text: str, line: int = 1) -> Text:
        made = super().__new__(cls, text)
        made.line = line
        return made


class Table(dict[str, Any]):
    """A mapping with the line of every key."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}

    def line(self, key: str) -> int:
        """Line of a key; 1 when it is not there."""
        return self.lines.get(key, 1)

    def table(self, key: str) -> Table:
        """The table under a key; an empty one when there is none."""
        value = self.get(key)
        return value if isinstance(value, Table) else Table()

    def text(self, key: str) -> Text | None:
        """The scalar under a key."""
        value = self.get(key)
        return value if isinstance(value, Text) else None

    def items_of(self, key: str) -> list[Any]:
        """The list under a key; an empty one when there is none."""
        value = self.get(key)
        return value if isinstance(value, list) else []

    def tables(self, key: str) -> list[Table]:
        """The tables in the list under a key."""
        return [each for each in self.items_of(key) if isinstance(each, Table)]


def decoded(data: bytes, name: str) -> str:
    """The text of a file. Raises NotASetup for what is no text."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace").replace("\r\n", "\n")
    if b"\0" in data[:4096]:
        raise NotASetup(f"{name} is not a text file", "give the text that describes the setup")
    return data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")


class Source:
    """A named text; parsed once, when a reader asks."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = _ANSI.sub("", text)

    def place(self, line: int) -> str:
        """`file:line`."""
        return f"{self.name}:{line}"

    @cached_property
    def documents(self) -> tuple[Any, ...]:
        """YAML or JSON documents whose top is a table or a list; none when the text is something else."""
        if not _STRUCTURED.search(self.text):
            return ()
        try:
            nodes = list(yaml.compose_all(self.text, Loader=yaml.CSafeLoader))
            build = _Building(self.name)
            return tuple(built for node in nodes if isinstance(built := build.value(node, 0), Table | list))
        except (yaml.YAMLError, RecursionError, ValueError):
            return self._json_lines()

    def _json_lines(self) -> tuple[Any, ...]:
        """JSON Lines, or JSON that YAML refuses."""
        try:
            if self.text.lstrip()[:1] not in "{[":
                return ()
            return tuple(_of_json(value) for value in _json_values(self.text))
        except (ValueError, RecursionError):
            return ()

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The documents that are tables."""
        return tuple(each for each in self.documents if isinstance(each, Table))

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")


_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_STRUCTURED = re.compile(r"(?m)^\s*[\w.\"'/-]+\s*:(\s|$)|^\s*[{\[]|^\s*- ")


class _Building:
    """Values of YAML nodes, counted. Raises NotASetup for more of them than any setup has."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0

    def value(self, node: Any, depth: int) -> Any:
        """A node's table, list or text."""
        self.count += 1
        if self.count > MOST_VALUES:
            raise NotASetup(
                f"{self.name} stands for more than {MOST_VALUES} values",
                "aliases repeat what they stand for; give the part that describes the setup",
            )
        if depth > MAX_DEPTH:
            raise ValueError("nested too deeply")
        if isinstance(node, yaml.ScalarNode):
            return _scalar(node)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        return self._table(node, depth)

    def _table(self, node: Any, depth: int) -> Table:
        table, own = Table(), Table()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            built = self.value(value, depth + 1)
            if key.value == "<<":
                for each in built if isinstance(built, list) else [built]:
                    if isinstance(each, Table):
                        table.update(each)
                        table.lines.update(each.lines)
                continue
            own[key.value] = built
            own.lines[key.value] = key.start_mark.line + 1
        table.update(own)
        table.lines.update(own.lines)
        return table


def _scalar(node: Any) -> Text | None:
    if not node.style and node.value in {"", "~", "null", "Null", "NULL"}:
        return None
    return Text(node.value, node.start_mark.line + (2 if node.style in {"|", ">"} else 1))


def _json_values(text: str) -> Iterator[Any]:
    decoder, end = json.JSONDecoder(), 0
    while (start := _next(text, end)) < len(text):
        value, end = decoder.raw_decode(text, start)
        yield value


def _next(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def of_json(text: str, line: int = 1) -> Any:
    """A JSON value as tables and texts, all on one line. Raises ValueError."""
    return _of_json(json.loads(text), line)


def _of_json(value: Any, line: int = 1) -> Any:
    if isinstance(value, dict):
        table = Table()
        for key, each in value.items():
            table[str(key)] = _of_json(each, line)
            table.lines[str(key)] = line
        return table
    if isinstance(value, list):
        return [_of_json(each, line) for each in value]
    if value is None:
        return None
    if isinstance(value, bool):
        return Text("true" if value else "false", line)
    return Text(value if isinstance(value, str) else json.dumps(value), line)


def as_json(value: Any) -> str:
    """A table, list or text as compact JSON; numbers and switches without quotes."""
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, str):
        try:
            read = json.loads(value)
        except ValueError:
            return str(value)
        return read if isinstance(read, int | float) else str(value)
    return value
