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
from ruamel.yaml.error import YAMLError
from ruamel.yaml.resolver import VersionedResolver

from kb.errors import WriteRefused
from kb.files import alone, write_text
from kb.frontmatter import FormError, comments, cut, load

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
    """The text of a record after an edit; byte-identical where the edit changes nothing.

    Raises FormError, and WriteRefused where values or comments that the edit does not touch would go.
    """
    plain = text.replace("\r\n", "\n")
    start, front = _front(plain) if markdown else (0, plain)
    changed = _edited_front(front, edit)
    if changed == front:
        return text
    result = plain[:start] + changed + plain[start + len(front) :]
    if "\r\n" not in text:
        return result
    if not front.endswith("\n"):  # of a table that ends without one
        return result.replace("\n", "\r\n")
    first, lines = plain.count("\n", 0, start), text.split("\n")
    stop = first + front.count("\n")
    lines[first:stop] = _with_ends(lines[first:stop], front, changed)
    return "\n".join(lines)


def _with_ends(old: list[str], front: str, changed: str) -> Iterator[str]:
    """Lines that stay end as they did, also where a file has both kinds of ends; new ones end as the first does."""
    before, after = front.split("\n")[:-1], changed.split("\n")[:-1]
    end = "\r" if old[0].endswith("\r") else ""
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield from old[i1:i2] if tag == "equal" else [line + end for line in after[j1:j2]]


def _front(text: str) -> tuple[int, str]:
    """Where the front matter begins, and the front matter."""
    front = cut(text).front
    return text.index("---\n") + 4, front


def _edited_front(front: str, edit: Edit) -> str:
    yaml = _yaml()
    try:
        table = yaml.load(front)
        same = _values(table) == _values(load(front))
        unedited = _dumped(yaml, table)
        edit(table)
        wanted = _dumped(yaml, table)
    except YAMLError as error:  # stricter than libyaml in places: a tab before a comment
        raise _refused(_told(error)) from None
    if wanted == unedited:
        return front
    why = ""
    for carried in (_carried, _by_field):
        result = carried(front, unedited, wanted)
        why = _lost(front, result, _values(table)) if same else "it would be read as something else"
        if not why:
            return result
    raise _refused(why)


def _lost(front: str, result: str, values: Any) -> str:
    """What an edit would take away that it should not; nothing where all is well."""
    try:
        if _values(load(result)) != values:
            return "other values would change"
    except FormError as error:
        return f"it could not be read back ({error.message})"
    lost = comments(front) - comments(result)
    return f'the comment "{next(iter(lost))}" would be lost' if lost else ""


def _told(error: YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f"line {mark.line + 1} of its fields, " if mark else ""
    return f"{where}{getattr(error, 'problem', None) or 'not readable as YAML'}"


def _refused(why: str) -> WriteRefused:
    return WriteRefused(f"the record cannot be edited by a program: {why}", "edit it by hand")


def _values(value: Any) -> Any:
    """What is compared: ruamel keeps the words for nothing, kb.frontmatter does not."""
    if isinstance(value, dict):
        return {str(key): _values(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_values(each) for each in value]
    return None if value in (None, "", "~", "null") else str(value)


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


def _by_field(original: str, unedited: str, wanted: str) -> str:
    """The same with each field that differs laid out anew: where hyphens stand elsewhere than ruamel puts them."""
    ours, before, after = (dict(_split(text)) for text in (original, unedited, wanted))
    same = {name for name, text in after.items() if before.get(name) == text and name in ours}
    return "".join(ours[name] if name in same else text for name, text in after.items())


def _split(text: str) -> Iterator[tuple[str, str]]:
    """Fields of the record with their lines; what stands above the first has no name."""
    name, part = "", ""
    for line in text.splitlines(keepends=True):
        if found := _KEY.match(line):
            yield name, part
            name, part = found[1], ""
        part += line
    yield name, part


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
