"""Members of a record by name and type, and the points made of them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from kb.importers.fields import Fields, number
from kb.importers.points import Points, exact, series
from kb.importers.run import RunPoint
from kb.vocabulary import Statistic


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (1, 1), (1.5, 1.5), ("1.5", 1.5), (" 12 ", 12), ("1,146.31", 1146.31), ("1,234,567", 1234567),
        ("1.29813e+06", 1298130.0), ("-3", -3), ("+.5", 0.5), ("60.", 60.0), (None, None), (True, None), ("", None),
        ("inf", None), ("NaN", None), (math.nan, None), (math.inf, None), ("12,34", None), ("1.2.3", None),
        ("0x10", None), ("twelve", None), ("1e999", None), (10**400, None),
        ([1], None), ({"a": 1}, None), ("9" * 50, None), (".", None), ("e5", None), ("１２", None),
    ],
)  # fmt: skip
def test_number(value: Any, wanted: float | None) -> None:
    """A finite number or nothing; thousands separators only where they separate thousands."""
    found = number(value)
    assert found == wanted
    assert type(found) is type(wanted)


def test_getters_say_what_has_another_type() -> None:
    """Missing is None without a word; another type is a sentence with its place."""
    fields = Fields({"a": "x", "b": [1], "c": -1, "d": {"e": "y"}, "f": None, "g": 3, "h": "true", "i": 7})
    assert (fields.number("a"), fields.number("b"), fields.count("c"), fields.number("f"), fields.number("z")) == (
        None,
    ) * 5
    assert fields.table("d").number("e") is None
    assert fields.table("g").number("x") is None
    assert (fields.members("g"), fields.flag("h"), fields.flag("i"), fields.text("b")) == ([], True, None, None)
    assert [sentence.partition(":")[0] for sentence in fields.odd] == ["a", "b", "c", "d.e", "g", "g", "i", "b"]


@pytest.mark.parametrize(
    ("value", "rate"), [("inf", "inf"), ("Infinity", "inf"), (math.inf, "inf"), (4, 4), ("4.5", 4.5), (None, None)]
)
def test_rate(value: Any, rate: float | str | None) -> None:
    """Infinity however it is written is `inf`."""
    assert Fields({"r": value}).rate("r") == rate


def test_leftovers() -> None:
    """What nobody took is said once."""
    fields = Fields({"a": 1, "b": 2, "c": {"d": 3, "e": 4}})
    fields.skip("a")
    inner = fields.table("c")
    inner.number("d")
    assert fields.leftover() == ["b: not known to this importer"]
    assert inner.leftover() == ["c.e: not known to this importer"]
    assert fields.leftover() == []


def test_what_is_no_table_is_an_empty_one() -> None:
    """A record that is a list or a number has no members."""
    for record in (None, 3, "x", [1]):
        assert Fields(record).number("a") is None


@pytest.mark.parametrize(
    ("value", "unit", "into", "wanted"),
    [
        (0.147, "s", "ms", 147.0), (0.0208, "s", "ms", 20.8), (1.1, "s", "ms", 1100.0), (3, "s", "ms", 3000),
        (250_000_001, "ns", "ms", 250.000001), (12.5, "ms", "ms", 12.5), (1500, "us", "ms", 1.5),
        (0.0, "s", "ms", 0.0), (1, "ms", "req/s", None), (60, "req/min", "req/s", 1.0),
    ],
)  # fmt: skip
def test_exact(value: float, unit: str, into: str, wanted: float | None) -> None:
    """Powers of ten are shifted in decimal: no digit is made up."""
    assert exact(value, unit, into) == wanted


def test_points_in_canonical_units() -> None:
    """Seconds become milliseconds, the tool's word a statistic, its label a definition."""
    points = Points("some-bench")
    points.add("ttft", "0.147", "s", "avg", n=5)
    points.add("queue_len", 3.5, "count", "median", definition=None)
    points.add("tpot", 0.02, "s", "p99.9", definition="other.tpot")
    assert points.points == [
        RunPoint("ttft", 147.0, "ms", Statistic.MEAN, "some-bench.ttft", 5),
        RunPoint("queue_len", 3.5, "count", Statistic.P50, None, None),
        RunPoint("tpot", 20.0, "ms", Statistic.P99_9, "other.tpot", None),
    ]


@pytest.mark.parametrize("value", [None, "", "N/A", math.nan, "null", "-"])
def test_missing_adds_nothing(value: Any) -> None:
    """Missing is missing: never 0, and no sentence."""
    points = Points("x")
    points.add("ttft", value, "ms", "mean")
    assert (points.points, points.odd) == ([], [])


@pytest.mark.parametrize(
    ("value", "says"),
    [("inf", "infinite"), (math.inf, "infinite"), (1.6324e14, "no number"), ("soon", "no number"), (True, "no number")],
)
def test_what_is_no_number_is_said(value: Any, says: str) -> None:
    """Infinity, 1e14 and texts are no points."""
    points = Points("x")
    points.add("request_throughput", value, "req/s")
    assert points.points == []
    assert says in points.odd[0]


def test_a_unit_of_another_kind_is_said() -> None:
    """A TTFT in tokens is no TTFT."""
    points = Points("x")
    points.add("ttft", 3, "tok/s", "mean")
    points.add("ttft", 3, "ms", "p12.5")
    assert points.points == []
    assert "not convertible" in points.odd[0]


def test_series() -> None:
    """Per-request lists in short; gaps of each request are taken together."""
    assert series([0.5, 1.5, None], "s") is not None
    found = series([[0.5, 0.25], [], [1.0]], "s")
    assert found is not None
    assert (found.count, found.total, found.low, found.high, found.unit) == (3, 1.75, 0.25, 1.0, "s")
    assert series([], "s") is series(["x"], "s") is series("x", "s") is series([[]], "s") is None
