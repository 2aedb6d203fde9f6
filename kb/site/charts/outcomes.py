"""Outcomes on charts: a sign and a word each, never colour alone; verdicts as the audit or the pages have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.site.charts.svg import Sheet
from kb.verdict import Verdict
from kb.vocabulary import Outcome

SIGNS = {
    Outcome.HOLDS: "✓",
    Outcome.RECHECK: "↻",
    Outcome.NARROWED: "◐",
    Outcome.SUPERSEDED: "✕",
    Outcome.NOT_APPLICABLE: "∅",
    Outcome.UNKNOWN: "?",
}
ORDER = tuple(SIGNS)

Judged = Verdict | Mapping[str, Any]
"""A verdict, or the same with the keys of `kb audit --json`."""


def outcome(verdict: Judged) -> Outcome:
    """What it came to."""
    return verdict.outcome if isinstance(verdict, Verdict) else Outcome(verdict["outcome"])


def confirm(verdict: Judged) -> bool:
    """Whether a person must settle it."""
    return verdict.confirm if isinstance(verdict, Verdict) else bool(verdict.get("confirm"))


def because(verdict: Judged) -> str:
    """What decided, in words; empty where nothing speaks against it."""
    if isinstance(verdict, Verdict):
        return verdict.deciding.message if verdict.deciding else ""
    found = [each["message"] for each in verdict.get("findings", ()) if each.get("outcome") == verdict["outcome"]]
    return str(found[0]) if found else ""


def word(found: Outcome) -> str:
    """An outcome in words."""
    return found.value.replace("-", " ")


def sign(sheet: Sheet, x: float, y: float, found: Outcome) -> None:
    """The sign of an outcome in its colour."""
    sheet.text(x, y, SIGNS[found], f"sign outcome-{found.value}", "middle")
