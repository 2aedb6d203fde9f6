"""The vocabulary in three languages: questions, dimensions, metrics with their definitions, terms, closed lists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from kb.site import address
from kb.site.gather import Gathered
from kb.site.page import Later, Page
from kb.terms import Metric, Wording

LANGUAGES = ("en", "ja", "pt")


def pages(gathered: Gathered) -> Iterator[Later]:
    """One page."""
    yield Later("vocabulary", gathered.keys.facts, partial(_made, gathered))


def _made(gathered: Gathered) -> Iterator[Page]:
    words = gathered.library.vocabulary
    values = {
        "questions": [
            _worded("question", each.id, each.asks)
            | {
                "goal": each.goal,
                "href": address.page(address.QUESTIONS, each.id) if each.id in gathered.asked else None,
            }
            for each in words.questions
        ],
        "dimensions": [
            _worded("dimension", each.id, each.titles) | {"means": each.means, "setup_keys": list(each.keys)}
            for each in words.dimensions
        ],
        "metrics": [_metric(each, gathered) for each in words.metrics],
        "terms": [_worded("term", each.id, each.titles) | {"facet": each.facet} for each in words.terms],
        "lists": [
            {"name": name, "rows": [[each.id, each.means] for each in entries]} for name, entries in words.lists.items()
        ],
    }
    yield Page("vocabulary.html", "vocabulary", "Vocabulary", values, section="vocabulary")


def _worded(sort: str, id_: str, wording: Wording) -> dict[str, Any]:
    return {
        "id": id_,
        "anchor": address.anchor(sort, id_),
        "words": [{"lang": lang, "texts": list(getattr(wording, lang))} for lang in LANGUAGES],
    }


def _metric(metric: Metric, gathered: Gathered) -> dict[str, Any]:
    known = gathered.library.words["dimension"]
    return _worded("metric", metric.id, metric.titles) | {
        "unit": metric.unit,
        "better": metric.better.value,
        "implies": [
            {"text": each, "href": f"vocabulary.html#{address.anchor('dimension', each)}" if each in known else None,
             "title": None}
            for each in metric.implies
        ],
        "definitions": [
            {"id": each.id, "tool": each.tool, "says": each.says, "same_as": each.same_as}
            for each in metric.definitions
        ],
    }  # fmt: skip
