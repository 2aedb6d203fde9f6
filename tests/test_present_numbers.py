"""kb.present.numbers: numbers as people read them."""

from __future__ import annotations

from typing import Any

import pytest

from kb.evidence import Effect, Point, compute
from kb.present.numbers import computed, plain, reported, rounded, stated, with_unit


def point(**fields: Any) -> Point:
    return Point.model_validate({"id": "a", "metric": "ttft", "unit": "ms", "arm": "x"} | fields)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1744.0, "1744"), (10.4, "10.4"), (0.001, "0.001"), (1234567.0, "1234567"), (-3.0, "-3"), (1e-9, "1e-09")],
)
def test_plain(value: float, text: str) -> None:
    """A number is shown as it was given."""
    assert plain(value) == text


@pytest.mark.parametrize(("value", "text"), [(0.3096, "0.31"), (12345.6, "12346"), (99.96, "100"), (2.0, "2")])
def test_rounded(value: float, text: str) -> None:
    """A computed number has three digits."""
    assert rounded(value) == text


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"value": 540, "qualifier": "about"}, "≈540"),
        ({"value": 3, "qualifier": "up-to"}, "up to 3"),
        ({"value": 3, "qualifier": "more-than"}, "> 3"),
        ({"low": 1, "high": 2.5}, "1 to 2.5"),
        ({"value": 7}, "7"),
    ],
)
def test_stated(fields: dict[str, Any], text: str) -> None:
    """A point keeps its source's qualifier; a range stays a range."""
    assert stated(point(**fields)) == text


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"reported": "improvement-factor", "value": 3, "unit": "x", "qualifier": "up-to"}, "up to 3x better"),
        ({"reported": "percent-improvement", "value": 30, "unit": "%"}, "30% better"),
        ({"reported": "percent-change", "value": -12, "unit": "%"}, "-12% change"),
        ({"reported": "order"}, "better (no figure)"),
    ],
)
def test_reported(fields: dict[str, Any], text: str) -> None:
    """A reported comparison keeps its source's direction and wording."""
    assert reported(point(against="y", **fields)) == text


@pytest.mark.parametrize(("unit", "text"), [("%", "3%"), ("x", "3x"), ("ms", "3 ms"), ("count", "3")])
def test_with_unit(unit: str, text: str) -> None:
    """A unit is always shown, except where a number is a count."""
    assert with_unit("3", unit) == text


def test_computed() -> None:
    """A ratio of two points says when it is only about right."""
    points = {"a": point(value=540, qualifier="about"), "b": point(value=1744, arm="y")}
    effect = Effect.model_validate({"form": "ratio", "metric": "ttft", "points": ["a", "b"]})
    number = compute(effect, points)
    assert number is not None
    assert computed(number) == "≈0.31x"
