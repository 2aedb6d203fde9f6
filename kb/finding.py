"""What a check or a rule found: code, name, severity, one sentence, a place and a hint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.vocabulary import Severity

Loc = tuple[str | int, ...]
"""A place inside a record: keys and list positions from the top, e.g. ("points", 2, "unit")."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What a check says of one record; the driver adds code, severity, file and line."""

    loc: Loc
    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One finding with its place; `line` counts from 1 in the file at `path`."""

    path: str
    line: int
    code: str
    message: str
    name: str = ""
    severity: Severity = Severity.ERROR
    hint: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The finding with the keys cli.md promises."""
        return {name: getattr(self, name) for name in self.__slots__} | {"severity": self.severity.value}
