"""A query's meaning in the index is its meaning over the documents."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.document import Term
from kb.errors import QueryError
from kb.search import search
from kb.search.compile import compiled
from kb.search.query import And, Facet, Not, Or, Query, Range, Text, Versions
from kb.search.rank import ranked
from kb.store import Store

from .world import CONNECTORS, MODELS, WORDS, document, documents, hits, store_of

DOCUMENTS = documents(120)
STORE = store_of(DOCUMENTS)

texts = st.tuples(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join),
    st.sampled_from((None, None, "title", "claim", "body", "id")),
    st.sampled_from(("word", "phrase")),
).map(lambda given: Text(*given))
prefixes = st.sampled_from(("pu", "lat", "nixl", "cach", "scheduler", "sched")).map(lambda t: Text(t, None, "prefix"))
fuzzies = st.sampled_from(("psh", "latencu", "prefil", "blokc", "decodde")).map(lambda t: Text(t, None, "fuzzy", 1))
VALUES = {
    "model": (*MODELS, "qwen3", "llama", "none"),
    "connector": (*CONNECTORS, "nixl", "nixl push", "push"),
    "version": ("0.11.0", "0.11", "0.1", "main"),
    "source": ("vendor", "VENDOR", "vend"),
    "kind": ("change", "component", "thing"),
    "tag": ("push", "kv", "転送"),
    "lang": ("en", "ja", "pt"),
}
facets = st.sampled_from([Facet(field, value) for field, values in VALUES.items() for value in values])
numbers = st.sampled_from((1.0, 4.0, 8.0, 100.0, 540.0, 1744.0))
ranges = st.builds(Range, st.sampled_from(("ttft", "qps")), numbers, numbers, st.booleans(), st.booleans())
days = (20250101.0, 20260531.0, 20260601.0, 20261001.0, 20261019.0, 20261031.0)
first_days, last_days = st.sampled_from((*days, -float("inf"))), st.sampled_from((*days, float("inf")))
dates = st.builds(Range, st.just("date"), first_days, last_days, st.booleans(), st.booleans())
versions = st.builds(
    Versions,
    st.just("version"),
    st.sampled_from((None, (0, 11), (0, 12, 1))),
    st.sampled_from((None, (0, 12, 1), (1,), (1, 0, 11))),
    st.booleans(),
    st.booleans(),
)
queries: st.SearchStrategy[Query] = st.recursive(
    st.one_of(texts, texts, prefixes, fuzzies, facets, ranges, dates, versions),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: And(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: Or(tuple(parts))),
        inner.map(Not),
    ),
    max_leaves=6,
)


def found(store: Store, query: Query) -> set[str]:
    heads = store.heads(hit.rid for hit in ranked(store, compiled(store, query), "", 1000).first)
    return {head.id for head in heads.values()}


@given(queries)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_query_finds_what_it_means(query: Query) -> None:
    """The statement that a query becomes finds the entries that its definition picks one by one."""
    assert found(STORE, query) == hits(query, DOCUMENTS)


TERMS = [
    Term(
        "ttft",
        "v.yaml",
        (
            ("en", "ttft"),
            ("en", "time to first token"),
            ("ja", "初回トークン遅延"),
            ("pt", "tempo até o primeiro token"),
        ),
    ),
    Term("xpyd", "v.yaml", (("en", "disaggregated prefill"), ("ja", "分離"))),
]
ACROSS = [
    document("en-short", "TTFT under load"),
    document("en-long", "Time to first token under load"),
    document("ja", "負荷時の初回トークン遅延について"),
    document("pt", "Tempo até o primeiro token"),
    document("not", "time to the first tokens", body="primeiro tempo, 初回の遅延"),
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("ttft", {"en-short", "en-long", "ja", "pt"}),
        ("初回トークン遅延", {"en-short", "en-long", "ja", "pt"}),
        ("tempo ate o primeiro token", {"en-short", "en-long", "ja", "pt"}),
        ('"time to first token"', {"en-short", "en-long", "ja", "pt"}),
        ("ttft load", {"en-short", "en-long"}),
        ("負荷時の初回トークン遅延", {"ja"}),
        ("under time to first token", {"en-short", "en-long"}),
        ("first time", {"en-long", "not"}),
        ("title:ttft", {"en-short"}),
        ("-ttft", {"not"}),
        ("ttft OR 初回", {"en-short", "en-long", "ja", "pt", "not"}),
        ("分離", set()),
    ],
)
def test_a_term_is_found_by_any_of_its_names(query: str, expected: set[str]) -> None:
    """A term of the vocabulary in any language finds all its names; its words in another order do not."""
    with store_of(ACROSS, TERMS) as store:
        assert {head.id for head in search(store, query).heads} == expected


def test_a_component_is_meant_by_any_alias() -> None:
    """`component:` and `connector:` take an alias for its component, and a component named exactly means no other."""
    store = store_of(
        [
            document("vllm-nixl-push", kind="component", aliases=("NixlPushConnector",)),
            document("vllm", kind="component"),
            document("a", facets={"connector": ("vllm-nixl-push",), "component": ("vllm", "vllm-nixl-push")}),
            document("b", facets={"connector": ("vllm-router",), "component": ("vllm-router",)}),
        ]
    )
    for query, expected in {
        "connector:NixlPushConnector": {"a"},
        "connector:nixl_push_connector": {"a"},
        "connector:nixl": {"a"},
        "component:vllm": {"a"},
        "component:router": {"b"},
        "connector:mooncake": set(),
    }.items():
        assert {head.id for head in search(store, query).heads} == expected, query


def test_outcomes_are_asked_for_whole() -> None:
    """`outcome:` picks evaluations with a claim of that outcome; `applicable` is not `not-applicable`."""
    store = store_of([document("a"), document("b")])
    with store.writing() as writer:
        writer.outcomes({"a": {"holds": 2, "not-applicable": 1}, "b": {"recheck": 1}})
    assert [h.id for h in search(store, "outcome:holds").heads] == ["a"]
    assert [h.id for h in search(store, "outcome:not-applicable").heads] == ["a"]
    assert [h.id for h in search(store, "-outcome:holds").heads] == ["b"]
    assert search(store, "outcome:applicable").total == 0
    assert search(store, "outcome:holds").hits[0].outcomes == {"holds": 2, "not-applicable": 1}


@pytest.mark.parametrize("query", ["!!!", "- ?", "title:!!", "(!)", '"…"'])
def test_a_query_without_letters_is_an_error(query: str) -> None:
    """Punctuation alone finds nothing and says so."""
    with pytest.raises(QueryError, match="nothing to search for"):
        search(STORE, query)


def test_punctuation_beside_words_is_no_condition() -> None:
    """`push & pull` is `push pull`, and `push OR !` is `push`."""
    for query, same in [
        ("push & pull", "push pull"),
        ("push OR !", "push"),
        ("push -…", "push"),
        ("push NOT (!)", "push"),
    ]:
        assert [h.rid for h in search(STORE, query).ranking] == [h.rid for h in search(STORE, same).ranking]


def test_too_many_parts_are_an_error() -> None:
    """A query of more leaves than the store can take is refused before it is asked."""
    with pytest.raises(QueryError, match="too many parts"):
        search(STORE, " ".join(["aa"] * 300))


def test_blank_text_and_a_star_find_everything() -> None:
    """A blank query and `*` list every entry once, newest first."""
    ids = {each.id for each in DOCUMENTS}
    for query in ("", "  ", "*", "* OR push"):
        assert {h.id for h in search(STORE, query, limit=1000).heads} == ids
    dates = [h.date or "" for h in search(STORE, "kind:change", limit=1000).heads]
    assert dates == sorted(dates, reverse=True)


def test_a_kind_narrows_a_query() -> None:
    """`kind` given beside the query is one more condition, and no excuse for a query that asks for nothing."""
    assert {h.kind for h in search(STORE, "push", kind="change").heads} == {"change"}
    assert search(STORE, "", kind="change").total == search(STORE, "kind:change").total > 0
    with pytest.raises(QueryError, match="nothing to search for"):
        search(STORE, "?", kind="change")
