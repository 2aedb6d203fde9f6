"""kb.units: which units are of one kind, and conversion among them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.units import convert, kind, units

UNITS = st.sampled_from(sorted(units()))


@pytest.mark.parametrize(
    ("value", "unit", "into", "result"),
    [
        (1.744, "s", "ms", 1744),
        (7000, "us", "ms", 7),
        (200, "Gb/s", "GB/s", 25),
        (1, "GiB", "MB", 1073.741824),
        (54, "%", "fraction", 0.54),
        (60, "req/min", "req/s", 1),
        (5, "ktok/s", "tok/s", 5000),
        (3, "parsec", "parsec", 3),
    ],
)
def test_one_kind_converts(value: float, unit: str, into: str, result: float) -> None:
    """Bits and bytes, 1000 and 1024 are told apart."""
    assert convert(value, unit, into) == pytest.approx(result)


@pytest.mark.parametrize(
    ("unit", "into"),
    [("ms", "tok/s"), ("tok/s", "tok/s/GPU"), ("x", "%"), ("GB", "GB/s"), ("parsec", "ms"), ("MS", "ms")],
)
def test_kinds_do_not_mix(unit: str, into: str) -> None:
    """Neither do spellings: a unit is written as it is known."""
    assert convert(1, unit, into) is None


@given(st.floats(1e-6, 1e9), UNITS, UNITS)
def test_there_and_back(value: float, unit: str, into: str) -> None:
    """Converting back gives the value again."""
    there = convert(value, unit, into)
    if there is None:
        assert kind(unit) != kind(into)
    else:
        assert convert(there, into, unit) == pytest.approx(value)
