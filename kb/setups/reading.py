"""What reading people's files gives: facts with their place, what could not be read, suggestions, what is missing."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from kb.setup import Setup

SideName = Literal["prefill", "decode"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact that the text states."""

    key: str
    """Dotted setup key, e.g. `prefill.tp`; inside an instance `side.tp`."""
    value: str
    place: str
    """`file:line`."""
    how: str
    """What said it, e.g. `--tensor-parallel-size`."""


@dataclass(frozen=True, slots=True)
class NotRead:
    """Something that stands in the text and is not in the setup."""

    text: str
    place: str
    why: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text} ({self.why})"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that a name or a tag makes likely; never part of the setup."""

    key: str
    value: str
    place: str
    why: str

    def __str__(self) -> str:
        return f"{self.place}: {self.key} {self.value} is likely, not stated ({self.why})"


@dataclass(frozen=True, slots=True)
class Missing:
    """A fact that a reviewer will need, why, and where it is usually found."""

    key: str
    why: str
    where: str


@dataclass(frozen=True, slots=True)
class Instance:
    """One server (or one group of alike servers) that a text describes."""

    name: str
    place: str
    facts: tuple[Fact, ...]
    side: SideName | None = None
    sure: bool = False
    """Whether the text states the side; otherwise only a name suggests it."""
    why: str = ""
    kind: str = ""
    """The reader that found it."""
    may_transfer: bool = False
    """Whether it has a KV transfer configuration, or may have one in what could not be read."""
    whole: bool = True
    """Whether the text shows all that the server was started with."""

    def value(self, key: str) -> str | None:
        """Value of the last fact with that key: what is given twice counts as given last."""
        return next((fact.value for fact in reversed(self.facts) if fact.key == key), None)


@dataclass(frozen=True, slots=True)
class SideFound:
    """An instance and the side it is, as far as that can be said."""

    name: str
    side: SideName | None
    sure: bool
    why: str
    place: str


@dataclass(frozen=True, slots=True)
class Found:
    """What one reader found in one text."""

    instances: tuple[Instance, ...] = ()
    facts: tuple[Fact, ...] = ()
    """Facts about the whole: load, machines, router, stack."""
    not_read: tuple[NotRead, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A setup read out of files, and everything a person must know about that reading."""

    setup: Setup
    files: tuple[tuple[str, str], ...] = ()
    """Name of each file and the kind it was read as."""
    sides: tuple[SideFound, ...] = ()
    read: tuple[Fact, ...] = ()
    not_read: tuple[NotRead, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    missing: tuple[Missing, ...] = ()
    nested: dict[str, Any] = field(default_factory=dict)

    def fields(self) -> dict[str, Any]:
        """The setup as nested tables of text, as a record's file writes it."""
        return self.nested

    def values(self) -> dict[str, str]:
        """Key -> value of every fact read."""
        return {fact.key: fact.value for fact in self.read}

    def as_dict(self) -> dict[str, Any]:
        """The reading as JSON types."""
        lists = {name: [asdict(each) for each in getattr(self, name)] for name in _LISTS}
        return {"setup": self.setup.stored(), "files": [list(pair) for pair in self.files], **lists}


_LISTS = ("sides", "read", "not_read", "suggestions", "missing")
