"""A fact that is stated and declared as not stated.

## What it flags
A key under `not_stated` that the setup, or every arm, gives a value for.

## Why it matters
One of the two is wrong, and the reader cannot tell which.

## Example
    setup: {model: Qwen3-32B}
    not_stated: [model]

## What to do
Remove the key from `not_stated`, or the value when it was inferred.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.setup import Setup, keys
from kb.vocabulary import UNKNOWN, Severity

CODE = "KB145"
NAME = "stated-and-not-stated"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Keys on both sides; an arm may know what the others do not."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    for n, key in enumerate(record.not_stated):
        if key in keys() and _stated(record, key):
            yield Problem(("not_stated", n), f'"{key}" is listed as not stated and is stated', "keep one of the two")


def _stated(record: Evaluation, key: str) -> bool:
    """In the common setup with no arm that says unknown, or in every arm; one arm may know what the others do not."""
    common, arms = _value(record.setup, key), [_value(arm.setup, key) for arm in record.arms]
    if common not in {None, UNKNOWN}:
        return UNKNOWN not in arms
    return bool(arms) and not {None, UNKNOWN} & set(arms)


def _value(setup: Setup | None, key: str) -> str | None:
    here: object = setup
    for part in key.split("."):
        here = getattr(here, part, None)
    return None if here is None else str(here)
