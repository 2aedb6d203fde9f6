"""Scales: from numbers to places, with ticks at round numbers; logarithmic where values span more than 20x."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

LOG_FROM = 20
"""Values that span more than this are drawn on a logarithmic scale."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low` to `high` laid from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    log: bool
    ticks: tuple[float, ...]
    minor: tuple[float, ...] = ()
    """Round numbers between the ticks of a logarithmic scale."""

    def at(self, value: float) -> float:
        """Where a number lies."""
        low, high, here = self.low, self.high, value
        if self.log:
            low, high, here = log10(low), log10(high), log10(value)
        return self.start + (here - low) / (high - low) * (self.end - self.start)

    @property
    def words(self) -> str:
        """What its axis says of it."""
        return "log scale" if self.log else ""


def scale(values: Iterable[float], start: float, end: float, wanted: int = 6, log: bool | None = None) -> Scale:
    """A scale over finite values. A linear one begins at zero; a logarithmic one needs values above zero."""
    found = [each for each in values if isfinite(each)]
    low, high = min(found, default=0.0), max(found, default=0.0)
    if log is None:
        log = spans(found)
    if log and low > 0:
        return _log(low, high, start, end, wanted)
    return _linear(min(low, 0.0), max(high, 0.0), start, end, wanted)


def spans(values: Iterable[float]) -> bool:
    """Whether values, all above zero, span so much that a linear scale would hide the small ones."""
    found = [each for each in values if isfinite(each)]
    return bool(found) and min(found) > 0 and max(found) / min(found) > LOG_FROM


def _linear(low: float, high: float, start: float, end: float, wanted: int) -> Scale:
    if low == high:
        high = low + 1
    step = _step((high - low) / max(wanted - 1, 1))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    ticks = tuple(float(f"{n * step:.6g}") for n in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], start, end, False, ticks)


def _step(rough: float) -> float:
    """The round number at or above: 1, 2, 2.5 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(rough))
    return next(power * each for each in (1, 2, 2.5, 5, 10) if power * each >= rough * (1 - 1e-9))


def _log(low: float, high: float, start: float, end: float, wanted: int) -> Scale:
    every = _rounds(low, high)
    bottom = max(each for each in every if each <= low * (1 + 1e-9))
    top = min(each for each in every if each >= high * (1 - 1e-9) and each > bottom)
    inside = [each for each in every if bottom <= each <= top]
    tens = [each for each in inside if abs(log10(each) - round(log10(each))) < 1e-9]
    ticks = inside if len(inside) <= wanted else tens if len(tens) >= 2 else inside[:: ceil(len(inside) / wanted)]
    ticks = ticks[:: ceil(len(ticks) / max(wanted, 2))]
    return Scale(bottom, top, start, end, True, tuple(ticks), tuple(each for each in inside if each not in ticks))


def _rounds(low: float, high: float) -> list[float]:
    powers = range(floor(log10(low)) - 1, ceil(log10(high)) + 2)
    return [float(f"{digit * 10.0**power:.6g}") for power in powers for digit in (1, 2, 5)]


def tick(value: float, high: float) -> str:
    """A round number at a tick of an axis that reaches `high`, short."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if high >= 10 * size and abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
