"""What people said of an evaluation, in its file: only ever appended, comments and order stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruamel.yaml.comments import CommentedSeq

from kb.config import Config
from kb.errors import WriteRefused
from kb.evaluation import Evaluation
from kb.library import Library
from kb.record import from_here
from kb.rewrite import rewrite


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
        table[field].append({key: _plain(value) for key, value in record.items()})

    rewrite(path, edit)
    return from_here(path)


def _plain(value: Any) -> Any:
    """Lists and tables that are written on one line."""
    if isinstance(value, list | tuple):
        listed = CommentedSeq(value)
        listed.fa.set_flow_style()
        return listed
    return dict(value) if isinstance(value, Mapping) else value
