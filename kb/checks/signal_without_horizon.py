"""A signal without a horizon.

## What it flags
A signal that does not say until when one should know.

## Why it matters
Without a day it is never overdue, and a conclusion waits for it for ever.

## Example
    signals:
      - {id: replication, what: an independent replication on application-like load}

## What to do
Add `until`: the day after which somebody has to look.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import UNKNOWN, Severity

CODE = "KB156"
NAME = "signal-without-horizon"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Signals that wait for ever."""
    record = loaded.record
    if isinstance(record, Evaluation):
        for n, signal in enumerate(record.signals):
            if signal.until in {None, UNKNOWN}:
                hint = "add `until`: the day after which somebody has to look"
                yield Problem(("signals", n), f'signal "{signal.id}" has no horizon', hint)
