"""Points whose statistic or load point the source does not state.

## What it flags
How many points have `stat: unknown` (or none, with `not_stated: [points.stat]`), and for how many the load point is
only the source's words. Named and counted, never held against the record.

## Why it matters
A reviewer wants to know at a glance how exact the evidence is, and what to ask the authors for.

## Example
    points:
      - {id: push-ttft, metric: ttft, stat: unknown, arm: push, where: {words: the demanding end}, value: 540, unit: ms}

## What to do
Nothing; or ask the authors.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.checks.ratio_without_statistic import is_distribution
from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.finding import Problem
from kb.library import Library
from kb.mentions import named
from kb.reading import Loaded
from kb.vocabulary import Severity, Statistic

CODE = "KB130"
NAME = "unstated-in-points"
SEVERITY = Severity.INFO


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Two counts, each with its points."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    all_points = record.points
    silent = "points.stat" in record.not_stated
    no_stat = [p for p in all_points if _no_stat(p, silent) and is_distribution(p, library)]
    words = [p for p in all_points if p.where and p.where.words and not p.where.is_load_point]
    for what, found in (("statistic unknown", no_stat), ("load point only in the source's words", words)):
        if found:
            yield Problem(("points",), f"{what} for {len(found)} of {len(all_points)} points: {_listed(found)}")


def _no_stat(point: Point, silent: bool) -> bool:
    return point.stat is Statistic.UNKNOWN and (silent or "stat" in point.model_fields_set)


def _listed(points: list[Point]) -> str:
    """The first ids, then a count."""
    return named(point.id or point.metric for point in points)
