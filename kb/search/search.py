"""One search from text to results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

from kb.errors import QueryError
from kb.search import plain
from kb.search.compile import Compiled, compiled
from kb.search.match import CONCEPT, phrase
from kb.search.query import Query
from kb.search.rank import Ranking, ranked
from kb.search.snippet import Wanted, snippet, wanted
from kb.search.terms import keys_of
from kb.store import Head, Store

Sort = Literal["relevance", "date"]

LONGEST = 2000
"""Characters of a query."""
FEW = 10
"""Hits below which a question is asked again without its filling words."""

# What an input method types for the signs of the query language; one for one, so that positions stay true.
_SIGNS = str.maketrans("：（）＂“”„＊～－＜＞＝［］｛｝，\u3000\0", ':()""""*~-<>=[]{},  ')


class Hit(NamedTuple):
    """One entry found, in the language that matched best."""

    head: Head
    score: float
    outcomes: dict[str, int]
    snippet: str

    def as_dict(self) -> dict[str, Any]:
        """The hit with the keys cli.md promises."""
        head = self.head
        return {
            "id": head.id,
            "kind": head.kind,
            "title": head.title,
            "lang": head.lang,
            "date": head.date,
            "score": round(self.score, 4),
            "outcomes": self.outcomes,
            "path": head.path,
            "snippet": self.snippet,
        }


class Results:
    """The first hits in order; what is shown of them is read when it is asked for."""

    def __init__(self, store: Store, text: str, query: Query, asked: Compiled, ranking: Ranking) -> None:
        self.query = text
        self.ranking, self.total = ranking
        self._store = store
        self._query = query
        self._asked = asked
        self._facets: tuple[str, ...] = ()

    @cached_property
    def heads(self) -> list[Head]:
        """What a list shows of the first hits."""
        heads = self._store.heads(hit.rid for hit in self.ranking)
        return [heads[hit.rid] for hit in self.ranking]

    @cached_property
    def hits(self) -> list[Hit]:
        """The first hits with outcomes and snippets."""
        outcomes = self._store.outcomes([head.id for head in self.heads])
        snippets = self._snippets()
        return [
            Hit(head, ranked_.score, outcomes.get(head.id, {}), snippets[head.rid])
            for head, ranked_ in zip(self.heads, self.ranking, strict=True)
        ]

    @cached_property
    def wanted(self) -> Wanted:
        """What to mark in a text: the tokens that were searched for, by any of their names."""
        return wanted([*self._asked.wanted, *self._other_names()])

    @cached_property
    def facets(self) -> dict[str, dict[str, int]]:
        """Hits by value of each field asked for."""
        if not self._facets:
            return {}
        from kb.search.facets import counted

        return counted(self._store, self._facets, self._asked)

    @cached_property
    def did_you_mean(self) -> str | None:
        """A query that finds something, when this one found nothing."""
        if self.total or not self.query.strip():
            return None
        from kb.search.suggest import corrected

        return corrected(self._store, self.query, self._query)

    def as_dict(self) -> dict[str, Any]:
        """The results with the keys cli.md promises."""
        return {
            "query": self.query,
            "total": self.total,
            "hits": [hit.as_dict() for hit in self.hits],
            "facets": self.facets,
            "did_you_mean": self.did_you_mean,
            "outcomes_known": self._store.outcomes_known,
        }

    def _other_names(self) -> Iterator[str]:
        """Phrases of the names of terms that were asked for."""
        concepts = CONCEPT.findall(" ".join(self._asked.wanted))
        if concepts:
            yield from (phrase(key.split()) for key in keys_of(self._store, concepts))

    def _snippets(self) -> dict[int, str]:
        rids = [head.rid for head in self.heads]
        marks = ",".join("?" * len(rids))
        rows = self._store.rows(f"SELECT rid, claims, body FROM texts WHERE rid IN ({marks})", rids)
        return {rid: snippet((*claims.split("\n"), body), self.wanted) for rid, claims, body in rows}


def search(
    store: Store,
    text: str,
    kind: str | None = None,
    limit: int = 10,
    sort: Sort = "relevance",
    facets: Sequence[str] = (),
    second_try: bool = True,
) -> Results:
    """Entries that match `text`; blank text matches all. Raises QueryError for what cannot be understood.

    With `second_try`, plain words that nothing holds, and questions that few entries hold, are asked again without the
    words that only ask (kb.search.fillers).
    """
    results = _results(store, text, text, kind, limit, sort)
    if second_try and results.total < FEW:
        from kb.search.fillers import is_question, without_fillers

        again = not results.total or is_question(text)
        if again and (rest := without_fillers(text)) != text and rest.strip():
            results = _results(store, text, rest, kind, limit, sort)
    results._facets = tuple(facets)
    return results


def _results(store: Store, typed: str, text: str, kind: str | None, limit: int, sort: Sort) -> Results:
    query = parse(store, text)
    asked = compiled(store, query, kind)
    return Results(store, typed, query, asked, ranked(store, asked, text, max(0, limit), sort == "date"))


_NUMBERED = re.compile(r"(?i)\b(?:PR|pull request|issue) #?(\d{3,})\b")
"""`PR 30207` is #30207: the number alone is what records hold. Blanks in place of the rest keep positions true."""


def parse(store: Store, text: str) -> Query:
    """The query as values, by the parser only where it takes one. Raises QueryError."""
    if len(text) > LONGEST:
        raise QueryError(f"the query is longer than {LONGEST} characters", LONGEST)
    text = re.sub(r"\s", " ", text.encode("utf-8", "replace").decode().translate(_SIGNS))
    text = _NUMBERED.sub(lambda found: " " * (len(found[0]) - len(found[1])) + found[1], text)
    found = plain.read(text, store.fields)
    if found is not None:
        return found
    from kb.search import parser

    return parser.read(text, store.fields)
