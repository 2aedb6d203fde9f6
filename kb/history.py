"""What people said of an evaluation, in its file: only ever appended, comments and order stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from kb.config import Config
from kb.errors import WriteRefused
from kb.evaluation import Evaluation
from kb.files import alone, write_text
from kb.frontmatter import FormError, cut, load
from kb.library import Library
from kb.record import from_here
from kb.rewrite import Edit, edited


def path_of(evaluation: Evaluation, library: Library) -> str:
    """Shown path of an evaluation that may be written to. Raises WriteRefused for a mounted one."""
    shown = library.place(evaluation).path
    if shown not in library.own:
        base, _, place = shown.rpartition(":")
        raise WriteRefused(
            f"{evaluation.id} is in the mounted base {base}, which is read-only",
            f"copy it to {place} of your own base: an own record goes before a mounted one",
        )
    return shown


def append(config: Config, library: Library, evaluation: Evaluation, field: str, record: Mapping[str, Any]) -> str:
    """Append a record to a list of an evaluation's file; the path as one sees it from here. Raises WriteRefused."""
    path = config.base.root / path_of(evaluation, library)

    def edit(table: Any) -> None:
        if not isinstance(table.get(field), list):
            table[field] = []
        table[field].append(_plain(record, flow=False))

    with alone(path.parent):
        text = _edited(path.read_bytes().decode("utf-8"), edit)
        if text is None or load(cut(text).front)[field][-1] != record:
            said = f"{field}: what was said cannot be written so that it is read back"
            raise WriteRefused(said, "use plain characters")
        write_text(path, text)
    return from_here(path)


def _edited(text: str, edit: Edit) -> str | None:
    """The text after an edit; None where nobody could read it."""
    try:
        return edited(text, edit)
    except FormError:
        return None


def _plain(value: Any, flow: bool = True) -> Any:
    """A value as the file takes it: lists and tables in it on one line, and the words that YAML takes for nothing
    quoted."""
    if isinstance(value, Mapping):
        table = CommentedMap((key, _plain(each)) for key, each in value.items())
        table.fa.set_flow_style() if flow else table.fa.set_block_style()
        return table
    if isinstance(value, list | tuple):
        listed = CommentedSeq(map(_plain, value))
        listed.fa.set_flow_style()
        return listed
    return DoubleQuotedScalarString(value) if str(value).casefold() in {"null", "~"} else value
