"""kb.arranging.student: quantiles and intervals against printed tables."""

from __future__ import annotations

import math

import pytest

from kb.arranging.student import deviation, interval, mean, quantile, ratio_interval


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (10, 2.228), (30, 2.042), (120, 1.980)],
)
def test_quantiles(degrees: int, expected: float) -> None:
    """The 97.5% quantiles that every table of Student's t prints."""
    assert quantile(degrees) == pytest.approx(expected, abs=6e-4)


def test_broken_degrees_lie_between_whole_ones() -> None:
    """Welch's degrees of freedom are no whole number."""
    assert quantile(5) < quantile(4.5) < quantile(4)


def test_another_level() -> None:
    """99% of 10 degrees of freedom: 3.169."""
    assert quantile(10, 0.99) == pytest.approx(3.169, abs=6e-4)


def test_no_degrees() -> None:
    """One run has no spread."""
    with pytest.raises(ValueError, match="no degrees"):
        quantile(0)


def test_interval() -> None:
    """Mean 5, deviation 1 of three runs: 5 +- 4.303 / sqrt(3)."""
    assert (mean([4, 5, 6]), deviation([4, 5, 6])) == (5, 1)
    low, high = interval([4, 5, 6])
    assert low == pytest.approx(5 - 4.303 / math.sqrt(3), abs=1e-3)
    assert high == pytest.approx(5 + 4.303 / math.sqrt(3), abs=1e-3)


def test_ratio() -> None:
    """The interval holds the ratio of geometric means, and turns round when the sides do."""
    low, high = ratio_interval([10, 11, 12], [20, 22, 24]) or (0, 0)
    assert low < 0.5 < high
    lowest, highest = ratio_interval([20, 22, 24], [10, 11, 12]) or (0, 0)
    assert lowest == pytest.approx(1 / high)
    assert highest == pytest.approx(1 / low)


@pytest.mark.parametrize("sides", [([1.0], [1.0, 2.0]), ([1.0, 2.0], [1.0]), ([0.0, 1.0], [1.0, 2.0])])
def test_no_ratio(sides: tuple[list[float], list[float]]) -> None:
    """One run on a side, or a zero, gives no interval."""
    assert ratio_interval(*sides) is None


def test_no_scatter() -> None:
    """Runs that agree to the last digit have an interval of no width."""
    assert ratio_interval([1, 1], [2, 2]) == (0.5, 0.5)
