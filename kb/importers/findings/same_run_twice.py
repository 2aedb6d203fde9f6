"""The same run from two files.

## What it flags
Two runs whose latencies, rates and durations agree as far as both give them (three or more, to the digits of the
shorter): a sweep's summary beside its runs, a table beside the JSON it was made of, raw results beside an aggregate.

## Why it matters
Counted as two runs they look like a repeat that agrees perfectly, and n and the spread are wrong.

## Example
    run=0.json, run=1.json and summary.json of one folder

## What to do
Import one of them; `kb import` keeps the first when the runs go into an entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.run import Run
from kb.units import kind
from kb.vocabulary import Severity

CODE = "KB341"
NAME = "same-run-twice"
SEVERITY = Severity.WARNING

NEEDED = 3
"""Numbers that must agree."""
_TOLERANCE = 2e-4
_ROUNDED = 0.0051
"""Half a unit of the second digit after the point, to which consoles and tables round."""

Key = tuple[str, str]


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs that were seen before among these."""
    for n, before in twins(runs).items():
        first = runs[before]
        where = f"{first.file} (run {first.record})" if first.file == runs[n].file else first.file
        yield Said(n, f"the same run as {where}", "import one of them")


def twins(runs: Sequence[Run]) -> dict[int, int]:
    """Position of a run -> position of the earlier one that it repeats."""
    numbers = [_numbers(run) for run in runs]
    found: dict[int, int] = {}
    for first, second in _neighbours(numbers):
        early, late = sorted((first, second))
        if late not in found and _agree(numbers[early], numbers[late]):
            found[late] = found.get(early, early)
    return found


def _numbers(run: Run) -> dict[Key, float]:
    """What identifies a run: its times and rates, none of them zero. Counts are alike in any sweep."""
    return {
        (point.metric, point.stat.value): point.value
        for point in run.points
        if point.value and kind(point.unit) in {"time", "tokens per second", "requests per second"}
    }


def _neighbours(numbers: Sequence[dict[Key, float]]) -> Iterator[tuple[int, int]]:
    """Pairs that are next to each other in the order of one number: enough, as equal ones stand together."""
    for key in {key for each in numbers for key in each}:
        order = sorted((each[key], n) for n, each in enumerate(numbers) if key in each)
        for at, (value, n) in enumerate(order):
            for near, other in order[at + 1 : at + 4]:
                if _equal(value, near):
                    yield n, other


def _agree(a: dict[Key, float], b: dict[Key, float]) -> bool:
    common = a.keys() & b.keys()
    return len(common) >= NEEDED and all(_equal(a[key], b[key]) for key in common)


def _equal(a: float, b: float) -> bool:
    return abs(a - b) <= max(_ROUNDED, _TOLERANCE * abs(a))
