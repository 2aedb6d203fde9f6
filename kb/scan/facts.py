"""What a release reads and requires: environment variables, options, fields, version constants, registered names, pins.

Facts come from the text of one release; nothing is imported or run. A default that no literal states is kept as the
expression that the code has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kb.scan.match import Status

REQUIRED = "required"
"""Value of what must be given: there is no default."""
NONE = "not-set"
"""Value of what is read without a default, or with None: its absence is seen."""
UNKNOWN = "unknown"
"""Value of what could not be established."""


class What(StrEnum):
    ENV = "env"
    OPTION = "option"
    """A key of a connector's free-form configuration."""
    FIELD = "field"
    """A field of a configuration class, as `Class.field`."""
    ARGUMENT = "argument"
    """An argument of a command line."""
    CONSTANT = "constant"
    """A constant that by its name is a version of a protocol, a format or a connector."""
    REGISTERED = "registered"
    """A name under which a class can be configured; the value is where the class is."""
    REQUIREMENT = "requirement"


@dataclass(frozen=True, order=True)
class Fact:
    """One fact at one place."""

    what: What
    name: str
    value: str
    """Default, range or value, spelled as records spell it: true, 4, [UCX], >=0.7.1,<0.10.0."""
    path: str
    line: int
    scope: str = ""
    """What tells facts of one name apart: file, extra and marker of a pin."""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True)
class Difference:
    """One name whose values differ between two releases; several values where it is read with several defaults."""

    what: What
    name: str
    old: tuple[Fact, ...]
    new: tuple[Fact, ...]

    @property
    def status(self) -> Status:
        return Status.ADDED if not self.old else Status.REMOVED if not self.new else Status.CHANGED

    @property
    def scope(self) -> str:
        return next((each.scope for each in (*self.new, *self.old)), "")

    def as_dict(self) -> dict[str, Any]:
        """Shape of a row of `kb scan --json`."""
        return {
            "name": self.name,
            "what": self.what.value,
            "status": self.status.value,
            "old": spelled(self.old),
            "new": spelled(self.new),
            "scope": self.scope or None,
            "old_places": [each.place for each in self.old],
            "new_places": [each.place for each in self.new],
        }


def spelled(facts: Iterable[Fact]) -> str | None:
    """The value of facts of one name; several are joined, none is None."""
    return " | ".join(sorted({each.value for each in facts})) or None


def values(facts: Iterable[Fact], what: What) -> dict[str, str]:
    """Name -> value of one kind of fact."""
    return {name: spelled(group) or "" for (_, name, _), group in _grouped(facts).items() if group[0].what is what}


def diff(old: Iterable[Fact], new: Iterable[Fact]) -> tuple[Difference, ...]:
    """Names that came, went or have other values; a mere change of place is none."""
    before, after = _grouped(old), _grouped(new)
    found = [
        Difference(key[0], key[1], before.get(key, ()), after.get(key, ()))
        for key in sorted(before.keys() | after.keys())
        if spelled(before.get(key, ())) != spelled(after.get(key, ()))
    ]
    return tuple(_without_moves(found))


Key = tuple[What, str, str]


def _grouped(facts: Iterable[Fact]) -> Mapping[Key, tuple[Fact, ...]]:
    groups: dict[Key, list[Fact]] = defaultdict(list)
    for each in sorted(facts):
        groups[each.what, each.name, each.scope].append(each)
    return {key: tuple(group) for key, group in groups.items()}


def _without_moves(found: list[Difference]) -> list[Difference]:
    """Leaves out a pin that went from one file and came in another with the same range."""
    sides: dict[tuple[What, str, str | None], set[Status]] = defaultdict(set)
    for each in found:
        sides[each.what, each.name, spelled(each.old or each.new)].add(each.status)
    both = {Status.ADDED, Status.REMOVED}
    return [
        each
        for each in found
        if each.status is Status.CHANGED or not both <= sides[each.what, each.name, spelled(each.old or each.new)]
    ]
