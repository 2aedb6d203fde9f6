"""A load point outside the sweep that the setup states.

## What it flags
A point whose `where` names a length, rate, concurrency or number of prompts below or above everything that the
workload of its arm states.

## Why it matters
One of the two was mistyped, or the point is of another run; conditions and verdicts are taken from the sweep.

## Example
    setup: {workload: {request_rate: 1..8}}
    points:
      - {metric: ttft, arm: push, where: {request_rate: 80}, value: 540, unit: ms}

## What to do
Look both up in the source; widen the workload where the point is right.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.setup import Spread, Workload
from kb.vocabulary import Severity

CODE = "KB193"
NAME = "outside-the-sweep"
SEVERITY = Severity.WARNING

_KEYS = ("input_tokens", "output_tokens", "request_rate", "concurrency", "num_prompts")


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Load points that the workload does not reach."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    common = record.setup.workload if record.setup else None
    loads = {arm.id: record.arm_setup(arm).workload for arm in record.arms}
    for n, point in enumerate(record.points):
        load = loads.get(point.arm or "", common)
        for key, message in _outside(point, load) if load else ():
            yield Problem(("points", n, "where", key), message, "look both up: the load point, or the workload's range")


def _outside(point: Point, load: Workload) -> Iterator[tuple[str, str]]:
    for key in _KEYS:
        here, swept = getattr(point.where, key, None), getattr(load, key)
        if isinstance(here, Spread) and isinstance(swept, Spread) and _leaves(here, swept):
            yield key, f"{key} {here} is outside the workload's {swept}"


def _leaves(here: Spread, swept: Spread) -> bool:
    """Whether the ends of both are stated and the one reaches beyond the other."""
    if here.low is None or here.high is None or swept.low is None or swept.high is None:
        return False
    return here.low < swept.low or here.high > swept.high
