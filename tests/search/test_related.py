"""Related entries."""

from __future__ import annotations

from kb.search.related import related

from .world import document, store_of

STORE = store_of(
    [
        document("a", "A", facets={"model": ("Rare",), "engine": ("vllm",)}, relations=(("replicates", "b"),)),
        document("b", "B", facets={"engine": ("vllm",)}),
        document("b", "B auf Japanisch", lang="ja", path="b.ja", original=False),
        document("c", "C", facets={"model": ("Rare",), "engine": ("vllm",)}),
        document("d", "D", facets={"engine": ("vllm",)}, relations=(("contradicts", "a"), ("uses", "nowhere"))),
        *(document(f"x{n}", "X", facets={"engine": ("vllm",), "model": (f"M{n}",)}) for n in range(6)),
    ]
)


def test_relations_go_before_shared_values() -> None:
    """What is written down in either direction comes first, then what shares a rare value; each says why."""
    found = related(STORE, "a")
    assert [(each.head.id, each.why) for each in found] == [
        ("b", ("replicates",)),
        ("d", ("contradicts",)),
        ("c", ("model Rare",)),
    ]
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_a_value_that_most_entries_have_relates_nothing() -> None:
    """Sharing the engine of everyone is no relation, and no entry is related to itself."""
    assert related(STORE, "x1") == []


def test_the_limit_and_unknown_entries() -> None:
    """So many neighbours and no more; an unknown entry has none, and dangling relations lead nowhere."""
    assert len(related(STORE, "a", limit=1)) == 1
    assert related(STORE, "nowhere") == []


def test_a_neighbour_is_shown_by_its_original() -> None:
    """Translations are not neighbours of their own."""
    assert [each.head.lang for each in related(STORE, "a") if each.head.id == "b"] == ["en"]
