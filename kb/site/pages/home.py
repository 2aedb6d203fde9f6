"""The first page: what needs attention, what is new and whom it touches, which signals fired."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Any

from packaging.version import Version

from kb.evaluation import Evaluation
from kb.signals import State
from kb.site.gather import Gathered, change_day, newest_first
from kb.site.page import Later, Page
from kb.site.pages.summaries import change_row, distribution_link, evaluation_row
from kb.site.pages.verdicts import outcome, tally
from kb.verdict import newest_of
from kb.versions import parse
from kb.vocabulary import Kind, Outcome

NEWEST = 8
CAUSES = 10
AGAIN = (Outcome.SUPERSEDED, Outcome.NARROWED, Outcome.RECHECK)
"""Outcomes that a change or a later result has led to."""


def pages(gathered: Gathered) -> Iterator[Later]:
    """One page."""
    evaluations = newest_first(gathered.library.evaluations.values())
    mine = gathered.library.own_evaluations
    own = [each for each in evaluations if each.id in mine]
    newest = [each for each in evaluations if each.id not in mine][:NEWEST]
    yield Later("home", gathered.keys.showing([*own[:NEWEST], *newest]), partial(_made, own, newest, gathered))


def _made(own: list[Evaluation], newest: list[Evaluation], gathered: Gathered) -> Iterator[Page]:
    library = gathered.library
    changes = sorted(library.changes.values(), key=lambda each: (change_day(each), each.id), reverse=True)
    values = {
        "tally": tally(gathered.counted(gathered.own)),
        "evaluations": len(library.evaluations),
        "releases": _releases(gathered),
        "causes": _causes(gathered)[:CAUSES],
        "facts": _facts(gathered)[:CAUSES],
        "own": _own(own, gathered),
        "newest": [evaluation_row(each, gathered) for each in newest],
        "changes": [change_row(each, gathered) for each in changes[:NEWEST]],
        "signals": list(_signals(gathered)),
        "counts": {
            "changes": len(library.changes),
            "components": len(library.components),
            "questions": len(gathered.asked),
            "deployments": len(library.deployments),
        },
        "day": gathered.today,
    }
    yield Page("index.html", "home", gathered.settings.title, values, section="home", description=DESCRIPTION)


DESCRIPTION = "Performance conclusions about LLM serving with KV connectors: which still hold, for whom, and why."


def _own(own: list[Evaluation], gathered: Gathered) -> dict[str, Any] | None:
    """What a base that mounts another has measured itself: its readers look for that first."""
    if not own:
        return None
    rows = [evaluation_row(each, gathered) for each in own[:NEWEST]]
    return {"rows": rows, "number": len(own), "tally": tally(gathered.counted([each.id for each in own]))}


def _releases(gathered: Gathered) -> list[dict[str, Any]]:
    """The newest releases that claims are asked about."""
    found: dict[str, Version] = {}
    for each in gathered.all_briefs:  # of those that another component bounds the newest that anything is asked at
        for name, text in each.target.items():
            if version := parse(newest_of(text)):
                found[name] = max(version, found.get(name, version))
    return [
        {"link": distribution_link(name, gathered), "version": str(version)} for name, version in sorted(found.items())
    ]


def _causes(gathered: Gathered) -> list[dict[str, Any]]:
    """Changes by the number of claims that they ask to be measured again."""
    found: dict[str, dict[str, Any]] = {}
    for id_, touched in gathered.touched.items():
        claims = {each.place for each in touched if each.finding.outcome in AGAIN}
        if claims and id_ in gathered.library.changes:
            found[id_] = change_row(gathered.library.changes[id_], gathered) | {
                "claims": len(claims),
                "evaluations": len({evaluation for evaluation, _ in claims}),
                "outcome": outcome(Outcome.RECHECK),
            }
    return sorted(found.values(), key=lambda row: (-row["claims"], row["link"]["id"]))


def _facts(gathered: Gathered) -> list[dict[str, Any]]:
    """Facts that would settle what is unknown, by the number of claims that wait for them."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for brief in gathered.all_briefs:
        if brief.outcome == Outcome.UNKNOWN:
            for each in brief.findings:
                if each.settles and each.settles != "a measurement":
                    found[each.settles].add((brief.evaluation, brief.claim))
    rows: list[dict[str, Any]] = []
    for fact, claims in found.items():
        ids = sorted({evaluation for evaluation, _ in claims})
        links = [gathered.link(id_, Kind.EVALUATION) for id_ in ids]
        rows.append({"fact": fact, "claims": len(claims), "links": links})
    return sorted(rows, key=lambda row: (-row["claims"], row["fact"]))


def _signals(gathered: Gathered) -> Iterator[dict[str, Any]]:
    """Signals that fired or are overdue, then the next one that is due."""
    waiting: list[dict[str, Any]] = []
    for record, seen in gathered.signals:
        row: dict[str, Any] = {
            "what": seen.signal.what,
            "until": seen.signal.until,
            "state": seen.state.value,
            "because": seen.because,
            "by": [gathered.link(id_) for id_ in seen.by],
            "link": gathered.link(record.id, Kind.EVALUATION),
            "anchor": "signals",
        }
        if seen.state in {State.FIRED, State.OVERDUE}:
            yield row
        elif seen.signal.until:
            waiting.append(row)
    waiting.sort(key=lambda row: (str(row["until"]), row["link"]["id"]))
    yield from waiting[:3]
