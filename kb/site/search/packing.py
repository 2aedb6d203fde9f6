"""Whole numbers as short text that needs no escape in a JavaScript string: most take one character.

The alphabet is printable ASCII without `"` and the backslash: 93 signs. The first 64 end a number, the other 29 say
that it goes on, so that a number is the sum of its signs' values times 1, 29, 29 * 29, ... `search-data.js` reads it.
"""

from __future__ import annotations

from collections.abc import Iterable

ALPHABET = "".join(chr(code) for code in range(32, 127) if chr(code) not in '"\\')
ENDS = 64
"""Signs that end a number."""
_MORE = len(ALPHABET) - ENDS


def packed(number: int) -> str:
    """One number, from 0 up."""
    signs = []
    while number >= ENDS:
        number, rest = divmod(number - ENDS, _MORE)
        signs.append(ALPHABET[ENDS + rest])
    return "".join(signs) + ALPHABET[number]


class _Signs(dict[int, str]):
    """Numbers as text, each made once: an index has millions of a few thousand different ones."""

    def __missing__(self, number: int) -> str:
        self[number] = text = packed(number)
        return text


SIGNS = _Signs()


def pack(numbers: Iterable[int]) -> str:
    """Numbers one after another."""
    return "".join(map(SIGNS.__getitem__, numbers))


def rising(numbers: Iterable[int]) -> str:
    """Numbers that rise, as their differences; the first as it is."""
    before, steps = 0, []
    for number in numbers:
        steps.append(number - before)
        before = number
    return pack(steps)
