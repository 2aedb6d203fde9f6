"""Releases that cannot have followed each other.

## What it flags
A release listed twice, and a patch release dated before the one it patches (0.18.1 before 0.18.0). A patch of an
older line may well be younger than a newer line.

## Why it matters
A source that gives a date instead of a version is placed by these days.

## Example
    # entries/components/it.yaml
    kind: engine
    releases:
      - {version: 0.18.0, date: 2026-03-20}
      - {version: 0.18.1, date: 2026-03-02}

## What to do
Look the days up on the package index.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from packaging.version import Version

from kb.component import Component, Release
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.versions import parse
from kb.vocabulary import UNKNOWN, Severity

CODE = "KB170"
NAME = "releases-out-of-order"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Doubles, and days that go back within one line of releases."""
    record = loaded.record
    if not isinstance(record, Component):
        return
    seen: set[Version] = set()
    for n, each in enumerate(record.releases):
        if (version := parse(each.version)) is not None:
            if version in seen:
                yield Problem(("releases", n, "version"), f"{each.version} is listed twice", "keep one of the two")
            seen.add(version)
    yield from _backwards(record.releases)


def _backwards(releases: tuple[Release, ...]) -> Iterator[Problem]:
    """Finals only: candidates and post-releases of neighbouring versions overlap in time."""
    dated = []
    for n, each in enumerate(releases):
        version = parse(each.version)
        if version and not (version.is_prerelease or version.is_postrelease) and each.date not in {None, UNKNOWN}:
            dated.append((version, n, each))
    for (low, _, before), (high, n, after) in pairwise(sorted(dated, key=lambda one: one[0])):
        common = min(len(str(before.date)), len(str(after.date)))
        if low.release[:2] == high.release[:2] and str(after.date)[:common] < str(before.date)[:common]:
            message = f"{after.version} of {after.date} is before {before.version} of {before.date}"
            yield Problem(("releases", n, "date"), message, "look the days up on the package index")
