"""Verdicts on own setups as overviews read them, kept from build to build: outcomes and causes are counted on many
pages, and none of them should have to read what verdicts say for it."""

from __future__ import annotations

from typing import Any, NamedTuple

from kb.site.judged import Judged
from kb.vocabulary import Outcome


class Finding(NamedTuple):
    """A finding without its words."""

    rule: str
    change: str | None
    outcome: str | None
    settles: str | None


class Brief(NamedTuple):
    """A verdict."""

    evaluation: str
    claim: str
    outcome: str
    target: dict[str, str]
    findings: tuple[Finding, ...]
    """In the order of the verdict's own."""


class Touch(NamedTuple):
    """What a verdict says of one change: that it speaks against the claim, or may and a fact is missing."""

    evaluation: str
    claim: str
    number: int
    """Which finding of the verdict it is."""
    finding: Finding

    @property
    def against(self) -> bool:
        """Whether it speaks against the claim, and not only may."""
        return self.finding.outcome not in {None, Outcome.UNKNOWN}

    @property
    def place(self) -> tuple[str, str]:
        """Evaluation and claim."""
        return self.evaluation, self.claim


class Silence(NamedTuple):
    """That a change was looked at for a claim and says nothing of it."""

    evaluation: str
    claim: str
    why: str
    reason: str


def packed(verdict: Judged) -> list[Any]:
    """A verdict's brief as JSON takes it."""
    findings = [[each["name"], each["change"], each["outcome"], each["settles"]] for each in verdict["findings"]]
    return [verdict["claim"], verdict["outcome"], verdict["target"], findings]


def unpacked(evaluation: str, row: list[Any]) -> Brief:
    """The same read again."""
    claim, outcome, target, findings = row
    return Brief(evaluation, claim, outcome, target, tuple(Finding(*each) for each in findings))
