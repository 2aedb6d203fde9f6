"""Editing a record's front matter: an edit changes only its own lines, comments and order stay.

ruamel.yaml round-trips values, comments and quotes, but lays some lines out anew (long flow lists, folded text). So an
edit is made on its round trip, compared there with the unedited round trip, and only the lines that differ are carried
into the text as people wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.resolver import VersionedResolver

from kb.errors import WriteRefused
from kb.files import alone, write_text
from kb.frontmatter import cut, load

Edit = Callable[[Any], None]
"""Changes a record's table of fields (a ruamel CommentedMap) in place. Scalars are text; new ones had better be."""


def rewrite(path: Path, edit: Edit) -> bool:
    """Edit a record file in place; whether anything changed. Raises FormError or WriteRefused; then nothing changed."""
    with alone(path.parent):
        before = path.read_bytes().decode("utf-8")
        after = edited(before, edit, markdown=path.suffix == ".md")
        if after != before:
            write_text(path, after)
    return after != before


def edited(text: str, edit: Edit, markdown: bool = True) -> str:
    """The text of a record after an edit; byte-identical where the edit changes nothing."""
    newline = "\r\n" if "\r\n" in text else "\n"
    plain = text.replace("\r\n", "\n")
    start, front = _front(plain) if markdown else (0, plain)
    changed = _edited_front(front, edit)
    if changed == front:
        return text
    result = plain[:start] + changed + plain[start + len(front) :]
    return result.replace("\n", newline)


def _front(text: str) -> tuple[int, str]:
    """Where the front matter begins, and the front matter."""
    front = cut(text).front
    return text.index("---\n") + 4, front


def _edited_front(front: str, edit: Edit) -> str:
    yaml = _yaml()
    table = yaml.load(front)
    unedited = _dumped(yaml, table)
    edit(table)
    wanted = _dumped(yaml, table)
    if wanted == unedited:
        return front
    result = _carried(front, unedited, wanted)
    return result if load(result) == load(wanted) else _refuse()


def _refuse() -> str:
    raise WriteRefused("the edit cannot be made without laying the record out anew", "edit the file by hand")


class _Text(VersionedResolver):
    """No implicit types: `0.10`, `no` and a commit like 12e4567 stay the text they are."""

    @property
    def versioned_resolver(self) -> dict[str, Any]:
        return {}


def _yaml() -> YAML:
    yaml = YAML()
    yaml.Resolver = _Text
    yaml.preserve_quotes = True
    yaml.width = 1 << 20
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _dumped(yaml: YAML, table: Any) -> str:
    out = StringIO()
    yaml.dump(table, out)
    return out.getvalue()


def _carried(original: str, unedited: str, wanted: str) -> str:
    """`original` with the differences between the two round trips carried into it."""
    ours, before, after = (text.splitlines(keepends=True) for text in (original, unedited, wanted))
    result: list[str] = []
    end = 0
    for start, stop, new in _hunks(before, after, _blocks(ours, before)):
        result += ours[end : start[0]] + new
        end = stop[0]
    return "".join(result + ours[end:])


Place = tuple[int, int]
"""A line number in the original and the line number in its round trip that stands for the same place."""


_KEY = re.compile(r"([\w.-]+):")


def _blocks(ours: list[str], before: list[str]) -> list[Place]:
    """Places at which original and round trip are in step: equal lines, and where a field of the record begins."""
    places = [(0, 0), *_fields(ours, before)]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, ours, before, autojunk=False).get_opcodes():
        if tag == "equal":
            places += [(i1 + step, j1 + step) for step in range(i2 - i1)]
        places.append((i2, j2))
    return places


def _fields(ours: list[str], before: list[str]) -> list[Place]:
    mine, other = (
        [(match[1], i) for i, line in enumerate(text) if (match := _KEY.match(line))] for text in (ours, before)
    )
    if [name for name, _ in mine] != [name for name, _ in other]:
        return []
    return [(i, j) for (_, i), (_, j) in zip(mine, other, strict=True)]


def _hunks(before: list[str], after: list[str], places: list[Place]) -> Iterator[tuple[Place, Place, list[str]]]:
    """Edited stretches, widened to places where the original is in step with its round trip."""
    merged: list[tuple[Place, Place, int, int]] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        start = max((place for place in places if place[1] <= i1), key=lambda place: place[1])
        stop = min((place for place in places if place[1] >= i2), key=lambda place: place[1])
        first, last = j1 - (i1 - start[1]), j2 + (stop[1] - i2)
        if merged and start[1] < merged[-1][1][1]:
            start, first = merged[-1][0], merged[-1][2]
            merged.pop()
        merged.append((start, stop, first, last))
    yield from ((start, stop, after[first:last]) for start, stop, first, last in merged)
