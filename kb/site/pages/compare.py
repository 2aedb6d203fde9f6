"""Two to four evaluations side by side: a page, and beside each evaluation a script with the facts it is compared by.

A script, because a page from a plain folder may not read a JSON file. What two of them mean together is worked out in
the browser (kb.site.pages.beside), so that any two can be compared, whatever the size of the base.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from kb.evaluation import Evaluation
from kb.site import address
from kb.site.aspects import aspects
from kb.site.gather import Gathered, newest_first
from kb.site.page import File, Later, Page
from kb.site.pages import beside
from kb.site.pages.figures import figure
from kb.site.pages.twins import as_json
from kb.site.pages.verdicts import outcome
from kb.vocabulary import Kind

SCRIPTS = ("compare-rules.js", "compare.js")


def pages(gathered: Gathered) -> Iterator[Later]:
    """The page, and the script of every evaluation."""
    stated = gathered.each("stated", lambda each: aspects(gathered.loaded(each)).frame, partial(_stated, gathered))
    asked = beside.asked(key for keys in stated.values() for key in keys)
    mark = hashlib.sha256(repr(sorted(asked)).encode()).hexdigest()
    yield Later("compare", gathered.keys.facts, partial(_page, gathered))
    for record in gathered.of_kind(Kind.EVALUATION):
        assert isinstance(record, Evaluation)
        yield Later(
            f"compare {record.id}",
            f"{gathered.keys.evaluations[record.id]} {mark}",
            partial(_made, record, asked, gathered),
        )


def _stated(gathered: Gathered, record: Evaluation) -> list[str]:
    return sorted(beside.stated(record, gathered.library))


def _page(gathered: Gathered) -> Iterator[Page | File]:
    listed = newest_first(gathered.library.evaluations.values())
    rows = [_row(each, gathered) for each in listed]
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row["question"] or "No question", []).append(row)
    values = {"groups": [{"name": name, "rows": each} for name, each in sorted(groups.items())]}
    yield Page("compare.html", "compare", "Compare evaluations", values, section="compare", scripts=SCRIPTS)
    yield File("compare-data.js", f"kbCompareRules.know({_json(beside.shared(gathered))});\n".encode())


def _made(record: Evaluation, asked: frozenset[str], gathered: Gathered) -> Iterator[File]:
    content = f"kbCompare({json.dumps(record.id)},{_json(_data(record, asked, gathered))});\n".encode()
    yield File(f"{address.folder(Kind.EVALUATION, record.id)}/compare.js", content)


def _row(record: Evaluation, gathered: Gathered) -> dict[str, Any]:
    return {"id": record.id, "title": record.title, "question": gathered.asks(record.question)}


def _json(value: Any) -> str:
    """JSON as a script may hold it."""
    text = as_json(value).decode().strip()
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("</", "<\\/")


def _data(record: Evaluation, asked: frozenset[str], gathered: Gathered) -> dict[str, Any]:
    facts = beside.facts(record, asked, gathered.library)
    titles = {arm.id: arm.title or arm.id for arm in record.arms}
    return facts | {
        "title": record.title,
        "titles": titles,
        "href": address.page(Kind.EVALUATION, record.id),
        "date": record.date,
        "question": {"id": record.question, "asks": gathered.asks(record.question)},
        "source": record.source.relation.value if record.source and record.source.relation else None,
        "claims": [_claim(claim, record, gathered) for claim in record.claims],
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
