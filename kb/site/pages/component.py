"""A component: its names, releases and pins, the board of its changes, the claims that rest on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from packaging.version import Version

from kb.component import Component, Facts
from kb.placed import in_words
from kb.site.charts import timeline
from kb.site.gather import Gathered, change_day
from kb.site.page import File, Later, Page
from kb.site.pages import drawings
from kb.site.pages.bodies import body
from kb.site.pages.evaluation import web
from kb.site.pages.listed import listed
from kb.site.pages.summaries import change_row
from kb.site.pages.twins import with_page
from kb.site.pages.verdicts import outcome, tally
from kb.versions import parse
from kb.vocabulary import Kind

NEWEST = 8


def pages(gathered: Gathered) -> Iterator[Later]:
    """Every component with its JSON, and the list of all by kind."""
    for record in gathered.of_kind(Kind.COMPONENT):
        users = [gathered.library.evaluations[id_] for id_ in gathered.users.get(record.id, ())]
        yield Later(f"component {record.id}", gathered.keys.of(record, users), partial(_made, record, gathered))
    yield Later("components", gathered.keys.facts, partial(_list, gathered))


def _made(record: Any, gathered: Gathered) -> Iterator[Page | File]:
    yield from with_page(Kind.COMPONENT, record, _values(record, gathered), gathered)


def _list(gathered: Gathered) -> Iterator[Page]:
    rows = [_row(each, gathered) for each in gathered.of_kind(Kind.COMPONENT)]
    rows.sort(key=lambda row: (row["kind"], row["link"]["id"]))
    yield Page("components/index.html", "components", "Components", {"rows": rows}, section="components")


def _row(record: Any, gathered: Gathered) -> dict[str, Any]:
    used = gathered.users.get(record.id, ())
    return {
        "link": gathered.link(record.id, Kind.COMPONENT, record.title),
        "kind": record.kind.value,
        "newest": gathered.registry.newest(record.id),
        "changes": len(gathered.registry.changes.get(record.id, ())),
        "evaluations": len(used),
        "tally": tally(gathered.counted(used)),
    }


def _values(record: Component, gathered: Gathered) -> dict[str, Any]:
    library = gathered.library
    changes = sorted(
        gathered.registry.changes.get(record.id, ()), key=lambda each: (change_day(each), each.id), reverse=True
    )
    users = [library.evaluations[id_] for id_ in gathered.users.get(record.id, ())]
    shown = [listed(each, gathered) for each in users]
    owner = record if record.releases else library.components.get(record.ships_in or "")
    return {
        "id": record.id,
        "kind": record.kind.value,
        "summary": record.summary,
        "ships_in": list(filter(None, (record.ships_in, *record.also_ships_in))),
        "owner": gathered.link(owner.id, Kind.COMPONENT) if owner and owner is not record else None,
        "aliases": list(record.aliases),
        "repository": web(record.repository),
        "classes": [
            {"name": each.name, "mode": each.mode.value if each.mode else "", "versions": each.versions,
             "alias_of": each.alias_of}
            for each in record.classes
        ],
        "paths": [{"glob": each.glob, "versions": each.versions, "neighbour": each.neighbour} for each in record.paths],
        "releases": _releases(owner.releases if owner else ()),
        "builds": [
            {"name": str(each.commit or each.image), "place": in_words(each), "read_in": each.read_in}
            for each in record.builds
        ],
        "facts": _facts(record.facts),
        "coverage": [
            {"since": each.since, "until": each.until, "by": each.by, "date": each.date, "because": each.because,
             "open": list(each.open)}
            for each in record.coverage
        ],
        "changes": [change_row(each, gathered) for each in changes],
        "tally": tally(gathered.counts(said["outcome"] for each in shown for said in each["resting"][record.id])),
        "users": [
            each["row"]
            | {
                "pins": each["pins"][record.id],
                "claims": [
                    {"link": gathered.claim_link(user.id, said["claim"]), "outcome": outcome(said["outcome"])}
                    for said in each["resting"][record.id]
                ],
            }
            for user, each in zip(users, shown, strict=True)
        ],
        "drawings": drawings.shown([timeline(record, users, changes, releases=owner.releases if owner else ())]),
        "body": body(gathered.loaded(record), gathered),
        "path": gathered.loaded(record).path,
    }  # fmt: skip


def _releases(releases: Iterable[Any]) -> list[dict[str, Any]]:
    ordered = sorted(releases, key=lambda each: parse(each.version) or Version("0"), reverse=True)
    return [{"version": each.version, "date": each.date, "yanked": each.yanked} for each in ordered]


KINDS = ("wire version", "requires", "options", "env", "defaults", "passes", "refuses")


def _facts(facts: Iterable[Facts]) -> list[dict[str, Any]]:
    """What releases read, require and refuse, newest first, by kind."""
    found: dict[str, list[list[str]]] = {}
    for fact in reversed(list(facts)):
        for kind, text in _of(fact):
            found.setdefault(kind, []).append([fact.versions, text])
    return [{"kind": kind, "rows": found[kind]} for kind in KINDS if kind in found]


def _of(fact: Facts) -> Iterator[tuple[str, str]]:
    when = f" when {' and '.join(map(str, fact.when))}" if fact.when else ""
    if fact.wire_version:
        yield "wire version", fact.wire_version + when
    for name, spec in fact.requires.items():
        yield "requires", f"{name} {spec}{when}"
    for kind in ("options", "env", "defaults", "passes"):
        listed = ", ".join(f"{key} = {value}" for key, value in getattr(fact, kind).items())
        if listed:
            yield kind, listed + when
    for refusal in fact.refuses:
        why = f" ({refusal.why})" if refusal.why else ""
        yield "refuses", f"{' and '.join(map(str, refusal.when))}{when}{why}"
