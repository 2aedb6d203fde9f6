"""One search from text to results."""

from __future__ import annotations

import contextlib
import json

import pytest

from kb.document import Document, Term
from kb.errors import QueryError
from kb.search import search
from kb.store import Store

from .world import document, store_of

LOREM = "The hand-off is measured under load. " * 20

STORE = store_of(
    [
        document(
            "vllm-nixl-push", "vLLM NIXL connector, push", kind="component", aliases=("NixlPushConnector",),
            date="2026-03",
        ),
        document(
            "aws", "Push against pull on EFA", date="2026-10-19", path="aws.md", lang="en",
            claims=("With NixlPushConnector TTFT falls to a third.",), tags=("push",),
            body=f"{LOREM} In version v0.11.0 the NixlPushConnector writes from prefill. {LOREM}",
            facets={"model": ("Qwen3-32B",), "hardware": ("H200",), "version": ("0.11.0",)},
            numbers=(("qps", 1.0, 8.0), ("ttft", 540.0, 540.0)),
        ),
        document("aws", "プッシュとプル", path="aws.ja.md", lang="ja", original=False, body="転送の遅延について。"),
        document("mention", "Handshakes", date="2025", body=f"{LOREM} {'nixl_push ' * 5} pull request #35264"),
        document("pt", "Conclusões sobre latência", kind="change", lang="pt", facets={"hardware": ("H100",)}),
    ]
)  # fmt: skip

FOUND = {
    "NixlPushConnector": ["vllm-nixl-push", "aws"],
    "nixl push connector": ["vllm-nixl-push", "aws"],
    "nixl_push": ["mention", "vllm-nixl-push", "aws"],
    "nixlpushconnector": ["vllm-nixl-push", "aws"],
    "Qwen3-32B": ["aws"],
    "qwen3 32b": ["aws"],
    "v0.11.0": ["aws"],
    "0.11": ["aws"],
    "0.1": [],
    "#35264": ["mention"],
    "35264": ["mention"],
    "conclusoes latencia": ["pt"],
    "CONCLUSÃO": ["pt"],
    "転送": ["aws"],
    "送の遅": ["aws"],
    "遅転": [],
    "qps:>=4": ["aws"],
    "qps:>8": [],
    "ttft:<600 hardware:H200": ["aws"],
    "hardware:h200 OR hardware:h100": ["aws", "pt"],
    "push -pull": ["vllm-nixl-push"],
    "id:aws": ["aws"],
    "id:aw*": ["aws"],
    "lang:ja": ["aws"],
    "lang:pt push": [],
    "date:>=2026": ["aws", "vllm-nixl-push"],
    "date:2025": ["mention"],
}


@pytest.mark.parametrize("query", FOUND)
def test_what_people_type_finds_what_they_mean(query: str) -> None:
    """Identifiers, versions, numbers, Japanese, unaccented Portuguese, fields: these hits and no others."""
    heads = search(STORE, query).heads
    assert sorted(head.id for head in heads) == sorted(FOUND[query])


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("NixlPushConnector", "vllm-nixl-push"),
        ("vllm-nixl-push", "vllm-nixl-push"),
        ("handshakes", "mention"),
        ("push pull", "aws"),
        ("Push against pull on EFA", "aws"),
    ],
)
def test_the_entry_about_it_comes_first(query: str, first: str) -> None:
    """An entry of that name or title goes before entries that mention it, however often."""
    assert search(STORE, query).heads[0].id == first


def test_a_name_wins_over_any_number_of_mentions() -> None:
    """An exact alias comes first even among more hits than are looked at twice."""
    talk = [document(f"d{n}", "Mooncake Mooncake", body="mooncake " * 50) for n in range(120)]
    store = store_of([*talk, document("m", "A store", aliases=("Mooncake",), body="word " * 500)])
    assert search(store, "mooncake").heads[0].id == "m"


def test_the_json_form_is_the_promised_one() -> None:
    """Top-level keys and the keys of a hit as cli.md has them, in JSON types."""
    with STORE.writing() as writer:
        writer.outcomes({"aws": {"recheck": 1}})
    found = search(STORE, "push ttft connector", facets=["hardware", "lang"]).as_dict()
    assert list(found) == ["query", "total", "hits", "facets", "did_you_mean", "outcomes_known"]
    assert json.loads(json.dumps(found)) == found
    (hit,) = found["hits"]
    assert hit | {"score": 0, "snippet": ""} == {
        "id": "aws", "kind": "evaluation", "title": "Push against pull on EFA", "lang": "en", "date": "2026-10-19",
        "score": 0, "outcomes": {"recheck": 1}, "path": "aws.md", "snippet": "",
    }  # fmt: skip
    assert "NixlPushConnector" in hit["snippet"]
    assert found["facets"] == {"hardware": {"H200": 1}, "lang": {"en": 1, "ja": 1}}


def test_translations_are_one_hit_in_the_language_that_matched() -> None:
    """An entry is found once; a Japanese query shows its Japanese document."""
    found = search(STORE, "転送")
    assert (found.total, [h.lang for h in found.heads]) == (1, ["ja"])
    assert "転送" in found.hits[0].snippet
    assert search(STORE, "kind:evaluation").total == 2


def test_facts_of_the_original_hold_for_its_translations() -> None:
    """A field and a Japanese word are one question about one entry."""
    assert [h.lang for h in search(STORE, "転送 hardware:H200 ttft:<600").heads] == ["ja"]


def test_sorted_by_date_the_newest_comes_first() -> None:
    """`date` order is newest first whatever the scores; undated entries go last."""
    assert [h.id for h in search(STORE, "push OR handshake", sort="date").heads] == ["aws", "vllm-nixl-push", "mention"]
    assert [h.id for h in search(STORE, "*", sort="date").heads][-1] == "pt"


def test_a_limit_limits_what_is_shown_not_what_is_counted() -> None:
    """The total counts every hit."""
    for limit in (0, 1, 2, 100):
        found = search(STORE, "push OR handshake", limit=limit)
        assert (found.total, len(found.hits)) == (3, min(limit, 3))


def test_many_hits_are_counted_and_shown_as_far_as_asked() -> None:
    """Beyond the pool of best hits the total is still exact, with translations collapsed."""
    originals = [document(f"d{n}", "Word", date=f"20{n % 90 + 10}") for n in range(300)]
    others = [document(f"d{n}", "Word", lang="ja", path=f"{n}.ja", original=False) for n in range(0, 300, 2)]
    store = store_of([*originals, *others])
    for query in (
        "word",
        "*",
        "kind:evaluation",
        "word OR kind:change",
        "lang:en OR lang:ja",
        "title:word -kind:change",
    ):
        for limit in (10, 299):
            found = search(store, query, limit=limit)
            assert (found.total, len({h.id for h in found.heads})) == (300, limit), query
    assert search(store, "lang:ja").total == 150
    assert search(store, "word", sort="date", limit=300).heads[0].date == "2099"


@pytest.mark.parametrize("field", ["hardwear", "title", "ttft", ""])
def test_a_facet_has_to_be_a_field_of_words(field: str) -> None:
    """Counting values of an unknown field, of text or of numbers is an error with a hint."""
    found = search(STORE, "push", facets=[field])
    with pytest.raises(QueryError) as caught:
        found.as_dict()
    assert caught.value.hint


def test_facets_count_entries_not_documents() -> None:
    """Counts are of all hits, not only of those shown, the commonest value first."""
    store = store_of([document(f"d{n}", facets={"model": ("A" if n % 3 else "B",)}) for n in range(90)])
    found = search(store, "title", limit=5, facets=["model", "kind"])
    assert found.facets == {"model": {"A": 60, "B": 30}, "kind": {"evaluation": 90}}
    assert list(found.facets["model"]) == ["A", "B"]
    assert search(store, "nothing", facets=["model"]).facets == {"model": {}}


def test_an_empty_store_answers() -> None:
    """With no entries every query finds nothing."""
    store: Store = store_of([])
    for query in ("push", "*", "", "qps:>1", "push~", "a OR b", "connector:nixl"):
        found = search(store, query, facets=["kind"]).as_dict()
        assert (found["total"], found["hits"]) == (0, [])


@pytest.mark.parametrize(
    "query", ["a'b", 'x "OR" y', "\ud800", "\x00", "NEAR(a b)", "{title}: x", "a + b", "^push", "a;--"]
)
def test_signs_of_the_engine_below_are_nothing_special(query: str) -> None:
    """What SQLite's own query language would take for syntax is text, or a QueryError."""
    with contextlib.suppress(QueryError):
        assert search(STORE, query).as_dict()["total"] >= 0


def test_a_term_in_another_language_marks_its_words() -> None:
    """A hit found by another name of a term shows that name in its snippet."""
    term = Term("ttft", "v.yaml", (("en", "time to first token"), ("ja", "初回トークン遅延")))
    store = store_of([document("a", "A", body=f"{LOREM} Time to first token fell. {LOREM}")], [term])
    assert "Time to first token" in search(store, "初回トークン遅延").hits[0].snippet


LISTS = [
    document("count", "A note", body=f"descriptors, descriptors {LOREM}"),
    document("lists", "A paper", body=f"{LOREM} a descriptor list is kept {LOREM}"),
    *(document(f"other-{n}", "Another", body=LOREM) for n in range(9)),
]
DESCRIPTORS = Term(
    "descriptors",
    "v.yaml",
    (("en", "descriptors"), ("en", "descriptor list"), ("pt", "lista de descritores"), ("pt", "descritores")),
)


def test_a_long_name_asks_for_the_long_names_of_other_languages() -> None:
    """Every entry about the term is found; who types several words means rather what several words name."""
    store = store_of(LISTS, [DESCRIPTORS])
    assert [head.id for head in search(store, "lista de descritores").heads] == ["lists", "count"]
    assert [head.id for head in search(store, '"lista de descritores"').heads] == ["lists", "count"]
    assert [head.id for head in search(store, "descritores").heads] == ["count", "lists"]


ENTRIES = [
    document("a", tags=("kv",), numbers=(("qps", 1.0, 1.0), ("qps", 4.0, 4.0)), date="2026-10-02"),
    document("a", path="a.ja.md", original=False, lang="ja", tags=("kv",)),
    document("b", tags=("kv", "push"), numbers=(("qps", 8.0, 8.0),), date="2026-10"),
    document("c", tags=("push",), date="2026-09-30"),
]
ORPHAN = document("lost", path="lost.ja.md", original=False, lang="ja", tags=("kv",))


@pytest.mark.parametrize("orphans", [(), (ORPHAN,)])
@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("tag:kv", ["a", "b"]),
        ("tag:kv tag:push", ["b"]),
        ("qps:>=1", ["a", "b"]),
        ("qps:>=1 tag:push", ["b"]),
        ("qps:>=2 qps:<=4", ["a"]),
        ("date:2026-10", ["a", "b"]),
        ("date:2026", ["a", "b", "c"]),
        ("tag:kv -tag:push", ["a"]),
        ("tag:nothing", []),
        ("tag:kv OR tag:push", ["a", "b", "c"]),
    ],
)
def test_the_total_is_that_of_the_hits(query: str, ids: list[str], orphans: tuple[Document, ...]) -> None:
    """Entries are counted once, however many values or languages they have; a lone translation is none."""
    found = search(store_of([*ENTRIES, *orphans]), query)
    assert (found.total, sorted(head.id for head in found.heads)) == (len(ids), ids)


LANGUAGES = [
    document("both", "Push and its thread", body="a thread of its own"),
    document("both", "プッシュ", path="both.ja.md", original=False, lang="ja", body="Push の説明"),
    document("alone", "Push without one", body="nothing else"),
]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("push -thread", ["alone"]),
        ("push -説明", ["alone"]),
        ("-thread", ["alone"]),
        ("push -(thread own)", ["alone"]),
        ("push -(thread 説明)", ["alone", "both"]),
        ("push -(thread OR 説明)", ["alone"]),
        ("push -lang:ja", ["alone"]),
        ("push -lang:en", []),
        ("push NOT -thread", ["both"]),
        ("push -title:thread", ["alone"]),
        ("nothing OR -thread", ["alone"]),
        ("push -nowhere", ["alone", "both"]),
    ],
)
def test_what_is_left_out_is_in_no_language_of_an_entry(query: str, ids: list[str]) -> None:
    """An entry is not found by its translation when its original holds the word, nor the other way round."""
    assert sorted(head.id for head in search(store_of(LANGUAGES), query).heads) == ids
