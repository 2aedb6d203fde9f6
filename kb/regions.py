"""Where on a scale a claim was measured: values tested one by one, or a range; and whether two such regions meet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from kb.conditions import Condition, Truth
from kb.setup import Spread, plain_number
from kb.vocabulary import Operator

NEAR = 1.1
"""Two single values closer than this are neither the same nor plainly different: a person decides."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a scale."""

    values: tuple[float, ...] = ()
    """Values tested one by one; without them, all between the ends."""
    low: float = 0.0
    high: float = inf
    open_low: bool = False
    open_high: bool = False
    end: Literal["low", "high"] | None = None
    """Only this end is sure: the source says "light load" or "the demanding end" of a range, and no boundary."""

    @property
    def empty(self) -> bool:
        return self.low > self.high or (self.low == self.high and (self.open_low or self.open_high))

    def has(self, value: float) -> bool:
        """Whether a value lies inside."""
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        return above and below and (not self.values or value in self.values)

    @property
    def sure(self) -> Region:
        """The part that is certainly meant."""
        if self.end is None:
            return self
        point = self.high if self.end == "high" else self.low
        return Region((point,), point, point)

    def meets(self, other: Region) -> Truth:
        """Whether some value is in both; unknown where values were tested only around it, never in between."""
        if self.empty or other.empty or {self.end, other.end} == {"low", "high"}:
            return Truth.NO
        low, high = max(self.low, other.low), min(self.high, other.high)
        shared = Region(
            low=low,
            high=high,
            open_low=any(each.open_low for each in (self, other) if each.low == low),
            open_high=any(each.open_high for each in (self, other) if each.high == high),
        )
        if shared.empty:
            return Truth.UNKNOWN if self._near(other) else Truth.NO
        return Truth.of(True if self.sure._touches(other.sure) else None)

    def _touches(self, other: Region) -> bool:
        for one, two in ((self, other), (other, self)):
            if one.values:
                return any(two.has(value) for value in one.values if one.has(value))
        return True

    def _near(self, other: Region) -> bool:
        if self.low != self.high or other.low != other.high or min(self.low, other.low) <= 0:
            return False
        return max(self.low, other.low) / min(self.low, other.low) <= NEAR

    def __str__(self) -> str:
        if self.end:
            return f"the {self.end} end of {plain_number(self.low)} to {plain_number(self.high)}"
        if self.values:
            return ", ".join(map(plain_number, self.values))
        if self.high == inf:
            return f"{'more than' if self.open_low else 'at least'} {plain_number(self.low)}" if self.low else "any"
        if self.low <= 0:
            return f"{'less than' if self.open_high else 'at most'} {plain_number(self.high)}"
        return f"{plain_number(self.low)} to {plain_number(self.high)}"


def of_values(values: Iterable[float]) -> Region:
    """Values tested one by one."""
    listed = tuple(sorted(set(values)))
    return Region(listed, listed[0], listed[-1])


def of_spread(spread: Spread | None) -> Region | None:
    """The region of a stated quantity; None when it is unknown or only a mean is stated."""
    if spread is None:
        return None
    if spread.values and spread.min is None and spread.max is None:
        return of_values(spread.values)
    if spread.low is None and spread.high is None:
        return None
    return Region(low=spread.low or 0.0, high=inf if spread.high is None else spread.high)


def narrowed(region: Region | None, condition: Condition) -> Region | None:
    """The part of a region in which a condition on its scale is met."""
    numbers = [number for value in condition.value if (number := _number(value)) is not None]
    if condition.other is not None or len(numbers) != len(condition.value) or not numbers:
        return region
    whole = region or Region()
    match condition.op:
        case Operator.IS | Operator.IN:
            return of_values([value for value in numbers if whole.has(value)] or numbers)
        case Operator.LESS | Operator.AT_MOST:
            return _below(whole, numbers[0], condition.op is Operator.LESS)
        case Operator.MORE | Operator.AT_LEAST:
            return _above(whole, numbers[0], condition.op is Operator.MORE)
        case Operator.WITHIN:
            return _below(_above(whole, numbers[0], False), numbers[1], False)
        case Operator.LOW_IN | Operator.HIGH_IN:
            end: Literal["low", "high"] = "low" if condition.op is Operator.LOW_IN else "high"
            return Region(low=numbers[0], high=numbers[1], end=end)
    return region


def _below(region: Region, number: float, strictly: bool) -> Region:
    if number > region.high:
        return region
    return _listed(replace(region, high=number, open_high=strictly or (region.open_high and number == region.high)))


def _above(region: Region, number: float, strictly: bool) -> Region:
    if number < region.low:
        return region
    return _listed(replace(region, low=number, open_low=strictly or (region.open_low and number == region.low)))


def _listed(region: Region) -> Region:
    """Tested values that lie outside of the ends are dropped."""
    if not region.values:
        return region
    kept = [value for value in region.values if region.has(value)]
    return of_values(kept) if kept else Region(low=1, high=0)


def _number(value: object) -> float | None:
    try:
        return float(str(value))
    except ValueError:
        return None
