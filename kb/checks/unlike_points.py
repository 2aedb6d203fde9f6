"""A comparison of unlike points.

## What it flags
A ratio or difference whose two points were taken at different load points, with different statistics, or by different
definitions (those of two tools that the vocabulary says are computed alike are one).

## Why it matters
A p99 over a mean, or 8 req/s over 2, is no effect of the arm.

## Example
    points:
      - {id: push-ttft, metric: ttft, stat: p99, arm: push, value: 540, unit: ms}
      - {id: pull-ttft, metric: ttft, stat: mean, arm: pull, value: 1744, unit: ms}
    claims:
      - id: heavy
        kind: measured
        says: Push needed less time.
        effect: {form: ratio, metric: ttft, arm: push, against: pull, points: [push-ttft, pull-ttft]}

## What to do
Take points at one load point and of one statistic. Where the difference is the question itself (rate per replica, say),
allow this check and say so.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.evidence import Point, Where
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.setup import Spread
from kb.vocabulary import EffectForm, Severity

CODE = "KB124"
NAME = "unlike-points"
SEVERITY = Severity.WARNING

_LOAD = ("input_tokens", "output_tokens", "request_rate", "concurrency", "num_prompts", "dataset", "model")


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """What two compared points differ in besides their arm."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    table = record.point_table()
    for n, claim in enumerate(record.claims):
        effect = claim.effect
        if effect and effect.form in {EffectForm.RATIO, EffectForm.DIFFERENCE} and len(effect.points) == 2:
            pair = [table[name] for name in effect.points if name in table]
            for difference in _differences(library, *pair) if len(pair) == 2 else ():
                yield Problem(
                    ("claims", n, "effect", "points"), f'claim "{claim.id}": its points differ in {difference}'
                )


def _differences(library: Library, a: Point, b: Point) -> Iterator[str]:
    if a.stat is not b.stat:
        yield f"statistic ({a.stat}, {b.stat})"
    if a.definition and b.definition and library.measure(a.definition) != library.measure(b.definition):
        yield f"definition ({a.definition}, {b.definition})"
    for key in _LOAD:
        left, right = getattr(a.where or Where(), key), getattr(b.where or Where(), key)
        if left is not None and right is not None and _plain(left) != _plain(right):
            yield f"{key} ({left}, {right})"


def _plain(value: Spread | str) -> str:
    return str(value).casefold()
