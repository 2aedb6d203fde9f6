"""What lists and overviews show of an evaluation, kept from build to build: of a thousand few are opened again.

It follows from what the evaluation's own page follows from, and is noted whenever that page is made; where a list is
made sooner it works it out itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from kb.evaluation import Evaluation
from kb.once import once
from kb.present.since import pin_words
from kb.since import pinned
from kb.site.gather import Gathered
from kb.site.page import Note
from kb.site.pages.figures import figure
from kb.site.pages.queued import queued
from kb.site.pages.summaries import evaluation_row
from kb.site.records import components_of

LISTED, WAITING = "listed", "waiting"
"""Names under which is kept what lists show, and what the review queue shows of it, which few lists read."""
NAMES = (LISTED, WAITING)


def listed(record: Evaluation, gathered: Gathered) -> dict[str, Any]:
    """Its row in a list, its claims, the builds it pins, what rests on which component."""
    return _part(gathered, LISTED, record.id)


def waiting(record: Evaluation, gathered: Gathered) -> dict[str, Any]:
    """What asks for a person."""
    return _part(gathered, WAITING, record.id)


def noted(record: Evaluation, gathered: Gathered) -> Iterator[Note]:
    """Both for the next build."""
    for name in NAMES:
        yield Note(name, gathered.keys.evaluations[record.id], _part(gathered, name, record.id))


@once
def _part(gathered: Gathered, name: str, id_: str) -> dict[str, Any]:
    record = gathered.library.evaluations[id_]
    key = gathered.keys.evaluations[record.id]
    if key in gathered.kept.digests(name):
        return dict(gathered.kept.value(name, key))
    made = _made(record, gathered) if name == LISTED else queued(record, gathered)
    return dict(json.loads(json.dumps(made)))


def _made(record: Evaluation, gathered: Gathered) -> dict[str, Any]:
    pins = pinned(record, gathered.library)
    return {
        "row": evaluation_row(record, gathered),
        "counts": gathered.counted([record.id]),
        "claims": {
            each.id: {"says": each.says, "figure": figure(each, record, gathered.library)} for each in record.claims
        },
        "pins": {name: pin_words(pins.get(name, ())) for name in components_of(record)},
        "resting": _resting(record, gathered),
    }


def _resting(record: Evaluation, gathered: Gathered) -> dict[str, list[dict[str, str]]]:
    """Component -> verdicts on the claims of which an arm that counts runs it."""
    running = {arm.id: {pin.component for pin in record.arm_setup(arm).pins().values()} for arm in record.arms}
    claims = {each.id: each for each in record.claims}
    every = [
        ({arm.id for arm in record.cited_arms(claims[each["claim"]])}, {key: each[key] for key in ("claim", "outcome")})
        for each in gathered.own.get(record.id, ())
    ]
    return {
        name: [verdict for arms, verdict in every if not record.arms or any(name in running[arm] for arm in arms)]
        for name in components_of(record)
    }
