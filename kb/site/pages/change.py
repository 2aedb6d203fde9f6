"""A change: what differs, when it is reached, what carries it, which claims it touches and which not, and why."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from kb.change import Change, Shipped
from kb.site import address
from kb.site.gather import Gathered, change_day
from kb.site.page import File, Later, Page
from kb.site.pages.bodies import body
from kb.site.pages.conditions import condition
from kb.site.pages.evaluation import web
from kb.site.pages.summaries import change_row, speaking, steps, touching
from kb.site.pages.twins import with_page
from kb.site.pages.verdicts import WHY
from kb.vocabulary import Kind


def pages(gathered: Gathered) -> Iterator[Later]:
    """Every change with its JSON, and the list of all, newest first."""
    for record in gathered.of_kind(Kind.CHANGE):
        yield Later(f"change {record.id}", gathered.keys.of(record, ()), partial(_made, record, gathered))
    yield Later("changes", gathered.keys.facts, partial(_list, gathered))


def _made(record: Any, gathered: Gathered) -> Iterator[Page | File]:
    yield from with_page(Kind.CHANGE, record, _values(record, gathered), gathered)


def _list(gathered: Gathered) -> Iterator[Page]:
    changes = sorted(gathered.library.changes.values(), key=lambda each: (change_day(each), each.id), reverse=True)
    rows = [change_row(each, gathered) for each in changes]
    yield Page("changes/index.html", "changes", "Changes", {"rows": rows}, section="changes")


def _values(record: Change, gathered: Gathered) -> dict[str, Any]:
    spoken = gathered.touched.get(record.id, ())
    against = [each for each in spoken if each.against]
    days = record.dates.stored() if record.dates else {}
    return {
        "id": record.id,
        "kind": record.kind.value,
        "status": record.status.value,
        "days": list(days.items()),
        "draft": record.proposed_by == "scan",
        "components": [gathered.link(each, Kind.COMPONENT) for each in (record.component, *record.also)],
        "summary": record.summary,
        "said_effect": record.said_effect,
        "dimensions": [_dimension(each, gathered) for each in record.dimensions],
        "phase": record.phase.value if record.phase else None,
        "favours": record.favours,
        "urls": [each for each in map(web, (record.url, *record.links)) if each],
        "symbols": list(record.symbols),
        "steps": steps(gathered.board[record.id]),
        "measured_by": [gathered.link(each, Kind.EVALUATION) for each in gathered.board[record.id].measured_by],
        "ships": [_shipped(each) for each in record.ships],
        "markers": list(dict.fromkeys(each.marker for each in record.ships if each.marker)),
        "guards": [condition(each) for each in record.guards],
        "touched": touching(against, gathered),
        "open": touching((each for each in spoken if not each.against), gathered),
        **speaking(spoken),
        "silent": _silent(record, gathered),
        "relations": _relations(record, gathered),
        "body": body(gathered.loaded(record), gathered),
        "path": gathered.loaded(record).path,
    }


def _dimension(name: str, gathered: Gathered) -> dict[str, Any]:
    known = name in gathered.library.words["dimension"]
    href = f"vocabulary.html#{address.anchor('dimension', name)}" if known else None
    return {"href": href, "text": name, "title": None}


def _shipped(each: Shipped) -> dict[str, str]:
    opened = list(each.checked)
    shown = ", ".join(opened) if len(opened) <= 3 else f"{opened[0]} … {opened[-1]} ({len(opened)} versions)"
    return {
        "what": f"{each.distribution} {each.artifact}",
        "versions": each.versions,
        "ships": each.ships.value,
        "opened": shown,
    }


def _silent(record: Change, gathered: Gathered) -> list[dict[str, Any]]:
    """Claims that it was looked at for and does not touch, by reason."""
    loud = {each.place for each in gathered.touched.get(record.id, ())}
    found: dict[str, dict[tuple[str, str], dict[str, Any]]] = {}
    for each in gathered.silent.get(record.id, ()):
        place = (each.evaluation, each.claim)
        if place not in loud:
            row = gathered.claim_link(*place) | {"reason": each.reason}
            found.setdefault(each.why, {}).setdefault(place, row)
    groups = []
    for why, rows in sorted(found.items()):
        by_evaluation: dict[str, list[dict[str, Any]]] = {}
        for (evaluation, _), row in rows.items():
            by_evaluation.setdefault(evaluation, []).append(row)
        shown = [
            {
                "link": gathered.link(evaluation, Kind.EVALUATION),
                "claims": claims,
                "reasons": list(dict.fromkeys(claim["reason"] for claim in claims)),
            }
            for evaluation, claims in by_evaluation.items()
        ]
        groups.append({"why": WHY.get(why, why), "number": len(rows), "rows": shown})
    return groups


def _relations(record: Change, gathered: Gathered) -> list[dict[str, Any]]:
    own = [
        {"says": each.relation.value, "out": True, "link": gathered.link(each.to, Kind.CHANGE)}
        for each in record.relations
    ]
    others = [
        {"says": each.relation, "out": False, "link": gathered.link(each.id, Kind.CHANGE)}
        for each in gathered.change_pointers.get(record.id, ())
    ]
    return own + others
