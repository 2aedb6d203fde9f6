"""A deployment: what applies to it, and why the rest does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from kb.audited import READING
from kb.deployment import Deployment
from kb.present.setup import grouped, words
from kb.rules import hypothesis_not_shown
from kb.site.gather import Gathered
from kb.site.judged import Judged
from kb.site.page import File, Later, Page
from kb.site.pages.bodies import body
from kb.site.pages.listed import listed
from kb.site.pages.summaries import distribution_link
from kb.site.pages.twins import with_page
from kb.site.pages.verdicts import outcome, reason, tally
from kb.vocabulary import UNKNOWN, Kind, Outcome

FIRST = (Outcome.HOLDS, *(each for each in READING if each not in {Outcome.HOLDS, Outcome.NOT_APPLICABLE}))
"""Outcomes that say something of a deployment; what is not about it comes last and shortly."""

FEW = 5
"""Claims of one reason shown at once."""


def pages(gathered: Gathered) -> Iterator[Later]:
    """Every deployment with its JSON, and the list of all."""
    every = gathered.library.evaluations.values()
    for record in gathered.of_kind(Kind.DEPLOYMENT):
        key = gathered.keys.of(record, every)
        yield Later(f"deployment {record.id}", key, partial(_made, record, gathered))
    yield Later("deployments", gathered.keys.facts, partial(_list, gathered))


def _made(record: Any, gathered: Gathered) -> Iterator[Page | File]:
    yield from with_page(Kind.DEPLOYMENT, record, _values(record, gathered), gathered)


def _list(gathered: Gathered) -> Iterator[Page]:
    rows = [_row(each, gathered) for each in gathered.of_kind(Kind.DEPLOYMENT)]
    yield Page("deployments/index.html", "deployments", "Deployments", {"rows": rows}, section="deployments")


def _verdicts(record: Any, gathered: Gathered) -> list[Judged]:
    return [each for verdicts in gathered.verdicts.get(record.id, {}).values() for each in verdicts]


def _row(record: Any, gathered: Gathered) -> dict[str, Any]:
    return {
        "link": gathered.link(record.id, Kind.DEPLOYMENT, record.title),
        "summary": record.summary,
        "tally": tally(gathered.counts(each["outcome"] for each in _verdicts(record, gathered))),
    }


def _values(record: Deployment, gathered: Gathered) -> dict[str, Any]:
    stated = words(record.setup)
    known = grouped({key: value for key, value in stated.items() if value != UNKNOWN})
    verdicts = _verdicts(record, gathered)
    return {
        "id": record.id,
        "summary": record.summary,
        "owner": record.owner,
        "setup": list(known.items()),
        "unknown": [key for key, value in stated.items() if value == UNKNOWN],
        "tally": tally(gathered.counts(each["outcome"] for each in verdicts)),
        "groups": [
            {**outcome(each), "number": len(found), "reasons": _by_reason(found, gathered)}
            for each in FIRST
            if (found := _of(each, verdicts))
        ],
        "few": FEW,
        "to_state": _to_state(verdicts, gathered),
        "not_about": _not_about(_of(Outcome.NOT_APPLICABLE, verdicts), gathered),
        "command": f"kb audit --for {record.id}",
        "body": body(gathered.loaded(record), gathered),
        "path": gathered.loaded(record).path,
    }


def _to_state(verdicts: Iterable[Judged], gathered: Gathered) -> list[dict[str, Any]]:
    """Versions that a deployment does not state and on which answers depend, that of most claims first."""
    found = [(name, newest) for each in verdicts for name, newest in each["open"]]
    claims, newest = Counter(name for name, _ in found), dict(found)
    return [
        {
            "link": distribution_link(name, gathered),
            "claims": number,
            "add": f"--at {name}={newest[name]}",
        }
        for name, number in sorted(claims.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def _of(wanted: Outcome, verdicts: Iterable[Judged]) -> list[Judged]:
    return [each for each in verdicts if each["outcome"] == wanted]


def _by_reason(verdicts: Iterable[Judged], gathered: Gathered) -> list[dict[str, Any]]:
    """Claims of one outcome, those together of which the same is said: the reason of most first, guesses last."""
    found: dict[str, dict[str, Any]] = {}
    for each in verdicts:
        because = [reason(finding, gathered) | {"place": None} for finding in each["findings"][:1]]
        likeness = repr((each["confirm"], because))
        row = found.setdefault(likeness, {"because": because, "confirm": each["confirm"], "claims": []})
        row["claims"].append(_claim(each, gathered))
    return sorted(found.values(), key=lambda row: (_is_guess(row), -len(row["claims"])))


def _is_guess(row: Mapping[str, Any]) -> bool:
    return any(each["rule"] == hypothesis_not_shown.NAME for each in row["because"])


def _claim(verdict: Judged, gathered: Gathered) -> dict[str, Any]:
    shown = listed(gathered.library.evaluations[verdict["evaluation"]], gathered)["claims"][verdict["claim"]]
    return {
        "link": gathered.claim_link(verdict["evaluation"], verdict["claim"]),
        "evaluation": gathered.link(verdict["evaluation"], Kind.EVALUATION),
        "says": shown["says"],
        "figure": shown["figure"],
        "more": verdict["more"],
        "covers": verdict["covers"],
    }


def _not_about(verdicts: Iterable[Judged], gathered: Gathered) -> list[dict[str, Any]]:
    """Claims that were never about it, by the first reason."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for each in verdicts:
        why = each["findings"][0]["message"] if each["findings"] else "not applicable"
        link = gathered.claim_link(each["evaluation"], each["claim"])
        found.setdefault(why, {}).setdefault(each["evaluation"], []).append(link)
    rows = [
        {
            "why": why,
            "number": sum(map(len, by.values())),
            "rows": [{"link": gathered.link(id_, Kind.EVALUATION), "claims": claims} for id_, claims in by.items()],
        }
        for why, by in found.items()
    ]
    return sorted(rows, key=lambda row: (-row["number"], row["why"]))
