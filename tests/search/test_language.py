"""kb.search.language: an entry is shown in the language it was asked for in."""

import pytest

from kb.document import Term
from kb.search import search
from tests.search.world import document, store_of

DOCUMENTS = [
    document("a", "Push against pull, and the time to first token over a long sweep of many loads"),
    document("a", "プッシュと初回トークン遅延", lang="ja", original=False, path="a.ja.md"),
    document("a", "Push e tempo até o primeiro token", lang="pt", original=False, path="a.pt.md"),
    document("b", "Something else about push"),
]
TERM = Term(
    "ttft",
    "vocabulary.yaml",
    (("en", "ttft"), ("en", "time to first token"), ("ja", "初回トークン遅延"), ("pt", "tempo até o primeiro token")),
)


@pytest.mark.parametrize(
    ("query", "lang"),
    [
        ("push ttft", "en"),
        ("ttft", "en"),
        ("time to first token", "en"),
        ("tempo ate o primeiro token", "pt"),
        ("push tempo até", "pt"),
        ("初回トークン遅延", "ja"),
        ("プッシュ ttft", "ja"),
        ("ttft lang:ja", "ja"),
        ("ttft -zebra lang:pt OR lang:en", "en"),
    ],
)
def test_language_of_the_hit(query: str, lang: str) -> None:
    """A query without a language shows the original, however much shorter a translation is."""
    found = search(store_of(DOCUMENTS, [TERM]), query)
    assert [hit.head.lang for hit in found.hits if hit.head.id == "a"] == [lang]
    assert len([hit for hit in found.hits if hit.head.id == "a"]) == 1
