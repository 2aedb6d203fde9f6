"""Builds that claims were measured at, and later releases that they were reviewed up to: reviewed is not measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kb.evaluation import Evaluation
from kb.site.judged import Judged
from kb.versions import parse


def measured(verdicts: Iterable[Judged]) -> list[list[str]]:
    """Component and build, of all these claims."""
    found = {name: version for each in verdicts for name, version in each["measured_at"].items()}
    return [[name, version] for name, version in found.items()]


def reviewed(record: Evaluation, verdicts: Sequence[Judged]) -> list[dict[str, Any]]:
    """Releases that these claims were reviewed up to and that are later than what was measured, by day.

    `claims` are those that a review is of, where it is not of all these.
    """
    found: dict[tuple[str, str, str], list[str]] = {}
    for verdict in verdicts:
        for each in _later(record, verdict):
            found.setdefault(each, []).append(verdict["claim"])
    rows: dict[tuple[str, tuple[str, ...]], list[list[str]]] = {}
    for (day, name, version), claims in sorted(found.items()):
        of = () if len(claims) == len(verdicts) else tuple(claims)
        rows.setdefault((day, of), []).append([name, version])
    return [{"date": day, "at": at, "claims": list(claims)} for (day, claims), at in rows.items()]


def _later(record: Evaluation, verdict: Judged) -> Iterator[tuple[str, str, str]]:
    """Day, component and release of each review that goes further than the measurement."""
    for name, version in verdict["verified_at"].items():
        was, now = parse(verdict["measured_at"].get(name, "")), parse(version)
        if version != verdict["measured_at"].get(name) and (was is None or now is None or now > was):
            yield _day(record, verdict["claim"], name), name, version


def _day(record: Evaluation, claim: str, component: str) -> str:
    """When the last review of a claim looked at a component."""
    return max(each.date for each in record.reviews if component in each.at and claim in (each.claims or {claim}))
