"""A data file of the search, and how a long sorted list becomes several of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

FOLDER = "search/"
LARGE = 40_000
"""Characters of a data file, about."""
_SEPARATORS = {"\u2028": "\\u2028", "\u2029": "\\u2029"}


class Row(NamedTuple):
    """A member of a sorted list."""

    key: Any
    value: Any
    size: int


def content(name: str, data: Any) -> bytes:
    """A script that hands its data over: what a page from file:// may load."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for separator, escape in _SEPARATORS.items():
        text = text.replace(separator, escape)
    return f"kbSearchData({json.dumps(name)},{text});\n".encode()


def cut(rows: Iterable[Row], large: int = LARGE) -> list[list[Row]]:
    """Rows in order, in groups of about one size."""
    groups: list[list[Row]] = []
    size = large
    for row in rows:
        if size + row.size > large and (size >= large // 4 or not groups):
            groups.append([])
            size = 0
        groups[-1].append(row)
        size += row.size
    return groups


def order(text: str) -> bytes:
    """The key by which JavaScript sorts text: by its UTF-16 units."""
    return text.encode("utf-16-be", "surrogatepass")
