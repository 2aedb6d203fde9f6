"""Days that cannot follow each other.

## What it flags
A change merged before it was opened or taken back before it was merged; a signal whose horizon lies before the
evaluation; a coverage statement that ends before it begins. Days known only by month or year are compared as far as
they go.

## Why it matters
Order in time is what an audit is about.

## Example
    date: 2026-10-19
    signals: [{id: replication, what: a replication, until: 2026-01-19}]

## What to do
Look the days up.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.change import Change
from kb.component import Component
from kb.evaluation import Evaluation
from kb.finding import Loc, Problem
from kb.library import Library
from kb.reading import Loaded
from kb.versions import parse
from kb.vocabulary import UNKNOWN, Severity

CODE = "KB158"
NAME = "dates-out-of-order"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Later days that are earlier."""
    record = loaded.record
    if isinstance(record, Change) and record.dates:
        days = record.dates
        for first, then in (("opened", "merged"), ("merged", "reverted"), ("opened", "closed")):
            yield from _judge(("dates", then), first, getattr(days, first), then, getattr(days, then))
    elif isinstance(record, Evaluation):
        for n, signal in enumerate(record.signals):
            yield from _judge(("signals", n, "until"), "date", record.date, "until", signal.until)
    elif isinstance(record, Component):
        for n, each in enumerate(record.coverage):
            since, until = parse(each.since), parse(each.until)
            if since and until and since >= until:
                yield Problem(("coverage", n, "until"), f"covers from {each.since} to {each.until}, which is not later")


def _judge(loc: Loc, first: str, day: str | None, then: str, later: str | None) -> Iterator[Problem]:
    if day in {None, UNKNOWN} or later in {None, UNKNOWN}:
        return
    common = min(len(str(day)), len(str(later)))
    if str(later)[:common] < str(day)[:common]:
        yield Problem(loc, f"{then} {later} is before {first} {day}", "look the days up")
