"""What a scan found: a value that can be printed, written as JSON, or made into records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from kb.scan.documentation import is_documentation
from kb.scan.git import Commit
from kb.scan.guards import Guard
from kb.scan.hunks import hunk
from kb.scan.looking import looked
from kb.scan.match import Match, Status
from kb.scan.seen import Kind

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Difference:
    """One symbol in both releases, and how it differs."""

    match: Match
    kind: Kind | None
    why: str
    """Why it has this status and kind."""
    guards: tuple[Guard, ...] = ()
    commits: tuple[Commit, ...] = ()
    """Commits that touched it, newest first; known of a clone only."""
    continued_by: str | None = None
    """Of a removed function: an added one that may go on with what it did, for a person to look at."""

    @property
    def name(self) -> str:
        return self.match.name

    @property
    def status(self) -> Status:
        return self.match.status

    @property
    def old_name(self) -> str | None:
        return self.match.old.name if self.match.old else None

    @property
    def old_path(self) -> str | None:
        return self.match.old.path if self.match.old else None

    @property
    def new_path(self) -> str | None:
        return self.match.new.path if self.match.new else None

    @property
    def behaves_differently(self) -> bool:
        """As far as a tree can tell; the size or sign of an effect is not for a scan to say."""
        return self.kind is Kind.BEHAVIOUR

    @cached_property
    def hunk(self) -> str | None:
        """The lines that differ."""
        old, new = self.match.old, self.match.new
        look = looked(old, new) if old and new else None
        return look.hunk if look and not look.same else hunk(old, new)

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "status": self.status.value,
            "kind": self.kind.value if self.kind else None,
            "guards": [each.as_dict() for each in self.guards],
            "old_path": self.old_path,
            "new_path": self.new_path,
            "old_name": self.old_name,
            "why": self.why,
            "continued_by": self.continued_by,
            "commits": [asdict(each) for each in self.commits],
            "hunk": self.hunk,
        }


@dataclass(frozen=True)
class FileDifference:
    """One file of the component or of its neighbourhood."""

    old_path: str | None
    new_path: str | None
    status: Status
    neighbour: bool = False
    symbols: tuple[Difference, ...] = ()
    """What differs in a neighbour's Python; the component's own is listed by symbol."""
    hunk: str | None = None
    """Lines that differ in a file that is no Python, or that could not be parsed."""
    why: str = ""

    @property
    def path(self) -> str:
        return self.new_path or self.old_path or ""

    @property
    def kind(self) -> Kind | None:
        """What kind of difference it can only be: docs; of any other file that is not said."""
        return Kind.DOCS if is_documentation(self.path) else None

    def as_dict(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "status": self.status.value,
            "kind": self.kind.value if self.kind else None,
            "neighbour": self.neighbour,
            "old_path": self.old_path,
            "new_path": self.new_path,
            "symbols": [each.as_dict() for each in self.symbols],
            "hunk": self.hunk,
            "why": self.why,
        }


@dataclass(frozen=True)
class Report:
    """What differs in a component between two releases."""

    component: str
    old: str
    new: str
    symbols: tuple[Difference, ...] = ()
    files: tuple[FileDifference, ...] = ()
    options: tuple[Row, ...] = ()
    env: tuple[Row, ...] = ()
    defaults: tuple[Row, ...] = ()
    requirements: tuple[Row, ...] = ()
    proposed: tuple[Row, ...] = ()
    notes: tuple[str, ...] = field(default=())
    """What could not be read or compared, in words."""

    def as_dict(self) -> dict[str, Any]:
        """The keys that `kb scan --json` promises."""
        return {
            "symbols": [each.as_dict() for each in self.symbols],
            "options": list(map(dict, self.options)),
            "env": list(map(dict, self.env)),
            "defaults": list(map(dict, self.defaults)),
            "requirements": list(map(dict, self.requirements)),
            "files": [each.as_dict() for each in self.files],
            "proposed": list(map(dict, self.proposed)),
        }

    def counts(self) -> dict[tuple[Status, Kind | None], int]:
        """How many symbols of each status and kind."""
        return dict(Counter((each.status, each.kind) for each in self.symbols))

    def behaviour(self) -> list[Difference]:
        """Symbols that behave differently, or are new or gone."""
        return [each for each in self.symbols if each.behaves_differently]


def differing(found: Iterable[Difference]) -> tuple[Difference, ...]:
    """Without what is the same in the same place."""
    return tuple(each for each in found if each.status is not Status.UNCHANGED or each.kind)
