"""kb.search.fillers: what is left of a question."""

import pytest

from kb.search.fillers import without_fillers


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
