"""Misspellings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search import search
from kb.search.borrowed import Candidate, Speller, errors
from kb.search.spell import best, near_words, nearest, within

from .world import document, store_of


def counted(a: str, b: str) -> int:
    """The definition, case by case: the fewest inserts, drops, replacements and swaps of neighbours."""
    if not a or not b:
        return len(a) + len(b)
    fewest = min(counted(a[:-1], b) + 1, counted(a, b[:-1]) + 1, counted(a[:-1], b[:-1]) + (a[-1] != b[-1]))
    if a[-2:] == b[-2:][::-1] and len(a) > 1 and len(b) > 1:
        fewest = min(fewest, counted(a[:-2], b[:-2]) + 1)
    return fewest


words = st.text(st.sampled_from("abc"), max_size=5)


@given(words, words, st.integers(0, 3))
def test_errors_are_counted_as_defined(a: str, b: str, most: int) -> None:
    """Distances up to the limit are exact, larger ones only larger."""
    exact = counted(a, b)
    assert errors(a, b, most) == exact if exact <= most else errors(a, b, most) > most
    assert within(a, b, most) == (exact <= most)


@pytest.mark.parametrize(
    ("a", "b", "count"),
    [("push", "push", 0), ("push", "psuh", 1), ("push", "pus", 1), ("push", "pull", 2), ("", "ab", 2)],
)
def test_swapped_neighbours_are_one_error(a: str, b: str, count: int) -> None:
    """Insert, drop, replace and swap count one each."""
    assert errors(a, b, 2) == count


@pytest.mark.parametrize(
    ("key", "candidates", "expected"),
    [
        ("handshke", [Candidate("handshakes", "handshakes", 0.5), Candidate("handshake", "handshake")], "handshake"),
        ("latncy", [Candidate("latenc", "latenc"), Candidate("Latency", "latency", 0.3)], "Latency"),
        ("latncy", [Candidate("b", "latenca"), Candidate("a", "latenco")], "a"),
        ("psh", [Candidate("push", "push"), Candidate("posh", "posh", 0.1)], "posh"),
        ("abcdef", [Candidate("uvwxyz", "uvwxyz", 0.9)], None),
        ("abcdef", [], None),
    ],
)
def test_the_nearest_then_the_weightiest_is_meant(key: str, candidates: list[Candidate], expected: str | None) -> None:
    """A weight never outdoes an error; equals go by the alphabet."""
    assert best(key, candidates) == expected


def test_suggestions_are_whooshs() -> None:
    """Best first, as many as asked for, with a common beginning where one is asked for."""
    speller = Speller([Candidate(word, word) for word in ("push", "pushes", "rush", "pull")])
    assert speller.suggest("pish", limit=1) == ["push"]
    assert speller.suggest("pish", limit=9, maxdist=2) == ["push", "rush"]
    assert speller.suggest("pish", limit=9, maxdist=2, prefix=1) == ["push"]


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
