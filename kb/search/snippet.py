"""The stretch of a text that shows best why it was found, cut by the same tokens that found it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kb.tokens import spans, tokens

LENGTH = 160
"""Characters of a snippet, about."""
LOOKED_AT = 20_000
"""Characters of a text that are looked at."""
_QUOTED = re.compile(r'"([^"]+)"(\*?)')
_MARKUP = re.compile(r"^[#>|*+\s-]+|[`*|]+|\[|\]\([^)]*\)", re.MULTILINE)


class Wanted(NamedTuple):
    """Tokens to look for, and beginnings of tokens."""

    tokens: frozenset[str] = frozenset()
    beginnings: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tokens or self.beginnings)

    def stem(self) -> re.Pattern[str]:
        """What a word has to hold for a token of it to be one of them: folding a plural changes two letters."""
        stems = {
            re.escape(each[: max(1, len(each) - 2)]) for each in (*self.tokens, *self.beginnings) if each.isascii()
        }
        return re.compile("|".join(["[^\x00-\x7f]", *sorted(stems)]))

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
        text = flat(text[: LOOKED_AT if wanted else length * 3])
        places = found(text, wanted) if wanted else []
        if places:
            start = _densest(places, length)
            return _cut(text, max(0, start - length // 4), length)
        fallback = fallback or text
    return _cut(fallback, 0, length)


def found(text: str, wanted: Wanted) -> list[tuple[int, str]]:
    """Where a text of one line holds what is wanted, and which token it is. Only words that could be it are cut into
    tokens: cutting the text of ten hits takes 5 ms.
    """
    places: list[tuple[int, str]] = []
    for start, word in _likely(text, wanted):
        places += [(start + token.start, token.text) for token in spans(word) if wanted.holds(token.text)]
    return places


def _likely(text: str, wanted: Wanted) -> Iterator[tuple[int, str]]:
    """Words between blanks that may hold a wanted token, with their places; those with other letters than ASCII may."""
    low = text.lower()
    if len(low) != len(text):
        yield 0, text
        return
    stem, end = wanted.stem(), 0
    while match := stem.search(low, end):
        start = text.rfind(" ", end, match.start()) + 1 or end
        end = text.find(" ", match.start())
        end = len(text) if end < 0 else end
        yield start, text[start:end]


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


def flat(text: str) -> str:
    """One line without Markdown's signs."""
    return " ".join(_MARKUP.sub(" ", text).split())
