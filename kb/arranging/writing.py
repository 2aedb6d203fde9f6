"""A record's fields as YAML text, laid out as people write records: setup in blocks, points and claims a line each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_PLAIN = re.compile(r"[A-Za-z0-9_./<=+(][\w ./<>=+%()@~^,;-]*")
_FLOW = re.compile(r"[,\[\]{}]")


def scalar(value: Any, flow: bool = False) -> str:
    """A value as a YAML scalar; text that would read otherwise is quoted."""
    text = number(value) if isinstance(value, float) else str(value)
    plain = _PLAIN.fullmatch(text) and not text.endswith(" ") and text not in {"null", "~"} and " #" not in text
    if plain and not (flow and _FLOW.search(text)) and not text.startswith(("- ", "? ")):
        return text
    return json.dumps(text, ensure_ascii=False)


def number(value: float) -> str:
    """A number as it was read: the shortest text that is it, without a needless `.0`."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def inline(value: Any) -> str:
    """A table or list on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key, True)}: {inline(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(inline, value)) + "]"
    return scalar(value, flow=True)


def block(tables: Mapping[str, Any], indent: int = 0) -> Iterator[str]:
    """Tables in blocks; those without tables in them on one line where it is short."""
    for key, value in tables.items():
        before = " " * indent + f"{scalar(key)}:"
        if not isinstance(value, Mapping):
            yield f"{before} {inline(value) if isinstance(value, list | tuple) else scalar(value)}"
            continue
        line = f"{before} {inline(value)}"
        if len(line) <= 110 and not any(isinstance(each, Mapping) for each in value.values()):
            yield line
        else:
            yield before
            yield from block(value, indent + 2)


def item(value: Mapping[str, Any], indent: int = 2) -> str:
    """An item of a list on one line."""
    return " " * indent + f"- {inline(value)}"


def remark(sentence: str) -> str:
    """A sentence as one line of a comment."""
    return " ".join("".join(char if char.isprintable() else " " for char in sentence).split())
