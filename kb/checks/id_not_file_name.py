"""An id that is not the file's name.

## What it flags
A record whose `id` differs from its file name, and a translation whose `translates` and `language` do.

## Why it matters
People and links go by the file's name, relations go by the id; when they differ, one of them leads nowhere.

## Example
    id: push-vs-pull-on-efa  # in a file of another name

## What to do
Rename the file or the id. After a rename keep the old id under `aliases`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from kb.evaluation import Translation
from kb.finding import Problem
from kb.library import Library
from kb.model import RecordModel
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB108"
NAME = "id-not-file-name"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """The name that the file ought to have."""
    record, file = loaded.record, PurePosixPath(loaded.path)
    if isinstance(record, RecordModel):
        if record.id != file.stem:
            twice = file.stem == f"{record.id}{file.suffix}"
            hint = f"rename the file to {record.id}{file.suffix}" if twice else "rename one of the two"
            yield Problem(("id",), f'id "{record.id}" is not the file name "{file.stem}"', hint)
    elif isinstance(record, Translation):
        expected = f"{record.translates}.{record.language}.md"
        if file.name != expected:
            yield Problem(
                ("translates",), f'a translation of "{record.translates}" lies in {expected}', "rename the file"
            )
