"""A placeholder of the template that was left.

## What it flags
A text that still begins with `TODO`, as the templates of `kb new` write it.

## Why it matters
The sentence a reader looks for first is not there yet, and search would find the placeholder.

## Example
    title: TODO one line that tells this evaluation from its neighbours

## What to do
Write the sentence. A fact that the source does not state is `unknown`, never a placeholder.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.finding import Loc, Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB191"
NAME = "placeholder-left"
SEVERITY = Severity.WARNING

MARK = "TODO"


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Placeholders, each at its place."""
    if MARK not in loaded.front:
        return
    for loc, text in _texts(loaded.record.stored(), ()):
        if text.split(maxsplit=1)[:1] == [MARK]:
            yield Problem(loc, f"{loc[-1]} still says {MARK}", "write the sentence")


def _texts(value: Any, loc: Loc) -> Iterator[tuple[Loc, str]]:
    if isinstance(value, str):
        yield loc, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _texts(each, (*loc, key))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from _texts(each, (*loc, place))
