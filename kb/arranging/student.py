"""Student's t: the quantile behind a 95% confidence interval, without a statistics library.

The distribution is computed from the regularised incomplete beta function by its continued fraction (Abramowitz &
Stegun 26.5.8 and 26.7.1) and inverted by halving.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache


@lru_cache(maxsize=256)
def quantile(degrees: float, level: float = 0.95) -> float:
    """The t that encloses `level` of the distribution on both sides of 0; degrees of freedom may be broken."""
    if degrees <= 0:
        raise ValueError("no degrees of freedom")
    low, high = 0.0, 1.0
    while _within(high, degrees) < level:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, degrees) < level else (low, middle)
    return (low + high) / 2


def _within(t: float, degrees: float) -> float:
    """Probability of lying between -t and t."""
    return 1 - _beta(degrees / (degrees + t * t), degrees / 2, 0.5)


def _beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or tiny)
    total = d
    for m in range(1, 300):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + step * d or tiny)
            c = 1 + step / c or tiny
            total *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return total


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean."""
    return math.fsum(values) / len(values)


def deviation(values: Sequence[float]) -> float:
    """Standard deviation of a sample (n - 1); needs two values."""
    middle = mean(values)
    return math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """95% confidence interval of the mean; needs two values."""
    half = quantile(len(values) - 1) * deviation(values) / math.sqrt(len(values))
    middle = mean(values)
    return middle - half, middle + half


def ratio_interval(one: Sequence[float], other: Sequence[float]) -> tuple[float, float] | None:
    """95% confidence interval of the ratio of two means (geometric), by Welch on logarithms.

    None when a value is not above 0, or either side has a single one.
    """
    if len(one) < 2 or len(other) < 2 or min(*one, *other) <= 0:
        return None
    logs = [[math.log(value) for value in side] for side in (one, other)]
    parts = [deviation(side) ** 2 / len(side) for side in logs]
    middle, variance = mean(logs[0]) - mean(logs[1]), sum(parts)
    if variance == 0:
        return math.exp(middle), math.exp(middle)
    degrees = variance**2 / sum(part**2 / (len(side) - 1) for part, side in zip(parts, logs, strict=True))
    half = quantile(degrees) * math.sqrt(variance)
    return math.exp(middle - half), math.exp(middle + half)
