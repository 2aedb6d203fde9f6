"""Files that hold requests one by one: what they come to, added up while they pass. The values are not kept.

Only what tools print of such files themselves is made of them: mean, smallest and largest value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kb.importers.fields import is_missing, number
from kb.importers.points import Points, exact
from kb.importers.run import Requests, RunPoint, Series


@dataclass(frozen=True, slots=True)
class Column:
    """A member of each request: its key, and the metric and unit it stands for."""

    key: str
    metric: str
    unit: str
    definition: str | None = ""


@dataclass(slots=True)
class _Sum:
    values: list[float] = field(default_factory=list)
    count: int = 0
    low: float = math.inf
    high: float = -math.inf

    def add(self, value: float) -> None:
        self.values.append(value)
        self.count += 1
        self.low, self.high = min(self.low, value), max(self.high, value)
        if len(self.values) >= 4096:
            self.values = [math.fsum(self.values)]

    @property
    def sum(self) -> float:
        return math.fsum(self.values)


class Totals:
    """Sums over the requests of one run; failed ones are counted and their numbers left out."""

    def __init__(self, tool: str, columns: Sequence[Column]) -> None:
        self._tool = tool
        self._columns = columns
        self._sums = {column.key: _Sum() for column in columns}
        self.good = 0
        self.failed = 0
        self.odd: list[str] = []

    def add(self, request: Mapping[str, Any], *, failed: bool) -> None:
        """One request."""
        if failed:
            self.failed += 1
            return
        self.good += 1
        for column in self._columns:
            self._take(column.key, request.get(column.key))

    def _take(self, key: str, value: Any) -> None:
        found = number(value)
        if found is not None:
            self._sums[key].add(found)
        elif not is_missing(value) and len(self.odd) < 3:
            self.odd.append(f"{key} of request {self.good + self.failed}: {str(value)[:40]!r} is no number")

    def requests(self) -> Requests:
        """How many there were."""
        return Requests(self.good + self.failed, self.good, self.failed)

    def points(self) -> Iterator[RunPoint]:
        """Mean, smallest and largest value of each column."""
        made = Points(self._tool)
        for column in self._columns:
            got = self._sums[column.key]
            if got.count:
                for stat, value in (("mean", got.sum / got.count), ("min", got.low), ("max", got.high)):
                    made.add(column.metric, value, column.unit, stat, definition=column.definition, n=got.count)
        yield from made.points

    def detail(self) -> dict[str, Series]:
        """The latencies as series, in ms."""
        made = {}
        for column in self._columns:
            got = self._sums[column.key]
            if got.count and column.unit in {"s", "ms"}:
                scaled = [exact(value, column.unit, "ms") or 0.0 for value in (got.sum, got.low, got.high)]
                made[column.metric] = Series(got.count, total=scaled[0], low=scaled[1], high=scaled[2], unit="ms")
        return made
