"""kb.evidence: points, and what effects compute from them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from kb.evidence import Effect, Point, compute
from kb.vocabulary import Qualifier

AMOUNTS = st.floats(0.01, 1e6)


def point(name: str, value: float | None = None, unit: str = "ms", **more: Any) -> Point:
    return Point.model_validate({"id": name, "metric": "ttft", "unit": unit, "value": value, **more})


def effect(form: str, *points: str, **more: Any) -> Effect:
    return Effect.model_validate({"form": form, "metric": "ttft", "points": list(points), **more})


TABLE = {
    each.id: each
    for each in (
        point("push", 540, qualifier="about"),
        point("pull", 1744),
        point("zero", 0),
        point("seconds", 1.744, "s"),
        point("range", low=500, high=600),
        point("factor", 3, "x", arm="a", against="b", reported="improvement-factor", qualifier="up-to"),
        point("better", unit="none", arm="a", against="b", reported="order"),
    )
    if each.id
}


@pytest.mark.parametrize(
    ("form", "points", "low", "high", "unit"),
    [
        ("ratio", ["push", "pull"], 540 / 1744, 540 / 1744, "x"),
        ("ratio", ["pull", "push"], 1744 / 540, 1744 / 540, "x"),
        ("ratio", ["range", "pull"], 500 / 1744, 600 / 1744, "x"),
        ("ratio", ["pull", "range"], 1744 / 600, 1744 / 500, "x"),
        ("ratio", ["factor"], 3, 3, "x"),
        ("statistic-ratio", ["pull", "push"], 1744 / 540, 1744 / 540, "x"),
        ("difference", ["push", "pull"], -1204, -1204, "ms"),
        ("difference", ["range", "pull"], -1244, -1144, "ms"),
        ("value", ["push"], 540, 540, "ms"),
        ("value", ["range"], 500, 600, "ms"),
    ],
)
def test_a_number_is_computed(form: str, points: list[str], low: float, high: float, unit: str) -> None:
    """Arm over baseline, arm minus baseline, or what the source reports."""
    found = compute(effect(form, *points), TABLE)
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    assert found.unit == unit
    assert found.reported == (points == ["factor"])
    assert found.value == (pytest.approx(low) if low == high else None)


@pytest.mark.parametrize(
    ("form", "points"),
    [
        ("ratio", []),
        ("ratio", ["push", "nowhere"]),
        ("ratio", ["push", "zero"]),
        ("ratio", ["push", "seconds"]),
        ("ratio", ["push", "factor"]),
        ("ratio", ["push", "pull", "range"]),
        ("order", ["better"]),
        ("parity", ["push", "pull"]),
    ],
)
def test_no_number_is_made_up(form: str, points: list[str]) -> None:
    """Missing points, other units, a baseline of zero, a comparison beside a value: none."""
    assert compute(effect(form, *points), TABLE) is None


def test_a_qualifier_travels_along() -> None:
    """A ratio of something about is about."""
    first = compute(effect("ratio", "push", "pull"), TABLE)
    assert first
    assert first.qualifier is Qualifier.ABOUT
    reported = compute(effect("ratio", "factor"), TABLE)
    assert reported
    assert reported.qualifier is Qualifier.UP_TO


@given(AMOUNTS, AMOUNTS)
def test_a_ratio_turned_round_is_its_inverse(a: float, b: float) -> None:
    """One over the other way."""
    table = {"a": point("a", a), "b": point("b", b)}
    there, back = compute(effect("ratio", "a", "b"), table), compute(effect("ratio", "b", "a"), table)
    assert there
    assert back
    assert there.low * back.low == pytest.approx(1)


@given(st.lists(AMOUNTS, min_size=2, max_size=2).map(sorted), st.lists(AMOUNTS, min_size=2, max_size=2).map(sorted))
def test_a_ratio_of_ranges_holds_every_ratio_within(a: list[float], b: list[float]) -> None:
    """Its ends are the extremes."""
    table = {"a": point("a", low=a[0], high=a[1]), "b": point("b", low=b[0], high=b[1])}
    found = compute(effect("ratio", "a", "b"), table)
    assert found
    assert found.low <= a[0] / b[0] <= found.high or found.low == pytest.approx(a[0] / b[0])
    assert found.low <= found.high or found.low == pytest.approx(found.high)


@pytest.mark.parametrize(
    "fields",
    [
        {"value": 1, "low": 1, "high": 2},
        {"low": 1},
        {"low": 2, "high": 1},
        {},
        {"value": float("nan")},
        {"value": float("inf")},
        {"value": 1, "reported": "ratio"},
        {"value": 1, "against": "b"},
        {"value": 1, "arm": "a", "against": "a", "reported": "ratio"},
        {"value": 1, "metric": "TTFT"},
        {"value": 1, "n": 0},
    ],
)
def test_a_point_is_one_number(fields: dict[str, Any]) -> None:
    """A value or a range, finite, of one arm or between two."""
    with pytest.raises(ValidationError):
        Point.model_validate({"metric": "ttft", "unit": "ms", **fields})


def test_missing_is_never_zero() -> None:
    """Zero is a number, absence is none."""
    assert point("zero", 0).number == 0
    assert TABLE["better"].number is None
    assert TABLE["range"].midpoint is None
