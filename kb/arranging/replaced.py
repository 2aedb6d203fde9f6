"""Recorded figures whose place results with other values would take: how many, of which arm and load, some of them.

A recorded figure is evidence of the day and the builds that its record states. Another one at its place would be taken
for a measurement of that day and of those builds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kb.arranging.loads import Load, order, spoken, text, varying
from kb.arranging.proposals import JUDGED
from kb.errors import WriteRefused
from kb.evidence import Point, Where

FEW = 3
"""Places (an arm at a load) that are named, and figures of each; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """A recorded figure, and the one that would stand at its place."""

    there: Point
    new: Point

    def as_dict(self) -> dict[str, Any]:
        """Its place, and both values as a record writes them."""
        place = self.there.stored()
        told = {key: place[key] for key in ("id", "arm", "metric", "stat", "where") if key in place}
        return told | {"old": _value(self.there), "new": _value(self.new)}

    def __str__(self) -> str:
        """`ttft p50 540 -> 541.5 ms`"""
        stat = "" if self.there.stat.value == "value" else f" {self.there.stat.value}"
        return f"{self.there.metric}{stat} {_value(self.there)} -> {_value(self.new)} {self.new.unit}"


def differ(there: Point, new: Point) -> bool:
    """Whether another figure would stand there; a count of runs or a scatter that comes to the same one is none."""
    return _figure(there) != _figure(new)


def _figure(point: Point) -> tuple[Any, ...]:
    return point.value, point.low, point.high, point.unit


def _value(point: Point) -> str:
    if point.value is not None:
        return f"{point.value:.6g}"
    return " to ".join("?" if end is None else f"{end:.6g}" for end in (point.low, point.high))


def sentence(replaced: Sequence[Replaced], points: Iterable[Point]) -> str:
    """What would be replaced, by arm and load; a load is named by what differs among the record's `points`."""
    keys = varying(_load(each.where) for each in points)
    places: dict[tuple[str, Load], list[Replaced]] = {}
    for each in replaced:
        load = tuple(pair for pair in _load(each.there.where) if pair[0] in keys)
        places.setdefault((each.there.arm or "no arm", load), []).append(each)
    found = sorted(places.items(), key=lambda each: (each[0][0], order(each[0][1])))
    told = [f"{len(own)} of {arm}{_at(load, keys)} ({_few(own)})" for (arm, load), own in found]
    rest = len(told) - FEW
    parts = [*told[:FEW], *([f"and more in {rest} other place{'s' if rest > 1 else ''}"] if rest > 0 else [])]
    figures = "figure that is recorded has" if len(replaced) == 1 else "figures that are recorded have"
    return f"{len(replaced)} {figures} another value in these results: {', '.join(parts)}"


def refusal(replaced: Sequence[Replaced], points: Iterable[Point], id_: str) -> WriteRefused:
    """Why results are not taken in, and where they belong."""
    return WriteRefused(
        sentence(replaced, points),
        "a run of another build or another day is an evaluation of its own (`kb new evaluation NEW-ID --from RESULTS`, "
        f"with `relations` to {id_}); a repeat of the same is imported together with the runs before it, which gives "
        "their mean: add --replace, which leaves date and builds of the record as they are",
    )


def _load(where: Where | None) -> Load:
    stored = where.stored() if where else {}
    factors = stored.pop("factors", {})
    return tuple(sorted((key, _text(value)) for key, value in {**stored, **factors}.items()))


def _text(value: Any) -> str:
    """A value of a load in short: a spread of one value is that value."""
    values = value.get("values") if isinstance(value, dict) else None
    return ", ".join(map(text, values)) if values else text(value)


def _at(load: Load, keys: Sequence[str]) -> str:
    return f" at {spoken(dict(load), keys)}" if load else ""


def _few(own: Sequence[Replaced]) -> str:
    """Some figures, latencies and throughputs first."""
    ranked = sorted(
        own, key=lambda each: JUDGED.index(each.there.metric) if each.there.metric in JUDGED else len(JUDGED)
    )
    told = [str(each) for each in ranked[:FEW]]
    return ", ".join([*told, *([f"{len(own) - FEW} more"] if len(own) > FEW else [])])
