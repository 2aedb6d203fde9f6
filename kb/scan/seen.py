"""What was seen in the trees of symbols while they were at hand: all that is needed of most of them later."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Condition = tuple[str, bool]
"""A condition as written, and whether it must hold."""


class Kind(StrEnum):
    """Kinds of difference, the quietest first."""

    DOCS = "docs"
    TYPES = "types"
    LOGGING = "logging"
    REFACTOR = "refactor"
    BEHAVIOUR = "behaviour"


@dataclass(frozen=True)
class Judged:
    """The kind of a difference and why; no kind for what is untouched."""

    kind: Kind | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Alone:
    """What one symbol shows by itself."""

    judged: Judged | None
    """The kind of any difference in it, where that follows from what it is: a logger, a name of a type."""
    observes: bool
    """Whether it is a function that only logs or counts."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """Two bodies walked side by side without any names, to their first difference."""

    alike: bool
    """Whether there is none."""
    old_calls: frozenset[str]
    """Names of what is called by the statements that were walked, where the call is all there is to a statement."""
    new_calls: frozenset[str]


@dataclass(frozen=True, slots=True)
class Look:
    """What a symbol and another, of the other release, show beside each other."""

    same: bool
    judged: Judged | None
    """The kind of their difference, where the two alone tell it."""
    shapes: tuple[Shapes, ...] = ()
    """As they are; and once more without what they log, if they speak."""
    bases: tuple[frozenset[str], frozenset[str]] | None = None
    """Of a class whose other lines are the same: its bases in both."""
    around: frozenset[Condition] = frozenset()
    """Of a function: conditions that all of the difference stands below."""
    hunk: str | None = None
    """The lines that differ, where more than form does."""
