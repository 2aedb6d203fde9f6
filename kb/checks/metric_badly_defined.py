"""A metric whose definition contradicts itself.

## What it flags
A unit spelled unlike the one that values are converted by (`tok/S`, `msec`), and a plausible range whose ends are
swapped.

## Why it matters
Every value is converted and judged by these lines.

## Example
    # entries/vocabulary.yaml
    metrics:
      - {id: ttft, unit: ms, better: lower, titles: {en: [TTFT]}, plausible: [600000, 1]}

## What to do
Correct the units; spell them as `ms`, `s`, `tok/s`, `req/s`, `GB/s`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.terms import Vocabulary
from kb.units import kind, units
from kb.vocabulary import Severity

CODE = "KB182"
NAME = "metric-badly-defined"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Units and ranges of each metric."""
    record = loaded.record
    if not isinstance(record, Vocabulary):
        return
    for n, metric in enumerate(record.metrics):
        for loc, unit in ((("unit",), metric.unit), *((("units", m), unit) for m, unit in enumerate(metric.units))):
            known = next((each for each in units() if unit != each and _plain(unit) == _plain(each)), None)
            if kind(unit) is None and known:
                yield Problem(("metrics", n, *loc), f'{metric.id}: unit "{unit}" is not converted', f"write {known}")
        if metric.plausible and metric.plausible[0] > metric.plausible[1]:
            yield Problem(("metrics", n, "plausible"), f"{metric.id}: the plausible range is turned round")


def _plain(unit: str) -> str:
    text = unit.casefold().replace(" ", "").removesuffix("ec").replace("tokens", "tok").replace("requests", "req")
    return text.replace("per", "/")
