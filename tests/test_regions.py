"""kb.regions: where on a scale something was tested, and whether two such regions meet."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.conditions import Condition, Truth
from kb.regions import Region, narrowed, of_spread, of_values
from kb.setup import Workload


def region(value: Any) -> Region | None:
    return of_spread(Workload(request_rate=value).request_rate)


def held(op: str, *values: Any, at: Any = "2..8") -> Region:
    found = narrowed(region(at), Condition(key="workload.request_rate", op=op, value=values))
    assert found is not None
    return found


MEETS: list[tuple[Any, Any, Truth]] = [
    (8, 8, Truth.YES),
    (8, "2..8", Truth.YES),
    (8, [2, 4], Truth.NO),
    ([2, 8], [8, 16], Truth.YES),
    ([2, 8], 4, Truth.UNKNOWN),
    ([2, 8], {"min": 3, "max": 5}, Truth.UNKNOWN),
    ("2..8", "8..16", Truth.YES),
    ("2..8", "9..16", Truth.NO),
    ({"max": 4}, {"min": 3}, Truth.YES),
    ({"max": 4}, {"min": 5}, Truth.NO),
    (2000, 2048, Truth.UNKNOWN),
    (1000, 2048, Truth.NO),
    ("inf", "inf", Truth.YES),
    ("inf", 8, Truth.NO),
]


@pytest.mark.parametrize(("one", "other", "answer"), MEETS)
def test_meets(one: Any, other: Any, answer: Truth) -> None:
    """A value of both: yes; only between tested values, or a near miss: unknown; apart: no. In either order."""
    a, b = region(one), region(other)
    assert a is not None
    assert b is not None
    assert a.meets(b) is answer
    assert b.meets(a) is answer


@pytest.mark.parametrize("value", ["unknown", {"mean": 4}])
def test_no_region(value: Any) -> None:
    """What is unknown, or only a mean, is no region."""
    assert region(value) is None


HELD: list[tuple[Region, str]] = [
    (held("is", 4), "4"),
    (held("in", 2, 4, 16), "2, 4"),
    (held("<=", 4), "2 to 4"),
    (held(">", 4, at=[2, 4, 8]), "8"),
    (held("within", 3, 5), "3 to 5"),
    (held("high-in", 2, 8), "the high end of 2 to 8"),
    (held(">", 4, at="unknown"), "more than 4"),
    (held("<=", 4, at="unknown"), "at most 4"),
    (held("is-not", 4), "2 to 8"),
]


@pytest.mark.parametrize(("found", "words"), HELD)
def test_narrowed_by_a_condition(found: Region, words: str) -> None:
    """A condition cuts the tested region; one that is no part of a scale leaves it."""
    assert str(found) == words


ENDS: list[tuple[Region, Region, Truth]] = [
    (held("high-in", 2, 8), held("low-in", 2, 8), Truth.NO),
    (held("high-in", 2, 8), held("high-in", 2, 8), Truth.YES),
    (held("high-in", 2, 8), of_values([8]), Truth.YES),
    (held("high-in", 2, 8), of_values([5]), Truth.UNKNOWN),
    (held("high-in", 2, 8), of_values([16]), Truth.NO),
    (held(">", 4, at="unknown"), held("<=", 4, at="unknown"), Truth.NO),
    (held(">=", 4, at="unknown"), held("<=", 4, at="unknown"), Truth.YES),
]


@pytest.mark.parametrize(("one", "other", "answer"), ENDS)
def test_ends_and_boundaries(one: Region, other: Region, answer: Truth) -> None:
    """Of "light" and "heavy" load only the end itself is sure; a boundary belongs to one side."""
    assert one.meets(other) is answer
    assert other.meets(one) is answer


@given(st.lists(st.integers(1, 50), min_size=1, max_size=4), st.lists(st.integers(1, 50), min_size=1, max_size=4))
def test_tested_values_meet_exactly_where_they_are_shared(one: list[int], other: list[int]) -> None:
    """Lists of tested values answer yes if and only if they share one."""
    answer = of_values(one).meets(of_values(other))
    assert (answer is Truth.YES) == bool(set(one) & set(other))
