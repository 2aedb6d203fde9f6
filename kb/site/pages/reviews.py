"""The review queue: what a person has to look at, what most rests on first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.matching import ClaimAt
from kb.plan import resting
from kb.site.gather import Gathered, change_day
from kb.site.judged import Judged
from kb.site.page import Page
from kb.site.pages.summaries import change_row
from kb.site.pages.verdicts import outcome, reason
from kb.vocabulary import ImpactStatus, Kind, Outcome

ASKING = (Outcome.SUPERSEDED, Outcome.NARROWED, Outcome.RECHECK)


def pages(gathered: Gathered) -> Iterator[Page]:
    """One page."""
    rows = [_row(each, gathered) for each in gathered.all_own if each["outcome"] in ASKING or each["confirm"]]
    rows.sort(
        key=lambda row: (-len(row["rests"]), ASKING.index(row["rank"]) if row["rank"] in ASKING else 9, row["id"])
    )
    drafts = [each for each in gathered.library.changes.values() if each.proposed_by == "scan"]
    values = {
        "rows": rows,
        "drafts": [change_row(each, gathered) for each in sorted(drafts, key=lambda each: (change_day(each), each.id))],
        "investigating": list(_investigating(gathered)),
        "gaps": _gaps(gathered),
    }
    yield Page("reviews.html", "reviews", "Review queue", values, section="reviews")


def _row(verdict: Judged, gathered: Gathered) -> dict[str, Any]:
    record = gathered.library.evaluations[verdict["evaluation"]]
    claim = gathered.evaluation_claim(record.id, verdict["claim"])
    deciding = [each for each in verdict["findings"] if each["outcome"] == verdict["outcome"]]
    at = " ".join(f"{name}={version}" for name, version in verdict["target"].items())
    return {
        "id": f"{record.id}/{verdict['claim']}",
        "link": gathered.claim_link(record.id, verdict["claim"]),
        "evaluation": gathered.link(record.id, Kind.EVALUATION, record.title),
        "says": claim.says if claim else "",
        "rank": Outcome(verdict["outcome"]),
        "outcome": outcome(verdict["outcome"]),
        "confirm": verdict["confirm"],
        "because": [reason(each, gathered) for each in deciding[:1]],
        "more": max(0, len(deciding) - 1),
        "rests": list(resting(ClaimAt(record, claim), gathered.library)) if claim else [],
        "command": f'kb review {record.id}/{verdict["claim"]} --at {at} --because "…"',
        "owner": record.owner,
    }


def _investigating(gathered: Gathered) -> Iterator[dict[str, Any]]:
    for record in gathered.library.evaluations.values():
        for each in record.impacts:
            if each.status is ImpactStatus.UNDER_INVESTIGATION:
                yield {
                    "link": gathered.claim_link(record.id, each.claim),
                    "change": gathered.link(each.change, Kind.CHANGE),
                    "because": each.because,
                    "date": each.date,
                }


def _gaps(gathered: Gathered) -> list[dict[str, Any]]:
    """Intervals of releases in which nobody looked, as claims met them."""
    found: dict[str, set[tuple[str, str]]] = {}
    for verdict in gathered.all_own:
        for each in verdict["findings"]:
            if each["name"] == "not-looked-at":
                found.setdefault(each["message"], set()).add((verdict["evaluation"], verdict["claim"]))
    rows: list[dict[str, Any]] = [{"says": says, "claims": len(claims)} for says, claims in found.items()]
    return sorted(rows, key=lambda row: (-row["claims"], row["says"]))[:20]
