"""A condition on a key that no setup has.

## What it flags
Keys of conditions, guards and refusals, of a component's `defaults`, and of `not_stated`, that are no setup key and
do not begin with `options.`, `env.`, `versions.` or `caller.`.

## Why it matters
No deployment ever has a value there, so the condition is unknown for ever.

## Example
    claims:
      - id: heavy
        kind: hypothesis
        says: It holds without reuse.
        conditions: [{key: decode.prefix_cache, op: is, value: off, why: a hit removes the transfer}]

## What to do
Take the key that the hint names. An engine option without a key of its own is `options.NAME`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from kb.completeness import POINT_FACTS
from kb.component import Component
from kb.evaluation import Evaluation
from kb.finding import Loc, Problem
from kb.library import Library
from kb.mentions import conditions, once
from kb.model import Model
from kb.otherwords import keys_for
from kb.reading import Loaded
from kb.setup import is_key, keys
from kb.suggest import did_you_mean
from kb.vocabulary import Severity

CODE = "KB143"
NAME = "unknown-setup-key"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Keys that nothing can have."""
    lost = ((loc, key) for loc, key in _keys(loaded.record) if not is_key(key))
    yield from once(Problem(loc, f'"{key}" is no setup key', _hint(key)) for loc, key in lost)


def _keys(record: Model) -> Iterator[tuple[Loc, str]]:
    for loc, condition in conditions(record):
        yield (*loc, "key"), condition.key
        if condition.other:
            yield (*loc, "other"), condition.other
    if isinstance(record, Evaluation):
        stated = (pair for pair in enumerate(record.not_stated) if pair[1] not in POINT_FACTS)
        yield from ((("not_stated", n), key) for n, key in stated if not _is_part(key))
    elif isinstance(record, Component):
        yield from (
            (("facts", n, "defaults", key), key) for n, fact in enumerate(record.facts) for key in fact.defaults
        )


@lru_cache(maxsize=1)
def _parts() -> frozenset[str]:
    """Tables above the keys (`slo`, `prefill.connector`): `not_stated` may name one as a whole."""
    return frozenset(key[:at] for key in keys() for at, sign in enumerate(key) if sign == ".") | {"options", "env"}


def _is_part(key: str) -> bool:
    return key in _parts()


@lru_cache(maxsize=256)
def _hint(key: str) -> str:
    last = key.rpartition(".")[2]
    last = next((each for each in keys_for(last) if any(known.rpartition(".")[2] == each for known in keys())), last)
    same_end = sorted(known for known in keys() if known.rpartition(".")[2] == last)
    if same_end:
        return f"did you mean {' or '.join(same_end[:3])}?"
    return did_you_mean(key, keys()) or f"an option of the engine or connector is options.{last}"
