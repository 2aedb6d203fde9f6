"""Lists of one-line tables, as points, releases and artifacts are written: read as JSON, in a fifth of YAML's time.

A list is taken only when every line of it is made of plain words, words in double quotes, lists and tables of these,
with the usual spaces. Such a text is JSON once its words have quotes, and means the same; all else is left to YAML.
"""

from __future__ import annotations

import json
import re
from typing import Any

_WORD = r"(?!null\b)(?:-[0-9]|[A-Za-z0-9_+.(/])[\w.+/%()<=>~@;'-]*(?: [\w.+/%()<=>~@;'-]+)*"
_QUOTED = r'"[ !#-\[\]-~]+"'
_FIELD = r"[A-Za-z_]\w{0,99}"
_KEY = r"[A-Za-z_][\w.-]{0,99}(?: [\w.-]{1,99}){0,4}"


def _value(inner: str = "") -> str:
    """A word, or a list or a table of what `inner` is."""
    nested = rf"|\[(?:{inner}(?:, (?!\])|(?=\])))+\]|{_table(inner)}" if inner else ""
    return f"(?:{_WORD}|{_QUOTED}{nested})"


def _table(inner: str) -> str:
    """Its values stand in here once only: what is nested would be compiled many times over."""
    return rf"\{{(?:{_KEY}: {inner}(?:, (?!\}})|(?=\}})))+\}}"


_DASH = "  - "
_LIST = re.compile(
    rf"^({_FIELD}):\n((?:{_DASH}{_table(_value(_value(_value())))}\n)+)(?=[A-Za-z_]|\Z)", re.MULTILINE | re.ASCII
)
"""A field at the top, and the end of it: the next field, or that of the text."""


def parted(front: str) -> tuple[str, str, dict[str, Any]]:
    """Front matter in which each list that can be read here is one word, that word, and the lists by field."""
    lists: dict[str, Any] = {}
    word = "list"
    while word in front:
        word += word  # twice as long each time: a text of hyphens would be searched for ever, one by one

    def taken(found: re.Match[str]) -> str:
        if found[1] in lists:
            return found[0]  # one of the two stands inside a quote, or YAML says that it is given twice
        try:
            lists[found[1]] = _read(found[2])
        except _Twice:
            return found[0]  # YAML says where
        return f"{found[1]}: {word}\n"

    return _LIST.sub(taken, front), word, lists


def _read(items: str) -> Any:
    parts = f"[{items[len(_DASH) : -1]}]".replace(f"\n{_DASH}", ", ").split('"')
    parts[::2] = map(_quoted, parts[::2])  # between them is what has its quotes already
    return _decode('"'.join(parts).replace('""', '"'))


def _quoted(text: str) -> str:
    """Words get their quotes where they end and begin; between two brackets is no word, so there they go again."""
    for mark in (", ", ": "):
        text = text.replace(mark, f'"{mark}"')
    for opening, closing in ("{}", "[]"):
        text = text.replace(opening, f'{opening}"').replace(closing, f'"{closing}')
    for opening, closing in ("{}", "[]"):
        text = text.replace(f'"{opening}', opening).replace(f'{closing}"', closing)
    return text


class _Twice(Exception):
    """A key is given twice in a table."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise _Twice
    return table


_decode = json.JSONDecoder(object_pairs_hook=_once).decode
