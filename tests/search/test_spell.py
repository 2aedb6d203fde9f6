"""Misspellings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh.support.levenshtein import damerau_levenshtein

from kb.search import search
from kb.search.spell import near_words, nearest, within

from .world import document, store_of

words = st.text(st.sampled_from("abcd"), max_size=7)


@given(words, words, st.integers(0, 3))
def test_errors_are_counted_as_whoosh_counts_them(a: str, b: str, most: int) -> None:
    """Distances up to the limit are exact, larger ones only larger."""
    exact = damerau_levenshtein(a, b)
    assert within(a, b, most) == exact if exact <= most else within(a, b, most) > most


@pytest.mark.parametrize(
    ("a", "b", "errors"),
    [("push", "push", 0), ("push", "psuh", 1), ("push", "pus", 1), ("push", "pull", 2), ("", "ab", 2)],
)
def test_swapped_neighbours_are_one_error(a: str, b: str, errors: int) -> None:
    """Insert, drop, replace and swap count one each."""
    assert within(a, b, 2) == errors


@pytest.mark.parametrize(
    ("word", "others", "expected"),
    [
        ("conector", ["connector", "component"], "connector"),
        ("NIXLPUSH", ["nixl-push", "nixl-pull"], "nixl-push"),
        ("tpt", ["ttft", "tpot"], "tpot"),
        ("abc", ["xyz"], None),
        ("ab", ["xy", "cd"], None),
        ("x", [], None),
    ],
)
def test_the_nearest_is_near_or_none(word: str, others: list[str], expected: str | None) -> None:
    """Short words allow one error, longer ones two, and nothing is forced."""
    assert nearest(word, others) == expected


STORE = store_of(
    [
        document("vllm-nixl-push", "Handshake latency", aliases=("NixlPushConnector",), kind="component"),
        document("b", "Handshakes in prefill", tags=("kv cache",), facets={"hardware": ("H200 141GB",)}),
        document("c", "Throughput", body="prefix"),
    ]
)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("handshke", ["handshake"]),
        ("handshaks", ["handshake", "handshakes"]),
        ("andshake", []),
        ("サーバ", None),
        ("", None),
    ],
)
def test_near_words_begin_alike(word: str, expected: list[str] | None) -> None:
    """Words of the index within the distance and with the same first letter; Japanese has none."""
    assert near_words(STORE, word, 1) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("handshke", "handshake"),
        ("handshke latncy", "handshake latency"),
        ("latency handshke", "latency handshake"),
        ("NixlPushConector", "NixlPushConnector"),
        ("vllm-nixl-psh", "vllm-nixl-push"),
        ("id:vllm-nixl-pus", "id:vllm-nixl-push"),
        ("title:handshke", "title:handshake"),
        ("handshke -prefill", "handshake -prefill"),
        ("handshke OR latncy", "handshake OR latency"),
        ("hardware:H20", None),
        ('hardware:"H200 141G"', 'hardware:"H200 141GB"'),
        ("kind:componet", "kind:component"),
    ],
)
def test_a_query_that_finds_nothing_is_proposed_anew(query: str, expected: str | None) -> None:
    """What is unknown in it is replaced, the rest stays as it was typed, and the proposal finds something."""
    found = search(STORE, query)
    if expected:
        assert (found.total, found.did_you_mean) == (0, expected)
        assert search(STORE, expected).total > 0


@pytest.mark.parametrize(
    "query", ["handshake", "latency prefix", "zzzzzzzz", "-handshake -latency -prefill -throughput", "サーバー"]
)
def test_nothing_is_proposed_without_reason(query: str) -> None:
    """Not when something was found, not when every word is known, not when nothing is near."""
    assert search(STORE, query).did_you_mean is None


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("handshke~", {"vllm-nixl-push", "b"}),
        ("hanshke~2", {"vllm-nixl-push", "b"}),
        ("hanshke~", set()),
        ("title:prefil~", {"b"}),
        ("title:prefi~", set()),
        ("NixlPushConector~", {"vllm-nixl-push"}),
        ("hardware:H20~", set()),
    ],
)
def test_a_fuzzy_word_finds_its_neighbours(query: str, ids: set[str]) -> None:
    """`~` allows one typing error, `~2` two, in the field asked for."""
    assert {head.id for head in search(STORE, query).heads} == ids
