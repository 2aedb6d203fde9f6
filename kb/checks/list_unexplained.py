"""A closed list that the vocabulary does not explain.

## What it flags
In a vocabulary that explains closed lists: a member of a list without a meaning, a meaning for no member, a list that
does not exist.

## Why it matters
Authors choose between `recheck` and `narrowed` by these sentences.

## Example
    # entries/vocabulary.yaml
    lists:
      claim-kind: [{id: measured, means: shown by numbers}]

## What to do
Explain every member; the lists themselves are in `kb/vocabulary.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache

from kb import vocabulary
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.terms import ListEntry, Vocabulary
from kb.vocabulary import Severity

CODE = "KB180"
NAME = "list-unexplained"
SEVERITY = Severity.ERROR


@lru_cache(maxsize=1)
def lists() -> dict[str, tuple[str, ...]]:
    """The closed lists that records use, by name (`claim-kind`), with their members."""
    enums = [each for each in vars(vocabulary).values() if isinstance(each, type) and issubclass(each, StrEnum)]
    return {_name(each): tuple(member.value for member in each) for each in enums if each is not StrEnum}


def _name(enum: type) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", enum.__name__).lower()


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Lists without, or with other, explanations."""
    record = loaded.record
    if not isinstance(record, Vocabulary) or not record.lists:
        return
    stated = {name.replace("_", "-").lower(): (name, entries) for name, entries in record.lists.items()}
    for key, (name, entries) in stated.items():
        if key not in lists():
            yield Problem(("lists", name), f'there is no closed list "{name}"', did_you_mean(key, lists()))
        else:
            yield from _members(name, entries, lists()[key])
    if missing := sorted(set(lists()) - set(stated)):
        yield Problem(("lists",), f"lists without explanation: {', '.join(missing)}", "explain each member")


def _members(name: str, entries: tuple[ListEntry, ...], members: tuple[str, ...]) -> Iterator[Problem]:
    explained = [entry.id for entry in entries]
    if missing := [member for member in members if member not in explained]:
        yield Problem(("lists", name), f"{name} does not explain {', '.join(missing)}", "add their meanings")
    for n, entry in enumerate(entries):
        if entry.id not in members:
            yield Problem(("lists", name, n), f'{name} has no member "{entry.id}"', did_you_mean(entry.id, members))
