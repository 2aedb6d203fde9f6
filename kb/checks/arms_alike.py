"""Two arms whose setups do not differ.

## What it flags
Two arms with the same setup, which then compare nothing that is written down.

## Why it matters
What the arms differ in is what the result is about; an audit follows exactly that.

## Example
    setup: {model: Qwen3-32B}
    arms:
      - {id: before}
      - {id: after}

## What to do
Write into each arm's `setup` what differs: mode, version, commit, option.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB149"
NAME = "arms-alike"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Arms that repeat an earlier one's setup."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    seen: dict[str, str] = {}
    for n, arm in enumerate(record.arms):
        own = arm.setup.model_dump_json(exclude_unset=True, exclude_none=True) if arm.setup else "{}"
        first = seen.setdefault(own, arm.id)
        if first != arm.id:
            yield Problem(("arms", n), f'arms "{first}" and "{arm.id}" have the same setup', "state what differs")
