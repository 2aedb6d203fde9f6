"""Snippets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search.snippet import LENGTH, Wanted, found, snippet, wanted
from kb.tokens import spans

FILL = "some other words that nobody asked for at all. " * 10


def tokens(*found: str) -> Wanted:
    """Tokens to look for."""
    return Wanted(frozenset(found))


def test_the_densest_place_is_shown() -> None:
    """Two different wanted words side by side beat one word repeated."""
    text = f"push push push. {FILL} push against pull {FILL}"
    cut = snippet([text], tokens("push", "pull"))
    assert "push against pull" in cut
    assert cut.startswith("…")
    assert cut.endswith("…")
    assert len(cut) <= LENGTH + 2


def test_the_first_text_that_holds_something_is_used() -> None:
    """Claims go before the body where they hold what was asked for."""
    assert snippet(["no", "a claim about push", "push push"], tokens("push")) == "a claim about push"


def test_without_anything_wanted_the_text_begins() -> None:
    """A hit found by its facts shows its beginning."""
    assert snippet(["", "Begins here."], Wanted()) == "Begins here."
    assert snippet([FILL], tokens("zzz")).startswith("some other words")
    assert snippet([], tokens("a")) == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Title\n\n- a **bold** `push`", "Title a bold push"),
        ("| a | push |\n|---|---|", "a push"),
        ("see [the push](https://x.org/y)", "see the push"),
    ],
)
def test_markup_is_not_shown(text: str, shown: str) -> None:
    """Markdown's signs go, its words stay."""
    assert snippet([text], tokens("push")) == shown


def test_japanese_is_cut_without_blanks() -> None:
    """A long run without blanks is cut at a length, around what was found."""
    text = "あ" * 500 + "転送遅延" + "い" * 500
    assert "転送遅延" in snippet([text], tokens("転送", "送遅", "遅延"))


def test_what_an_expression_wants() -> None:
    """Phrases give their tokens, stars beginnings, versions their parts."""
    found = wanted(['("nixl push" OR "nixlpush")', '"evalu"*', '"0.11"'])
    assert {"nixl", "push", "nixlpush", "0", "11"} <= found.tokens
    assert found.beginnings == ("evalu",)
    assert found.holds("evaluation")
    assert not found.holds("value")


WORDS = st.sampled_from(
    [
        *("push", "Pushes", "latencies", "latency", "boxes", "GPUs", "kv_role", "v0.11.0", "a1B2", "1P1D", "x.", "..."),
        *("transferência", "conclusões", "canais", "níveis", "pães", "imagens", "straße", "İstanbul", "ＮＩＸＬ"),
        *("NixlPushConnector", "--kv-transfer-config", "転送遅延", "(転送)", "サーバー"),
    ]
)


@given(st.lists(st.one_of(WORDS, st.text(min_size=1, max_size=6).filter(str.strip)), max_size=12), st.data())
def test_likely_words_are_all_that_hold_something(words: list[str], data: st.DataObject) -> None:
    """The same places are found as by cutting the whole text, whatever is looked for."""
    text = " ".join(" ".join(words).split())
    known = spans(text)
    chosen = data.draw(st.lists(st.sampled_from([token.text for token in known]), max_size=3)) if known else []
    looked = Wanted(frozenset(chosen[1:]), tuple(each[:3] for each in chosen[:1]))
    if looked:
        assert found(text, looked) == [(t.start, t.text) for t in known if looked.holds(t.text)]
