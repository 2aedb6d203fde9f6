"""How one record stands now, at the newest releases: verdicts of an evaluation, claims that a change touches, and how
far a component's changes have got."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.audit import audit
from kb.audited import Placed
from kb.board import row
from kb.change import Change
from kb.component import Component
from kb.evaluation import Evaluation
from kb.impact import Impact, impact
from kb.library import Library
from kb.model import RecordModel
from kb.registry import Registry
from kb.verdict import Verdict


@dataclass(frozen=True)
class Standing:
    """What the audit makes of a record."""

    library: Library
    """Every record of the base: a verdict can rest on any."""
    verdicts: tuple[Verdict, ...] = ()
    impact: Impact | None = None
    """Of a change: what it touches; of a component: the board of its changes."""

    def of(self, claim: str) -> Verdict | None:
        """The verdict on a claim of the evaluation."""
        return next((each for each in self.verdicts if each.claim == claim), None)

    def as_dict(self) -> dict[str, Any]:
        """What is added to the record as stored."""
        placed = Placed(self.library)
        found: dict[str, Any] = {"verdicts": [placed.as_dict(each) for each in self.verdicts]}
        if self.impact is not None:
            told = self.impact.as_dict()
            keys = ("touched", "untouched", "ahead", "board") if self.impact.claims else ("board",)
            found |= {key: told[key] for key in keys}
        return found


def standing(record: RecordModel, library: Library) -> Standing:
    """How a record of a library stands; of a deployment nothing is said (`kb audit --for` does)."""
    registry = Registry(library)
    if isinstance(record, Evaluation):
        return Standing(library, audit(library, evaluations=[record.id], registry=registry).verdicts)
    if isinstance(record, Change):
        return Standing(library, impact=impact([library.changes[record.id]], registry))
    if isinstance(record, Component):
        changes = registry.changes.get(record.id, ())
        return Standing(library, impact=Impact(changes, (), tuple(row(each, registry) for each in changes)))
    return Standing(library)
