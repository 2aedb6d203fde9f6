"""The Atom feed: changes of outcome, new evaluations, new changes and whom they touch.

There is no clock here, so every day comes from the records. An outcome changes on the day of the release at which it
first differs from the one at the release before, judged by the records as they are; claim and release make its id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from kb.site import address
from kb.site.body import plain
from kb.site.charts.outcomes import because, outcome, word
from kb.site.gather import Gathered, change_day, newest_first
from kb.site.judged import RELEASES, Judged
from kb.site.page import File, Later
from kb.site.pages.summaries import change_row
from kb.vocabulary import UNKNOWN, Kind

NEWEST = 20
"""Entries of each of the three kinds."""
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def feed(gathered: Gathered) -> Later:
    """The file."""
    return Later("feed", gathered.keys.facts, partial(_made, gathered))


def _made(gathered: Gathered) -> Iterator[File]:
    kinds = (_outcomes(gathered), _evaluations(gathered), _changes(gathered))
    entries = _newest([each for kind in kinds for each in _newest(kind)[:NEWEST]])
    updated = _instant(max((each["day"] for each in entries), default=gathered.today or ""))
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{_text(gathered.settings.title)}</title>",
        f"<id>{_id(gathered, '')}</id>",
        f"<updated>{updated}</updated>",
        f'<link rel="alternate" href={quoteattr(gathered.settings.url or "index.html")}/>',
        f'<link rel="self" href={quoteattr(f"{gathered.settings.url}feed.xml")}/>',
        "<author><name>kb site build</name></author>",
        *(line for each in entries for line in _entry(each, gathered)),
        "</feed>",
    ]
    yield File("feed.xml", ("\n".join(lines) + "\n").encode("utf-8", "replace"))


Entry = dict[str, str]


def _newest(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda each: (each["day"], each["id"]), reverse=True)


def _outcomes(gathered: Gathered) -> Iterator[Entry]:
    """Claims whose outcome at a release of the engine is not that at the release before."""
    for id_, verdicts in gathered.verdicts.get(RELEASES, {}).items():
        by_claim: dict[str, list[Judged]] = {}
        for each in verdicts:
            by_claim.setdefault(each["claim"], []).append(each)
        for claim, found in by_claim.items():
            for before, after in pairwise(found):
                day = _released(gathered, after)
                if day and before["outcome"] != after["outcome"]:
                    yield _outcome(id_, claim, before, after, day, gathered)


def _released(gathered: Gathered, verdict: Judged) -> str | None:
    releases = gathered.registry.releases(verdict["component"])
    day = next((each.date for each in releases if each.version == verdict["release"]), None)
    return None if day in {None, UNKNOWN} else day


def _outcome(id_: str, claim: str, before: Judged, after: Judged, day: str, gathered: Gathered) -> Entry:
    record, release = gathered.library.evaluations[id_], f"{after['component']} {after['release']}"
    was, now = (word(outcome(each)) for each in (before, after))
    link = gathered.claim_link(id_, claim)
    return {
        "kind": "outcome",
        "id": f"outcome/{id_}/{claim}/{after['component']}/{after['release']}",
        "day": day,
        "title": f"{now} at {release}, {was} before: {claim} ({record.title})",
        "href": link["href"] or address.page(Kind.EVALUATION, id_),
        "says": because(after) or f"{was} at {before['release']}, {now} at {release}.",
    }


def _evaluations(gathered: Gathered) -> Iterator[Entry]:
    for each in newest_first(gathered.library.evaluations.values()):
        if each.date and each.date != UNKNOWN:
            counts = gathered.counted([each.id])
            shown = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
            yield {
                "kind": "evaluation",
                "id": f"evaluation/{each.id}",
                "day": str(each.date),
                "title": each.title,
                "href": address.page(Kind.EVALUATION, each.id),
                "says": f"Evaluation. Claims at the newest releases: {shown or 'none'}.",
            }


def _changes(gathered: Gathered) -> Iterator[Entry]:
    for change in gathered.library.changes.values():
        if day := change_day(change):
            row = change_row(change, gathered)
            may = f", may against {row['may']} more" if row["may"] else ""
            state = gathered.board[change.id].state
            yield {
                "kind": "change",
                "id": f"change/{change.id}",
                "day": day,
                "title": change.title,
                "href": address.page(Kind.CHANGE, change.id),
                "says": f"Change in {change.component}, {state}. Speaks against {row['claims']} claims{may}.",
            }


def _entry(each: Entry, gathered: Gathered) -> list[str]:
    return [
        "<entry>",
        f"<title>{_text(each['title'])}</title>",
        f"<id>{_id(gathered, each['id'])}</id>",
        f"<updated>{_instant(each['day'])}</updated>",
        f'<category term="{each["kind"]}"/>',
        f'<link rel="alternate" href={quoteattr(gathered.settings.url + each["href"])}/>',
        f"<summary>{_text(each['says'])}</summary>",
        "</entry>",
    ]


def _text(text: str) -> str:
    return escape(_NO_XML.sub("", plain(text)))


def _id(gathered: Gathered, name: str) -> str:
    return _text(f"{gathered.settings.url}{name}" if gathered.settings.url else f"urn:evalkb:{name or 'feed'}")


def _instant(day: str) -> str:
    """A day, month or year as the moment it begins."""
    parts = (day or "1970").split("-")
    return f"{'-'.join([*parts, '01', '01'][:3])}T00:00:00Z"
