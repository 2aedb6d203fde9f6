"""A deployment in a terminal: its keys, and what is left open."""

from __future__ import annotations

from kb.deployment import Deployment
from kb.present.setup import grouped, words
from kb.present.text import Page, heading, named, table, wrap
from kb.vocabulary import UNKNOWN


def deployment(record: Deployment, page: Page) -> list[str]:
    """The whole page."""
    stated = words(record.setup)
    known = grouped({key: value for key, value in stated.items() if value != UNKNOWN})
    unknown = [key for key, value in stated.items() if value == UNKNOWN]
    return [
        *map(page.style.bold, wrap(record.title, page.width)),
        f"{record.id} · deployment",
        "",
        *named("What", record.summary or "", page.width),
        *named("Owner", record.owner or "", page.width),
        *heading("Setup", page),
        *table(list(known.items()), page.width),
        *([*heading("Unknown", page), *wrap(", ".join(unknown), page.width, "  ")] if unknown else []),
    ]
