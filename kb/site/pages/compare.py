"""Two to four evaluations side by side: a page, and beside each evaluation a script with what the page sets together.

A script, because a page from a plain folder may not read a JSON file; what it holds is a part of `record.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from kb.compare import Named, compare
from kb.conditions import Truth
from kb.errors import KbError
from kb.evaluation import Evaluation
from kb.present import setup as in_words
from kb.present.numbers import reported, stated, with_unit
from kb.present.points import place, row_of
from kb.site import address
from kb.site.gather import Gathered, newest_first
from kb.site.page import File, Page
from kb.site.pages.figures import figure
from kb.site.pages.twins import as_json
from kb.site.pages.verdicts import outcome
from kb.vocabulary import Kind

PARTNERS = 24
"""Evaluations of one question that each is set beside; of more `kb compare` tells."""
POINTS = 400
REASONS = 12


def pages(gathered: Gathered) -> Iterator[Page | File]:
    """The page, and the script of every evaluation."""
    listed = newest_first(gathered.library.evaluations.values())
    rows = [{"id": each.id, "title": each.title, "question": gathered.asks(each.question)} for each in listed]
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row["question"] or "No question", []).append(row)
    values = {"groups": [{"name": name, "rows": each} for name, each in sorted(groups.items())]}
    yield Page("compare.html", "compare", "Compare evaluations", values, section="compare", scripts=("compare.js",))
    for record in gathered.of_kind(Kind.EVALUATION):
        assert isinstance(record, Evaluation)
        text = as_json(_data(record, gathered)).decode().strip()
        content = f"kbCompare({json.dumps(record.id)},{_script(text)});\n".encode()
        yield File(f"{address.folder(Kind.EVALUATION, record.id)}/compare.js", content)


def _script(text: str) -> str:
    """JSON as a script may hold it."""
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("</", "<\\/")


def _data(record: Evaluation, gathered: Gathered) -> dict[str, Any]:
    arms = record.arms or (None,)
    each = [in_words.words(record.setup) | (in_words.words(arm.setup) if arm else {}) for arm in arms]
    keys = dict.fromkeys(key for words in each for key in words)
    return {
        "id": record.id,
        "title": record.title,
        "href": address.page(Kind.EVALUATION, record.id),
        "date": record.date,
        "question": {"id": record.question, "asks": gathered.asks(record.question)},
        "source": record.source.relation.value if record.source and record.source.relation else None,
        "arms": [{"id": arm.id, "title": arm.title or arm.id} if arm else {"id": "", "title": ""} for arm in arms],
        "setup": {key: list(dict.fromkeys(words.get(key, "–") for words in each)) for key in keys},
        "claims": [_claim(claim, record, gathered) for claim in record.claims],
        "points": [_point(point) for point in record.points[:POINTS]],
        "beside": {other.id: _beside(record, other, gathered) for other in _partners(record, gathered)},
    }


def _claim(claim: Any, record: Evaluation, gathered: Gathered) -> dict[str, Any]:
    verdict = gathered.verdict(record.id, claim.id)
    shown = figure(claim, record, gathered.library)
    return {
        "id": claim.id,
        "anchor": address.anchor("claim", claim.id),
        "kind": claim.kind.value,
        "says": claim.says,
        "figure": f"{shown['figure']} {shown['metric']}, {shown['of']}" if shown else "",
        "where": "; ".join(shown["where"]) if shown else "",
        "outcome": outcome(verdict["outcome"]) if verdict else None,
    }


def _point(point: Any) -> dict[str, str]:
    metric, stat, where, unit = row_of(point, defined=True)
    text = f"against {point.against}: {reported(point)}" if point.reported else with_unit(stated(point), point.unit)
    del where
    return {
        "metric": metric,
        "stat": stat,
        "where": place(point.where),
        "unit": unit,
        "arm": point.arm or "",
        "text": text,
    }


def _partners(record: Evaluation, gathered: Gathered) -> list[Evaluation]:
    """Those of one question and those it is related to, whose comparability is judged when the site is built."""
    asking = [each for each in gathered.asked.get(record.question or "", ()) if each is not record][:PARTNERS]
    named = [gathered.library.evaluations.get(each.to) for each in record.relations]
    named += [gathered.library.evaluations.get(each.id) for each in gathered.pointers.get(record.id, ())]
    found = {each.id: each for each in (*asking, *named) if each is not None and each is not record}
    return [found[id_] for id_ in sorted(found)]


def _beside(one: Evaluation, other: Evaluation, gathered: Gathered) -> dict[str, Any]:
    try:
        found = compare(Named(one), Named(other), gathered.library)
    except KbError as error:
        return {"comparable": "unknown", "reasons": [{"says": f"{error.message}: name the arms", "truth": "unknown"}]}
    ordered = sorted(found.reasons, key=lambda each: each.truth is not Truth.NO)
    return {
        "comparable": found.comparable.value,
        "reasons": [
            {"field": each.field, "says": each.says, "one": each.one, "other": each.other, "truth": each.truth.value}
            for each in ordered[:REASONS]
        ],
        "more": max(0, len(ordered) - REASONS),
    }
