"""Snippets."""

from __future__ import annotations

import pytest

from kb.search.snippet import LENGTH, Wanted, snippet, wanted

FILL = "some other words that nobody asked for at all. " * 10


def tokens(*found: str) -> Wanted:
    """Tokens to look for."""
    return Wanted(frozenset(found))


def test_the_densest_place_is_shown() -> None:
    """Two different wanted words side by side beat one word repeated."""
    text = f"push push push. {FILL} push against pull {FILL}"
    found = snippet([text], tokens("push", "pull"))
    assert "push against pull" in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) <= LENGTH + 2


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
