"""A whoosh index of the same tokens, in a temporary folder, finds the same documents."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kb.search import search
from kb.store import Store
from kb.tokens import tokens

from .world import document, store_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from whoosh import fields, index, query
    from whoosh.analysis import SpaceSeparatedTokenizer

WORDS = ("alpha", "beta", "gamma", "delta", "push", "pull", "cache", "サーバー", "転送", "遅延", "latência", "visões")
SEED = 7


@pytest.fixture(scope="module")
def bodies() -> dict[str, str]:
    """Texts of seeded random words, some common and some rare."""
    chance = random.Random(SEED)
    weights = [1 / (n + 1) for n in range(len(WORDS))]
    return {f"d{n}": " ".join(chance.choices(WORDS, weights, k=chance.randint(1, 12))) for n in range(300)}


@pytest.fixture(scope="module")
def store(bodies: dict[str, str]) -> Store:
    return store_of([document(id_, "…", body=body) for id_, body in bodies.items()])


@pytest.fixture(scope="module")
def searcher(bodies: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder: Path = tmp_path_factory.mktemp("whoosh")
    text = fields.TEXT(analyzer=SpaceSeparatedTokenizer(), phrase=True)
    made = index.create_in(str(folder), fields.Schema(id=fields.ID(stored=True), body=text))
    writer = made.writer()
    for id_, body in bodies.items():
        writer.add_document(id=id_, body=" ".join(tokens(body)))
    writer.commit()
    with made.searcher() as found:
        yield found


def _random_query(chance: random.Random, depth: int = 2) -> tuple[str, Any]:
    """A query as it is typed, and the same in whoosh's own classes."""
    kind = chance.choice(("term", "term", "phrase", "prefix", "and", "or", "not")) if depth else "term"
    if kind in ("and", "or"):
        parts = [_random_query(chance, depth - 1) for _ in range(chance.randint(2, 3))]
        sign, group = (" AND ", query.And) if kind == "and" else (" OR ", query.Or)
        return f"({sign.join(text for text, _ in parts)})", group([each for _, each in parts])
    if kind == "not":
        text, each = _random_query(chance, depth - 1)
        return f"(* -{text})", query.And([query.Every(), query.Not(each)])
    if kind == "phrase":
        words = " ".join(chance.choices(WORDS, k=chance.randint(2, 3)))
        return f'"{words}"', query.Phrase("body", tokens(words))
    if kind == "prefix":
        start = chance.choice(("al", "p", "pu", "cach", "lat"))
        return f"{start}*", query.Prefix("body", start)
    return _term(chance.choice(WORDS))


def _term(word: str) -> tuple[str, Any]:
    parts = tokens(word)
    return word, query.Term("body", parts[0]) if len(parts) == 1 else query.Phrase("body", parts)


def test_whoosh_finds_the_same(store: Store, searcher: Any) -> None:
    """Terms, phrases, beginnings, AND, OR and NOT over a seeded corpus: hit for hit."""
    chance = random.Random(SEED)
    counts = []
    for _ in range(250):
        typed, meant = _random_query(chance)
        ours = {head.id for head in search(store, typed, limit=1000).heads}
        theirs = {hit["id"] for hit in searcher.search(meant, limit=None)}
        assert ours == theirs, typed
        counts.append(len(ours))
    assert len(set(counts)) > 30
    assert sum(0 < count < 300 for count in counts) > 120


def test_whoosh_counts_the_same(store: Store, searcher: Any) -> None:
    """The total is the number of all hits, however few are shown."""
    for word in WORDS:
        typed, meant = _term(word)
        assert search(store, typed, limit=1).total == len(searcher.search(meant, limit=None))
