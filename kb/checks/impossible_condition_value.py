"""A condition on a value its key can never have.

## What it flags
A condition that compares a key with a word outside the key's closed list, with a text where the key is a number, or
with a topology that is none.

## Why it matters
`router.dispatch is parallel` is never met, so the claim applies to nobody, or never stops applying.

## Example
    claims:
      - id: heavy
        kind: hypothesis
        says: It holds when both legs are sent at once.
        conditions: [{key: router.dispatch, op: is, value: parallel, why: an early leg prepares the destination}]

## What to do
Take one of the values in the hint.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any, get_args

from pydantic import TypeAdapter, ValidationError

from kb.conditions import Condition
from kb.finding import Problem
from kb.library import Library
from kb.mentions import conditions
from kb.model import Model
from kb.reading import Loaded
from kb.setup import Setup, keys
from kb.suggest import did_you_mean
from kb.vocabulary import Operator, Severity

CODE = "KB144"
NAME = "impossible-condition-value"
SEVERITY = Severity.ERROR

_EQUALITY = frozenset({Operator.IS, Operator.IS_NOT, Operator.IN, Operator.NOT_IN})


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Values that the key's type refuses."""
    for loc, condition in conditions(loaded.record):
        if condition.op in _EQUALITY and condition.key in keys():
            for value in condition.value:
                if (expected := refused(condition.key, value)) is not None:
                    yield Problem(
                        (*loc, "value"), f'{condition.key} is never "{value}"', _hint(condition, value, expected)
                    )


def _hint(condition: Condition, value: str, expected: str) -> str:
    members = expected.split(", ")
    return did_you_mean(value, members) or f"{condition.key} takes {expected}"


@lru_cache(maxsize=1024)
def refused(key: str, value: str) -> str | None:
    """What the key takes instead, when it does not take `value`; None when it does."""
    adapter = _adapter(key)
    try:
        adapter.validate_python(value)
    except ValidationError as error:
        found = [each["ctx"]["expected"] for each in error.errors() if "expected" in each.get("ctx", {})]
        plain = [each.replace("'", "").replace(" or ", ", ") for each in found]
        return (
            plain[0] if len(plain) == len(error.errors()) else "a number" if not _is_text(adapter) else "another form"
        )
    return None


def _is_text(adapter: TypeAdapter[Any]) -> bool:
    return "number" not in str(adapter.json_schema()) and "integer" not in str(adapter.json_schema())


@lru_cache(maxsize=256)
def _adapter(key: str) -> TypeAdapter[Any]:
    *path, last = key.split(".")
    here: type[Model] = Setup
    for part in path:
        here = _inner(here, part)
    field = here.model_fields[last]
    kind: Any = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
    return TypeAdapter(kind)


def _inner(model: type[Model], part: str) -> type[Model]:
    for option in (model.model_fields[part].annotation, *get_args(model.model_fields[part].annotation)):
        if isinstance(option, type) and issubclass(option, Model):
            return option
    raise KeyError(part)
