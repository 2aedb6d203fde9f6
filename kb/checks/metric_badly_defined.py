"""A metric whose definition contradicts itself.

## What it flags
A unit spelled unlike the one that values are converted by (`tok/S`, `msec`), a plausible range whose ends are swapped,
and a definition that is said to be the same as one that is not listed, or that is itself the same as a third.

## Why it matters
Every value is converted and judged by these lines.

## Example
    # entries/vocabulary.yaml
    metrics:
      - {id: ttft, unit: ms, better: lower, titles: {en: [TTFT]}, plausible: [600000, 1]}

## What to do
Correct the units; spell them as `ms`, `s`, `tok/s`, `req/s`, `GB/s`. Of definitions that are computed alike, let all
name the same one.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.terms import Metric, Vocabulary
from kb.units import kind, units
from kb.vocabulary import Severity

CODE = "KB182"
NAME = "metric-badly-defined"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Units, ranges and definitions of each metric."""
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
        yield from _definitions(n, metric, library)


def _definitions(n: int, metric: Metric, library: Library) -> Iterator[Problem]:
    for m, each in enumerate(metric.definitions):
        loc = ("metrics", n, "definitions", m, "same_as")
        if each.same_as and each.same_as not in library.words["definition"]:
            yield Problem(loc, f"{each.id}: no definition is called {each.same_as}")
        elif each.same_as and library.measure(each.same_as) != each.same_as:
            yield Problem(loc, f"{each.id}: {each.same_as} names another", f"write {library.measure(each.same_as)}")


def _plain(unit: str) -> str:
    text = unit.casefold().replace(" ", "").removesuffix("ec").replace("tokens", "tok").replace("requests", "req")
    return text.replace("per", "/")
