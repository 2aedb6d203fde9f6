"""The stretch of a text that shows best why it was found, cut by the same tokens that found it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from kb.tokens import spans, tokens

LENGTH = 160
"""Characters of a snippet, about."""
_LOOKED_AT = 20_000
"""Characters of a text that are looked at."""
_QUOTED = re.compile(r'"([^"]+)"(\*?)')
_MARKUP = re.compile(r"^[#>|*+\s-]+|[`*|]+|\[|\]\([^)]*\)", re.MULTILINE)


class Wanted(NamedTuple):
    """Tokens to look for, and beginnings of tokens."""

    tokens: frozenset[str] = frozenset()
    beginnings: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tokens or self.beginnings)

    def holds(self, token: str) -> bool:
        """Whether a token of a text is one of them."""
        return token in self.tokens or token.startswith(self.beginnings)


def wanted(expressions: Iterable[str]) -> Wanted:
    """What MATCH expressions look for, in the parts that a text is cut into."""
    found: set[str] = set()
    beginnings: list[str] = []
    for quoted, star in (each for expression in expressions for each in _QUOTED.findall(expression)):
        *whole, last = quoted.split()
        beginnings += [last] if star else []
        found.update(
            part
            for token in (whole if star else (*whole, last))
            for part in ((token, *tokens(token)) if token.isascii() else (token,))
        )
    return Wanted(frozenset(found), tuple(beginnings))


def snippet(texts: Iterable[str], wanted: Wanted, length: int = LENGTH) -> str:
    """The densest window over the first of `texts` that holds something wanted; else how the first text begins."""
    fallback = ""
    for text in texts:
        text = _flat(text[: _LOOKED_AT if wanted else length * 3])
        places = [t for t in spans(text) if wanted.holds(t.text)] if wanted else []
        if places:
            start = _densest([(t.start, t.text) for t in places], length)
            return _cut(text, max(0, start - length // 4), length)
        fallback = fallback or text
    return _cut(fallback, 0, length)


def _densest(places: list[tuple[int, str]], length: int) -> int:
    """Where a window begins that holds most different tokens; the first of equals."""
    best, most, end = 0, 0, 0
    for at, (start, _) in enumerate(places):
        end = max(end, at)
        while end < len(places) and places[end][0] < start + length * 3 // 4:
            end += 1
        found = len({token for _, token in places[at:end]})
        if found > most:
            best, most = start, found
    return best


def _cut(text: str, start: int, length: int) -> str:
    """A window of the text, moved to word ends where there are some near."""
    if start:
        space = text.find(" ", start, start + 25)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + length)
    if end < len(text):
        space = text.rfind(" ", max(start + 1, end - 25), end)
        end = space if space >= 0 else end
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


def _flat(text: str) -> str:
    """One line without Markdown's signs."""
    return " ".join(_MARKUP.sub(" ", text).split())
