"""What a query asks for, as values. `plain` and `parser` make them, `compile` reads them.

Named tuples: seven dataclasses would cost every `kb search` 5 ms at start.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

How = Literal["word", "phrase", "prefix", "fuzzy"]


class Text(NamedTuple):
    """Words, a phrase, a beginning or a misspelling in the text, or in one field of it."""

    text: str
    field: str | None = None
    how: How = "word"
    distance: int = 0
    """Typing errors allowed, for `fuzzy`."""
    position: int = 0


class Facet(NamedTuple):
    """Entries with a value of a vocabulary field."""

    field: str
    value: str
    how: How = "word"
    distance: int = 0
    position: int = 0


class Range(NamedTuple):
    """Entries with a number (or days as yyyymmdd) of `field` that is, or a range that overlaps, low..high.

    `float("inf")` leaves a side open; `open_low` and `open_high` leave the end itself out.
    """

    field: str
    low: float
    high: float
    open_low: bool = False
    open_high: bool = False


class Versions(NamedTuple):
    """Entries with a version of `field` (version, release) between two, compared by their numbers."""

    field: str
    low: tuple[int, ...] | None
    high: tuple[int, ...] | None
    open_low: bool = False
    open_high: bool = False


class And(NamedTuple):
    """All of them; everything when there are none."""

    parts: tuple[Query, ...]


class Or(NamedTuple):
    """Any of them."""

    parts: tuple[Query, ...]


class Not(NamedTuple):
    """Documents that do not match `part`."""

    part: Query


Query = Text | Facet | Range | Versions | And | Or | Not
