"""Facts that the source does not state.

## What it flags
The facts a reviewer will ask for that the record marks as `unknown` or lists under `not_stated`: counted, the first
named (`kb show` names all), never held against the record.

## Why it matters
An honest `unknown` tells a reviewer what was looked for; the count tells how much of the setup is in the dark.

## Example
    setup: {engine: {component: vllm, version: unknown}}

## What to do
Nothing; or ask the authors.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.completeness import State, missing_facts
from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.mentions import named
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB142"
NAME = "fact-not-stated"
SEVERITY = Severity.INFO


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """One sentence with all of them."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    found = [fact for fact in missing_facts(record) if fact.state is State.NOT_STATED]
    if found:
        names = named(fact.key + _of(fact.arms) for fact in found)
        facts = "fact" if len(found) == 1 else "facts"
        hint = f"`kb show {record.id}` names them all" if " more" in names else None
        message = f"the source does not state {len(found)} {facts} a reviewer will ask for: {names}"
        yield Problem(("not_stated",), message, hint)


def _of(arms: tuple[str, ...]) -> str:
    """The arm that lacks a fact, or how many do."""
    return f" ({arms[0]})" if len(arms) == 1 else f" ({len(arms)} arms)" if arms else ""
