"""kb.present.hits: the words that were searched for stand out on a terminal, and nowhere else."""

from __future__ import annotations

import pytest

from kb.present.hits import marked
from kb.present.text import Page, Style
from kb.search.snippet import Wanted
from kb.tokens import tokens


@pytest.mark.parametrize(
    ("query", "text", "shown"),
    [
        ("push", "Push was ahead", "*Push* was ahead"),
        ("latencies", "a latency of 3", "a *latency* of 3"),
        ("転送", "KV転送は速い", "KV*転送*は速い"),
        ("pull", "Push was ahead", "Push was ahead"),
    ],
)
def test_marked(query: str, text: str, shown: str) -> None:
    """Words are marked in the text as it is written."""
    page = Page(80, Style(True))
    assert marked(text, Wanted(frozenset(tokens(query))), page) == shown.replace("*", "\x1b[1m", 1).replace(
        "*", "\x1b[0m"
    )
    assert marked(text, Wanted(frozenset(tokens(query))), Page()) == text
