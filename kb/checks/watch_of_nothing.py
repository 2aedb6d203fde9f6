"""A signal whose watch can never fire.

## What it flags
A `watches` without a change and without a question, `reaches` without a change, and a change without `reaches`.

## Why it matters
The signal's state is computed from this; half a watch stays "waiting" whatever happens.

## Example
    signals:
      - {id: replication, what: a replication, until: 2027-01-19, watches: {relation: replicates}}

## What to do
Name the change and how far it must get, or the question that a further evaluation must be about; or leave `watches`
out.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation, Watch
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB157"
NAME = "watch-of-nothing"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Watches with a half missing."""
    record = loaded.record
    if isinstance(record, Evaluation):
        for n, signal in enumerate(record.signals):
            message = _judge(signal.watches) if signal.watches else None
            if message:
                yield Problem(("signals", n, "watches"), f'signal "{signal.id}" {message}')


def _judge(watch: Watch) -> str | None:
    if watch.change is None and watch.question is None:
        return "watches neither a change nor a question"
    if (watch.change is None) != (watch.reaches is None):
        return "names a change without how far it must get, or the other way round"
    return None
