"""What was read of a deployment that was written, what was not, and what is left unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.present.arranged import notes
from kb.present.text import Page, table, wrap

if TYPE_CHECKING:
    from kb.arranging.deploying import Deployed
    from kb.setups import Fact


def deployed(made: Deployed, page: Page) -> list[str]:
    """Facts with their place, then what a person has to look at."""
    reading = made.reading
    rows = [[each.key, each.value, each.place] for each in reading.read]
    unknown = ", ".join(each.key for each in made.unknown)
    defaulted = ", ".join(each.key for each in made.defaulted)
    return [
        f"Read ({len(rows)}):",
        *table(rows, page.width),
        *notes("Read, and not written:", [_stranger(each) for each in made.strangers], page),
        *notes("Not read:", [str(each) for each in reading.not_read], page),
        *notes(
            "Likely, and stated nowhere (comments of the record):", [str(each) for each in reading.suggestions], page
        ),
        *(["Unknown, because nothing states it:", *wrap(unknown, page.width, "  ")] if unknown else []),
        *(["Set by nothing, so the defaults are taken:", *wrap(defaulted, page.width, "  ")] if defaulted else []),
    ]


def _stranger(fact: Fact) -> str:
    how = f"`kb new component {fact.value}` begins one; `kb init` mounts the base that comes with kb"
    return f"{fact.key} {fact.value}: this base has no record of it ({how})"
