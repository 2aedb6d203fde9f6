"""kb.search.fillers: what is left of a question."""

import pytest

from kb.search import search
from kb.search.fillers import is_question, without_fillers

from .world import document, store_of


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("does prefix caching matter for push", "prefix caching push"),
        ("What is the lease?", "lease"),
        ("送信先を早期に準備", "送信先 早期 準備"),
        ("qual o tempo de vida dos blocos", "tempo vida blocos"),
        ("push pull", "push pull"),
        ('"where is it"', '"where is it"'),
        ("title:what is", "title:what is"),
        ("a OR b", "a OR b"),
        ("what -is", "what -is"),
        ("ひらがな", "ひらがな"),
        ("the", ""),
    ],
)
def test_without_fillers(text: str, left: str) -> None:
    """Words that only ask go; words that name something, quoted text and fields stay."""
    assert without_fillers(text) == left


@pytest.mark.parametrize(
    "text", ["where does it go", "What is a lease?", " how many", "qual o tempo", "Onde fica o tempo"]
)
def test_a_question_begins_as_one(text: str) -> None:
    """In English and Portuguese, however it is capitalised."""
    assert is_question(text)


@pytest.mark.parametrize("text", ["where", "", "time to first token", "thread de leitura", "nowhere else", "引き渡し"])
def test_other_text_is_no_question(text: str) -> None:
    """A word alone, a term with a filling word in it, Japanese."""
    assert not is_question(text)


STORE = store_of(
    [
        document("handover", "Handover time by stage", body="what a request waits for"),
        document("docs", "An architecture", body="where the time of a handover goes, and what does not go there"),
        document("road", "Time to go", body="a note"),
    ]
)


def test_a_question_that_little_answers_is_asked_without_its_words() -> None:
    """An entry that holds all of a question's filling words as well hides none that holds the others."""
    found = search(STORE, "where does the handover time go")
    assert [head.id for head in found.heads] == ["handover", "docs"]
    assert search(STORE, "where does the handover time go", second_try=False).total == 1


def test_what_is_no_question_keeps_its_words() -> None:
    """`time to go` means all three where something holds them."""
    assert [head.id for head in search(STORE, "time to go").heads] == ["road"]
