"""Queries that need no parser: words, "phrases", field:value, field:>=8, field:[1 TO 8]. Everything AND-ed.

`read` gives exactly what `parser.read` would, or None where it takes a parser to say.
"""

from __future__ import annotations

import re

from kb.search.fields import Extra, between, leaf, quoted
from kb.search.query import And, Query

FIELD = r"(?P<text>[A-Za-z_][\w.-]*):(?!//)"
"""A field's name where a word begins; `https://` is none."""
RANGE = r"(?P<open>[\[{])(?P<start>[^\[\]{}]*?)(?:(?<=[\[{\s])[Tt][Oo](?=[\s\]}]))(?P<end>[^\[\]{}]*?)(?P<close>[\]}])"
"""`[a TO b]`, `{a TO b}`; either end may be missing."""

_CHUNK = re.compile(
    rf"""\s*(?:{FIELD.replace("text", "field")})?
    (?: "(?P<quoted>[^"]*)" | (?P<range>{RANGE}) | (?P<word>[^\s"]+) ) (?=\s|$)""",
    re.VERBOSE,
)
_NEEDS_PARSER = re.compile(r"[()*~]|(?<!\S)-[^\s-]|(?<!\S)(?:AND|OR|NOT)(?!\S)")
_QUOTED = re.compile(r'"[^"]*"')


def read(text: str, extra: Extra) -> Query | None:
    """The query, or None where it takes a parser. Raises QueryError."""
    if _NEEDS_PARSER.search(_QUOTED.sub('""', text)):
        return None
    end = len(text.rstrip())
    parts: list[Query] = []
    position = 0
    while position < end:
        chunk = _CHUNK.match(text, position)
        if chunk is None:
            return None
        parts.append(_part(chunk, extra))
        position = chunk.end()
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _part(chunk: re.Match[str], extra: Extra) -> Query:
    field = chunk["field"]
    if chunk["quoted"] is not None:
        return quoted(field, chunk["quoted"], chunk.start("quoted") - 1, extra)
    if chunk["range"] is not None:
        opens, closes = chunk["open"] == "{", chunk["close"] == "}"
        return between(field, chunk["start"], chunk["end"], opens, closes, chunk.start("range"), extra)
    return leaf(field, chunk["word"], chunk.start("word"), extra)
