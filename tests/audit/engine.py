"""What the table asks of kb.audit: the one place that knows how it is called and how its verdicts are read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from kb.library import Library

from .table import Case


@dataclass(frozen=True)
class Said:
    """A finding of a rule."""

    rule: str
    outcome: str
    change: str
    message: str


@dataclass(frozen=True)
class Silent:
    """Something that was looked at and did not fire."""

    records: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Answer:
    """A verdict in the words of the table."""

    outcome: str
    confirm: str
    findings: tuple[Said, ...]
    checked: tuple[Silent, ...]
    candidates: tuple[dict[str, str], ...]

    def without_checked(self) -> Answer:
        """The answer without the list of what was silent."""
        return replace(self, checked=())


def answer(case: Case, library: Library) -> Answer:
    """The verdict on the case's claim."""
    audit, target = import_module("kb.audit"), import_module("kb.target")
    asked = target.Target(deployment=case.deployment, at=case.at)
    claim = f"{case.evaluation}/{case.claim}"
    [verdict] = audit.audit(library, asked, claims=(claim,), today=case.today).verdicts
    return Answer(
        str(verdict.outcome),
        "yes" if verdict.confirm else "no",
        tuple(Said(f.name, _text(f.outcome), _text(f.change), f.message) for f in verdict.findings),
        tuple(Silent((_text(c.change), _text(getattr(c, "evaluation", None))), str(c.why)) for c in verdict.checked),
        tuple(
            {"version": str(c.version), "outcome": str(c.outcome)} | ({"change": c.change} if c.change else {})
            for c in verdict.candidates
        ),
    )


def _text(value: Any) -> str:
    return "" if value is None else str(value)
