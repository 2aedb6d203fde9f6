"""A field of records on a terminal: where it stands and what goes there."""

from __future__ import annotations

from collections.abc import Sequence

from kb.present.text import Page, heading, wrap
from kb.schema import FieldPlace


def field(word: str, places: Sequence[FieldPlace], page: Page) -> list[str]:
    """Each place with its help text, and where the rest of the reference is."""
    lines = [page.style.bold(word), "field of records"]
    for each in places:
        where = each.record if each.part == each.record else f"{each.record}, {each.part}"
        lines += heading(f"{each.field} ({where})", page)
        lines += wrap(each.says, page.width, "  ")
    files = ", ".join(f"schemas/{kind}.schema.json" for kind in dict.fromkeys(each.record for each in places))
    return [
        *lines,
        "",
        *wrap(f"`kb schema` writes every field to {files}; the site has them under Fields.", page.width),
    ]
