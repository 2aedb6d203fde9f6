"""How far a component's changes have got: proposed, merged, released and measured are four states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kb.carried import introduced, removed
from kb.change import Change
from kb.effects import Effect
from kb.registry import Registry
from kb.signals import measured
from kb.vocabulary import UNKNOWN, ChangeStatus, Ships


@dataclass(frozen=True, slots=True)
class Row:
    """How far a change has got: proposed, merged, released and measured are four states."""

    change: Change
    proposed: str | None
    merged: str | None
    introduced: tuple[str, ...]
    """First release with it, in each distribution; several where it came back."""
    removed: tuple[str, ...]
    newest: str | None
    """Newest known release of what it ships in."""
    in_newest: Ships
    measured_by: tuple[str, ...]
    """Evaluations of a build that carries it."""
    branch_measured_by: tuple[str, ...] = ()
    """Evaluations of its branch, or of a build patched with it: what shipped may be something else."""

    @property
    def state(self) -> str:
        """The furthest it has got."""
        if self.measured_by:
            return "measured"
        if any(fact.ships is Ships.YES for fact in self.change.ships):
            return "released" if self.in_newest is not Ships.NO else "released and gone"
        return self.change.status.value

    def as_dict(self) -> dict[str, Any]:
        """A row of `board[]`."""
        return {
            "change": self.change.id,
            "title": self.change.title,
            "state": self.state,
            "proposed": self.proposed,
            "merged": self.merged,
            "ships": {
                "introduced": list(self.introduced),
                "removed": list(self.removed),
                "newest": self.newest,
                "in_newest": self.in_newest.value,
            },
            "measured_by": list(self.measured_by),
            "branch_measured_by": list(self.branch_measured_by),
        }


def row(
    change: Change, registry: Registry, effects: Iterable[Effect] = (), measured_by: Iterable[str] | None = None
) -> Row:
    """Where a change stands; its effects tell who ran its branch. `measured_by`: where that is known already."""
    releases = {name: tuple(each.version for each in owned) for name, owned in registry.library.releases.items()}
    newest = registry.newest(change.component)
    dates = change.dates
    merged = dates.merged if dates else None
    return Row(
        change,
        str(dates.opened) if dates and dates.opened else None,
        str(merged) if merged else UNKNOWN if change.status is ChangeStatus.MERGED else None,
        introduced(change, releases),
        removed(change, releases),
        newest,
        registry.carried(change, change.component, newest) if newest else Ships.NOT_ESTABLISHED,
        tuple(measured(change, registry) if measured_by is None else measured_by),
        tuple(dict.fromkeys(e.evaluation for e in effects if e.change == change.id and e.rule == "not-a-release")),
    )
