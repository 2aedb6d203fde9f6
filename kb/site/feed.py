"""The Atom feed: new evaluations, new changes and whom they touch. Its dates come from the records."""

from __future__ import annotations

import re
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from kb.site import address
from kb.site.body import plain
from kb.site.gather import Gathered, change_day, newest_first
from kb.site.page import File
from kb.site.pages.summaries import change_row
from kb.vocabulary import UNKNOWN, Kind

NEWEST = 40
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def feed(gathered: Gathered) -> File:
    """The file."""
    entries = sorted(_entries(gathered), key=lambda each: (each["day"], each["id"]), reverse=True)[:NEWEST]
    updated = _instant(max((each["day"] for each in entries), default=gathered.today or ""))
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{_text(gathered.settings.title)}</title>",
        f"<id>{_id(gathered, '')}</id>",
        f"<updated>{updated}</updated>",
        f'<link rel="alternate" href={quoteattr(gathered.settings.url or "index.html")}/>',
        "<author><name>kb site build</name></author>",
        *(line for each in entries for line in _entry(each, gathered)),
        "</feed>",
    ]
    return File("feed.xml", ("\n".join(lines) + "\n").encode("utf-8", "replace"))


def _entries(gathered: Gathered) -> Any:
    for each in newest_first(gathered.library.evaluations.values()):
        if each.date and each.date != UNKNOWN:
            counts = gathered.counts(gathered.own.get(each.id, ()))
            shown = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
            yield {
                "id": f"evaluation/{each.id}",
                "day": str(each.date),
                "title": each.title,
                "href": address.page(Kind.EVALUATION, each.id),
                "says": f"Evaluation. Claims at the newest releases: {shown or 'none'}.",
            }
    for change in gathered.library.changes.values():
        if day := change_day(change):
            claims = change_row(change, gathered)["claims"]
            state = gathered.board[change.id].state
            yield {
                "id": f"change/{change.id}",
                "day": day,
                "title": change.title,
                "href": address.page(Kind.CHANGE, change.id),
                "says": f"Change in {change.component}, {state}. Speaks against {claims} claims.",
            }


def _entry(each: dict[str, str], gathered: Gathered) -> list[str]:
    return [
        "<entry>",
        f"<title>{_text(each['title'])}</title>",
        f"<id>{_id(gathered, each['id'])}</id>",
        f"<updated>{_instant(each['day'])}</updated>",
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
