"""Latencies of one arm that do not go together.

## What it flags
At one arm, load point and statistic: a first token (TTFT) that took less than a fifth of each later one (TPOT, ITL),
and a whole request (E2EL) that took less than its first token.

## Why it matters
One of the two is in another unit than it says, usually seconds beside milliseconds, or of another load point.

## Example
    points:
      - {metric: ttft, stat: mean, arm: push, value: 1.2, unit: ms}
      - {metric: tpot, stat: mean, arm: push, value: 10.4, unit: ms}

## What to do
Look both up in the source. Where they are right (prompts answered from cache under heavy decoding), allow this check.
Standard deviations are not compared: how two latencies scatter says nothing of their units.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.evidence import Point
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.units import convert
from kb.vocabulary import Severity, Statistic

CODE = "KB139"
NAME = "latencies-disagree"
SEVERITY = Severity.WARNING

LEAST = {("ttft", "tpot"): 0.2, ("ttft", "itl"): 0.2, ("e2el", "ttft"): 1.0}
"""(longer, shorter) -> the least that the longer one is believed to be, as a multiple of the shorter one."""


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Pairs that cannot be of one run."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    runs: dict[tuple[str, ...], dict[str, tuple[int, float]]] = {}
    for n, point in enumerate(record.points):
        if point.reported is None and point.value is not None and point.stat is not Statistic.STD:
            value = convert(point.value, point.unit, "ms")
            if value is not None:
                runs.setdefault(_run(point), {}).setdefault(point.metric, (n, value))
    for run in runs.values():
        yield from _judge(run)


def _run(point: Point) -> tuple[str, ...]:
    where = point.where.model_dump_json() if point.where else ""
    return (point.arm or "", point.stat, where)


def _judge(run: dict[str, tuple[int, float]]) -> Iterator[Problem]:
    for (longer, shorter), least in LEAST.items():
        if longer in run and shorter in run:
            (n, long), (_, short) = run[longer], run[shorter]
            if long < least * short:
                message = f"{longer} of {long:g} ms beside a {shorter} of {short:g} ms"
                yield Problem(
                    ("points", n, "value"), message, "one of the two is in another unit, or of another load point"
                )
