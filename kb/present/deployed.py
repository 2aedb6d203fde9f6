"""What was read of a deployment that was written, what was not, and what is left unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.present.abroad import by_name
from kb.present.arranged import notes
from kb.present.text import Page, cut, table, wrap

if TYPE_CHECKING:
    from kb.arranging.deploying import Deployed
    from kb.setups import Fact

LEAST = 12
"""Columns of a value that say something; with fewer the facts stand one thing under the other, whole."""


def deployed(made: Deployed, page: Page) -> list[str]:
    """Facts with their place, then what a person has to look at."""
    reading = made.reading
    files = [name for name, _ in reading.files]
    places = [by_name(each.place, files) for each in reading.read]
    room = page.width - max((len(each.key) for each in reading.read), default=0) - max(map(len, places), default=0) - 6
    values = [cut(each.value, room) if room >= LEAST else each.value for each in reading.read]
    rows = [[each.key, value, place] for each, value, place in zip(reading.read, values, places, strict=True)]
    unknown = ", ".join(each.key for each in made.unknown)
    defaulted = ", ".join(each.key for each in made.defaulted)
    return [
        f"Read ({len(rows)}):",
        *table(rows, page.width),
        *notes("Read, and not written:", [_stranger(each) for each in made.strangers], page),
        *notes("Not read:", [by_name(str(each), files) for each in reading.not_read], page),
        *notes(
            "Likely, and stated nowhere (comments of the record):",
            [by_name(str(each), files) for each in reading.suggestions],
            page,
        ),
        *(["Unknown, because nothing states it:", *wrap(unknown, page.width, "  ")] if unknown else []),
        *(["Set by nothing, so the defaults are taken:", *wrap(defaulted, page.width, "  ")] if defaulted else []),
    ]


def _stranger(fact: Fact) -> str:
    how = f"`kb new component {fact.value}` begins one; `kb init` mounts the base that comes with kb"
    return f"{fact.key} {fact.value}: this base has no record of it ({how})"
