"""Verdicts for whoever reads them: findings with file and line, JSON types, groups and counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from kb.audit import Audit, FlippedClaim
from kb.candidates import in_tables
from kb.evaluation import Claim, Evaluation
from kb.finding import Finding, Loc
from kb.library import Library
from kb.once import once
from kb.reading import Loaded
from kb.rules import find, open_pin
from kb.verdict import Ruling, Verdict
from kb.vocabulary import Outcome, Severity

FAIL_ON = (Outcome.RECHECK, Outcome.SUPERSEDED, Outcome.NOT_APPLICABLE)
"""Outcomes that make `kb audit` end with 1, unless told otherwise."""

READING = (
    Outcome.SUPERSEDED,
    Outcome.NARROWED,
    Outcome.RECHECK,
    Outcome.UNKNOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.HOLDS,
)
"""The order in which outcomes are read: what needs somebody first."""


@dataclass(frozen=True)
class Placed:
    """Verdicts beside the library that they were reached on."""

    library: Library

    @cached_property
    def _places(self) -> dict[int, Loaded]:
        return {id(each.record): each for each in self.library.loaded}

    @once
    def _line(self, record: int, loc: Loc) -> int:
        """The line of a place; verdicts for many targets name the same ones, and finding one reads a field's YAML."""
        return self._places[record].line(loc)

    def evaluation(self, verdict: Verdict) -> Evaluation:
        """The evaluation that a verdict is about."""
        return self.library.evaluations[verdict.evaluation]

    def claim(self, verdict: Verdict) -> Claim:
        """The claim that a verdict is about."""
        return next(each for each in self.evaluation(verdict).claims if each.id == verdict.claim)

    def finding(self, ruling: Ruling, verdict: Verdict) -> Finding:
        """A ruling as a finding: where its reason is written."""
        path, line = self._place(ruling, verdict)
        rule = find(ruling.rule)
        severity = rule.SEVERITY if rule else Severity.WARNING
        return Finding(path, line, ruling.code, ruling.message, ruling.rule, severity, ruling.hint)

    def deciding(self, verdict: Verdict) -> Finding:
        """The deciding ruling as a finding that names the claim and its outcome."""
        ruling = verdict.deciding
        assert ruling is not None
        found = self.finding(ruling, verdict)
        own = self._places.get(id(self.evaluation(verdict)))
        number = self.evaluation(verdict).claims.index(self.claim(verdict))
        place = (own.path, own.line(("claims", number))) if own else (found.path, found.line)
        message = f"{verdict.evaluation}/{verdict.claim}: {verdict.outcome}: {found.message}"
        return replace(found, path=place[0], line=place[1], message=message)

    def _place(self, ruling: Ruling, verdict: Verdict) -> tuple[str, int]:
        """File and line of what a ruling names, else of the claim."""
        evaluation = self.evaluation(verdict)
        own = self._places.get(id(evaluation))
        if ruling.place and (there := self._places.get(id(ruling.place.record))):
            return there.path, self._line(id(ruling.place.record), ruling.place.loc)
        number = next(n for n, each in enumerate(evaluation.claims) if each.id == verdict.claim)
        return (
            (own.path, self._line(id(evaluation), ("claims", number)))
            if own
            else (f"entries/evaluations/{evaluation.id}.md", 1)
        )

    def as_dict(self, verdict: Verdict) -> dict[str, Any]:
        """A verdict with the keys of cli.md."""
        return {
            "evaluation": verdict.evaluation,
            "claim": verdict.claim,
            "outcome": verdict.outcome.value,
            "confirm": verdict.confirm,
            "target": dict(verdict.target),
            "covers": verdict.covers.as_dict(),
            "candidates": [each.as_dict() for each in verdict.candidates],
            "findings": [self._finding(each, verdict) for each in verdict.rulings],
            "checked": [each.as_dict() for each in verdict.checked],
            "measured_at": dict(verdict.measured_at),
            "verified_at": dict(verdict.verified_at),
        }

    def _finding(self, ruling: Ruling, verdict: Verdict) -> dict[str, Any]:
        return self.finding(ruling, verdict).as_dict() | {
            "outcome": ruling.outcome.value if ruling.outcome else None,
            "confirm": ruling.confirm,
            "arm": ruling.arm,
            "change": ruling.change,
            "symbol": ruling.symbol,
            "condition": ruling.condition,
            "expected": ruling.expected,
            "found": ruling.found,
            "settles": ruling.settles,
        }


def flipped(flip: FlippedClaim) -> dict[str, Any]:
    """A flip for JSON: both outcomes and why."""
    return {
        "evaluation": flip.evaluation,
        "claim": flip.claim,
        "here": flip.here.outcome.value,
        "there": flip.there.outcome.value,
        "change": flip.there.deciding.change if flip.there.deciding else None,
        "because": flip.because,
    }


def in_groups(verdicts: Iterable[Verdict]) -> list[tuple[Outcome, list[Verdict]]]:
    """Verdicts by outcome, what needs somebody first; empty groups left out."""
    listed = list(verdicts)
    found = ((outcome, [each for each in listed if each.outcome is outcome]) for outcome in READING)
    return [(outcome, group) for outcome, group in found if group]


def owned(audit: Audit, library: Library, owner: str) -> Audit:
    """Verdicts on evaluations that somebody owns."""
    mine = tuple(each for each in audit.verdicts if library.evaluations[each.evaluation].owner == owner)
    return Audit(audit.target, mine)


def settling(verdict: Verdict) -> tuple[str, ...]:
    """Facts that would settle an unknown, each once."""
    return tuple(dict.fromkeys(each.settles for each in verdict.rulings if each.settles))


def open_at_target(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """Distributions whose version at the target decides, and that nobody stated, each with the newest that is known."""
    tables = in_tables(verdict.candidates)
    found = (open_pin.table_of(each, tables) for each in verdict.rulings)
    return tuple({each.names.split()[-1]: each.rows[-1].last for each in found if each and each.asked}.items())
