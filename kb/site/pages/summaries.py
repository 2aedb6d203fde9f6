"""Records as rows of lists: an evaluation with its outcomes, a change with whom it touches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kb.board import Row
from kb.change import Change
from kb.evaluation import Evaluation
from kb.present.impact import states
from kb.site import address
from kb.site.briefs import Touch
from kb.site.gather import Gathered, change_day
from kb.site.pages.figures import figure
from kb.site.pages.verdicts import outcome, tally
from kb.vocabulary import UNKNOWN, ClaimKind, Kind

STATES = ("proposed", "merged", "released", "measured")
"""How far a change can get; merged is not released, and released is not measured."""


def evaluation_row(record: Evaluation, gathered: Gathered) -> dict[str, Any]:
    """An evaluation in a list."""
    measured = [claim for claim in record.claims if claim.kind is ClaimKind.MEASURED and claim.effect]
    first = figure(measured[0], record, gathered.library) if measured else None
    return {
        "link": gathered.link(record.id, Kind.EVALUATION, record.title),
        "date": record.date if record.date != UNKNOWN else None,
        "question": question_link(record.question, gathered) if record.question else None,
        "relation": record.source.relation.value if record.source and record.source.relation else None,
        "kind": record.kind.value,
        "languages": [each.lang for each in gathered.languages(record)],
        "tally": tally(gathered.counted([record.id])),
        "figure": first,
    }


def question_link(question: str, gathered: Gathered) -> dict[str, Any]:
    """A question as pages name it."""
    href = address.page(address.QUESTIONS, question) if question in gathered.asked else None
    return {"id": question, "href": href, "title": None, "text": gathered.asks(question)}


def distribution_link(name: str, gathered: Gathered) -> dict[str, Any]:
    """A distribution as pages name it, with the page of the component that ships in it."""
    owners = (each.id for each in gathered.library.components.values() if each.ships_in == name and each.releases)
    return gathered.link(next(owners, name), Kind.COMPONENT, name)


def change_row(change: Change, gathered: Gathered) -> dict[str, Any]:
    """A change in a list: how far it has got, and the claims it speaks against."""
    spoken = speaking(gathered.touched.get(change.id, ()))
    return {
        "link": gathered.link(change.id, Kind.CHANGE, change.title),
        "component": gathered.link(change.component, Kind.COMPONENT),
        "kind": change.kind.value,
        "day": change_day(change),
        "state": gathered.board[change.id].state,
        "steps": steps(gathered.board[change.id]),
        **spoken,
        "draft": change.proposed_by == "scan",
    }


def speaking(touched: Sequence[Touch]) -> dict[str, int]:
    """How many claims a change speaks against, in how many evaluations, and against how many more it may."""
    against = {each.place for each in touched if each.against}
    may = {each.place for each in touched} - against
    return {"claims": len(against), "evaluations": len({evaluation for evaluation, _ in against}), "may": len(may)}


def touching(touched: Iterable[Touch], gathered: Gathered) -> list[dict[str, Any]]:
    """Claims that a change speaks against, by evaluation; those of which the same is said stand together."""
    found: dict[str, dict[tuple[str, str], dict[str, dict[str, Any]]]] = {}
    for each in touched:
        said = (str(each.finding.outcome), _without_title(each, gathered))
        claims = found.setdefault(each.evaluation, {}).setdefault(said, {})
        claims.setdefault(each.claim, gathered.claim_link(*each.place))
    return [
        {
            "link": gathered.link(id_, Kind.EVALUATION, gathered.library.evaluations[id_].title),
            "rows": [
                {"outcome": outcome(name), "why": why, "claims": list(claims.values())}
                for (name, why), claims in rows.items()
            ],
        }
        for id_, rows in found.items()
    ]


def _without_title(touch: Touch, gathered: Gathered) -> str:
    change = gathered.library.changes.get(touch.finding.change or "")
    return gathered.message(touch).removeprefix(f"{change.title}: " if change else "")


def steps(row: Row) -> list[dict[str, Any]]:
    """The four states of a change, each reached or not, with its words."""
    said = list(states(row))
    merged = row.merged is not None
    released = bool(row.introduced) or row.state.startswith("released") or row.state == "measured"
    reached = {"proposed": True, "merged": merged, "released": released, "measured": bool(row.measured_by)}
    words = {
        "proposed": f"proposed {row.proposed}" if row.proposed else "proposed",
        "merged": said[1] if row.proposed else said[0],
        "released": said[2] if row.proposed else said[1],
        "measured": said[3] if row.proposed else said[2],
    }
    return [{"name": name, "reached": reached[name], "says": words[name]} for name in STATES]
