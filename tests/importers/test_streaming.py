"""JSON of any size in bounded memory."""

from __future__ import annotations

import json
import math
import tracemalloc
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.importers.streaming import LONGEST_KEPT, Long, Reader, Unreadable

scalars = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False) | st.text(max_size=20)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=6), inner, max_size=6),
    max_leaves=40,
)


def read(text: str, window: int = 1 << 20) -> list[Any]:
    return list(Reader(StringIO(text).read, window).values())


@given(st.dictionaries(st.text(max_size=6), values, max_size=6), st.integers(1, 40), st.booleans())
def test_small_windows_read_the_same(value: dict[str, Any], window: int, ascii_only: bool) -> None:
    """However little of the text is seen at a time, the value is that of the standard reader."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=1)
    assert read(text, window) == [json.loads(text)]


@given(st.lists(st.dictionaries(st.text(max_size=4), values, max_size=3), min_size=1, max_size=4), st.integers(1, 40))
def test_values_one_after_the_other(records: list[dict[str, Any]], window: int) -> None:
    """JSON Lines, and an array at the top, give their records one by one."""
    lines = "\n".join(map(json.dumps, records))
    assert read(lines, window) == read(lines.replace("\n", ""), window) == read(json.dumps(records), window) == records


@pytest.mark.parametrize("window", [7, 1 << 20])
def test_a_long_list_is_summed_up(window: int) -> None:
    """Members beyond the limit are counted and summed, one level of lists in lists as well."""
    numbers = [n / 4 for n in range(LONGEST_KEPT + 1)]
    [record] = read(json.dumps({"a": numbers, "b": [numbers[:3]] * 600, "c": ["x"] * 600, "d": numbers[1:]}), window)
    assert (record["a"].count, record["a"].numbers, record["a"].low, record["a"].high) == (513, 513, 0, 128)
    assert math.isclose(record["a"].total, sum(numbers))
    assert (record["b"].count, record["b"].numbers, record["b"].total) == (600, 1800, 450)
    assert (record["c"].count, record["c"].numbers, record["c"].first) == (600, 0, ("x", "x", "x"))
    assert record["d"] == numbers[1:]


def test_what_is_no_number_is_not_summed() -> None:
    """null, NaN, true and texts in a long list leave the sum alone."""
    [record] = read(json.dumps({"a": [1.5, None, math.nan, True, "7", math.inf] * 200}))
    assert (record["a"].count, record["a"].numbers, record["a"].total) == (1200, 200, 300)


@pytest.mark.parametrize("text", ['{"a": Infinity, "b": -Infinity}', '{"a":Infinity,"b":-Infinity}'])
@pytest.mark.parametrize("window", [1, 5, 1 << 20])
def test_infinity_is_read(text: str, window: int) -> None:
    """Bare infinity is what SGLang writes."""
    assert read(text, window) == [{"a": math.inf, "b": -math.inf}]


@pytest.mark.parametrize("window", [5, 1 << 20])
def test_a_key_that_stands_twice_is_noticed(window: int) -> None:
    """The last one counts, and its name is kept."""
    reader = Reader(StringIO('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}').read, window)
    assert list(reader.values()) == [{"a": 3, "b": {"c": 2}}]
    assert sorted(reader.repeated) == ["a", "c"]


BAD = {
    "cut in a value": '{"a": [1, 2, 3',
    "cut in a text": '{"a": "xyz',
    "cut after a colon": '{"a":',
    "no colon": '{"a" 1}',
    "no comma": '{"a": 1 "b": 2}',
    "no quotes": "{a: 1}",
    "a comma too many": '{"a": [1, 2,,]}',
    "an unknown word": '{"a": maybe}',
    "a control character": '{"a": "x\ny"}',
    "deep lists": '{"a": ' + "[" * 5000 + "]" * 5000 + "}",
    "deep objects": '{"a":' * 300 + "1" + "}" * 300,
    "thousands of digits": '{"a": ' + "9" * 5000 + "}",
    "thousands of digits in a list": '{"a": [1, ' + "9" * 5000 + ", 2]}",
    "something after": '{"a": 1} tail',
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("window", [3, 64, 1 << 20])
def test_what_is_wrong_is_said(text: str, window: int) -> None:
    """One sentence, never another exception."""
    with pytest.raises(Unreadable, match=r"\w"):
        read(text, window)


def pieces(head: str, member: Callable[[int], str], count: int, tail: str) -> Callable[[int], str]:
    """A text that is made while it is read."""

    def parts() -> Iterator[str]:
        yield head
        for start in range(0, count, 1000):
            yield ",".join(map(member, range(start, start + 1000))) + ("," if start + 1000 < count else "")
        yield tail

    left = parts()
    return lambda _: next(left, "")


@pytest.mark.parametrize(
    ("member", "count"),
    [(lambda n: f"{n / 7:.17f}", 600_000), (lambda n: f"[{n / 7:.17f}, 0.25]", 200_000),
     (lambda n: f'{{"id": {n}, "text": "{"x" * 60}"}}', 100_000), (lambda n: f'"{"é" * 80}{n}"', 100_000)],
    ids=["numbers", "lists", "objects", "texts"],
)  # fmt: skip
def test_memory_does_not_grow_with_the_file(member: Callable[[int], str], count: int) -> None:
    """Ten megabytes and more of members take less than that while they pass."""
    tracemalloc.start()
    reader = Reader(pieces('{"before": 1, "many": [', member, count, '], "after": 2}'))
    [record] = list(reader.values())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(record["many"], Long)
    assert (record["before"], record["many"].count, record["after"]) == (1, count, 2)
    assert peak < 8 << 20


def test_too_much_to_keep_is_said() -> None:
    """Many keys are no list: they are kept, up to a limit."""
    with pytest.raises(Unreadable, match="million characters in one record"):
        list(Reader(pieces("{", lambda n: f'"{n}": "{"x" * 1000}"', 60_000, "}")).values())
