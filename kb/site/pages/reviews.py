"""The review queue: what was concluded beside what came since, for every claim that a person has to look at.

Evaluations that a decision rests on come first, then those that most else rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from kb.site.gather import Gathered, change_day
from kb.site.page import Later, Page
from kb.site.pages.listed import waiting
from kb.site.pages.summaries import change_row
from kb.site.pages.verdicts import outcome
from kb.vocabulary import ImpactStatus, Justification


def pages(gathered: Gathered) -> Iterator[Later]:
    """One page."""
    yield Later("reviews", gathered.keys.figures, partial(_made, gathered))


def _made(gathered: Gathered) -> Iterator[Page]:
    reviews = {id_: waiting(each, gathered) for id_, each in gathered.library.evaluations.items()}
    queue = sorted((each for each in reviews.values() if each["entry"]), key=lambda each: tuple(each["rank"]))
    entries = [each["entry"] for each in queue]
    drafts = [each for each in gathered.library.changes.values() if each.proposed_by == "scan"]
    values = {
        "entries": entries,
        "claims": sum(each["number"] for each in entries),
        "signs": _signs(entries),
        "statuses": [each.value for each in ImpactStatus],
        "justifications": [each.value for each in Justification],
        "drafts": [change_row(each, gathered) for each in sorted(drafts, key=lambda each: (change_day(each), each.id))],
        "investigating": [row for each in reviews.values() for row in each["investigating"]],
        "gaps": _gaps(reviews),
    }
    yield Page("reviews.html", "reviews", "Review queue", values, section="reviews")


def _signs(entries: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The signs that stand in the list, with what they mean."""
    found = {part["name"] for each in entries for part in each["tally"]["parts"] if part["number"]}
    return [outcome(name) for name in sorted(found)]


def _gaps(reviews: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Intervals of releases in which nobody looked, as claims met them."""
    found: dict[str, set[tuple[str, str]]] = {}
    for id_, each in reviews.items():
        for says, claim in each["gaps"]:
            found.setdefault(says, set()).add((id_, claim))
    rows: list[dict[str, Any]] = [{"says": says, "claims": len(claims)} for says, claims in found.items()]
    return sorted(rows, key=lambda row: (-row["claims"], row["says"]))[:20]
