"""A placeholder of the template that was left.

## What it flags
A text that still begins with `TODO`, as the templates of `kb new` write it, or with `TBD` or `FIXME`; a value with
`# TODO` behind it; a body that is still the template's.

## Why it matters
The sentence a reader looks for first is not there yet, or a value stands that nobody has chosen; search would find
either as a fact.

## Example
    title: TODO one line that tells this evaluation from its neighbours

## What to do
Write the sentence; choose the value, then take the mark away. A fact that the source does not state is `unknown`, never
a placeholder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kb.finding import Loc, Problem
from kb.library import Library
from kb.reading import Loaded
from kb.template import BODIES
from kb.vocabulary import Severity

CODE = "KB191"
NAME = "placeholder-left"
SEVERITY = Severity.WARNING

_MARK = re.compile(r"(TODO|TBD|FIXME)(?::|\.{0,3})(?:\s|$)")
_ANYWHERE = re.compile(r"\b(?:TODO|TBD|FIXME)\b")


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Placeholders, each at its place."""
    if _ANYWHERE.search(loaded.front):
        for loc, text in _texts(loaded.record.stored(), ()):
            if found := _MARK.match(text):
                yield Problem(loc, f"{_field(loc)} still says {found[1]}", "write the sentence")
        yield from _choices(loaded)
    if loaded.body.strip() and loaded.body in BODIES.values():
        yield Problem(("body", 0), "the text below the fields is still the template's", "write it, or remove it")


def _field(loc: Loc) -> str:
    """`says`, or `limits[1]` for an item of a list."""
    *_, above, last = ("", *loc)
    return f"{above}[{last}]" if isinstance(last, int) else str(last)


def _choices(loaded: Loaded) -> Iterator[Problem]:
    """Values of the template that somebody has to choose: `# TODO` stands behind them."""
    lines = enumerate(loaded.front.split("\n"), loaded.front_line)
    marked = {(number, found[1]) for number, line in lines if (found := _CHOICE.match(line))}
    for loc, text in _texts(loaded.record.stored(), ()) if marked else ():
        if any((loaded.line(loc), part) in marked for part in loc):  # an example may be a table on one line
            yield Problem(loc, f'nobody has chosen {loc[-1]} "{text}" yet', "choose it, then take # TODO away")


_CHOICE = re.compile(r"[ -]*([\w-]+): .*\s#\s*TODO\b")


def _texts(value: Any, loc: Loc) -> Iterator[tuple[Loc, str]]:
    if isinstance(value, str):
        yield loc, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _texts(each, (*loc, key))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from _texts(each, (*loc, place))
