"""What a document becomes in the full-text index.

Every column holds parts in order and, behind a gap, the concepts named in it: one token for a term of the vocabulary
under whichever of its names, so that a term is as rare as all its names together and costs one lookup in a query.
A document that names a concept where it says what it is about has a second, rarer token of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from kb.store.schema import CLOSED_FIELDS
from kb.tokens import GAP, Analysed, analyse, tokens, units

if TYPE_CHECKING:
    from kb.document import Document

TEXTS = ("title", "ident", "claims", "tags", "facts", "body")
"""Columns of the `texts` table; all but title and body hold one value a line, which no phrase reaches across."""

ENOUGH = 4
"""How often a concept is indexed for one text."""
ABOUT = ("title", "ident", "tags")
"""Columns in which an entry says what it is about."""

_GAP = f" {GAP} "


class Indexed(NamedTuple):
    """A document's columns in the order of schema.TEXT_COLUMNS, what its title holds, and its words for spelling."""

    columns: list[str]
    held: str
    words: set[str]


class Concepts:
    """Finds the terms of the vocabulary in texts."""

    def __init__(self, terms: Iterable[tuple[str, str, str]]) -> None:
        """`terms` are (key, name, concept)."""
        self._by_first: dict[str, list[tuple[list[str], str]]] = {}
        self._by_name: dict[str, set[str]] = {}
        for key, name, concept in terms:
            parts = key.split()
            if parts:
                self._by_first.setdefault(parts[0], []).append((parts, concept))
            if len(runs := units(name)) == 1 and runs[0].name:
                self._by_name.setdefault(runs[0].name, set()).add(concept)

    def found(self, text: Analysed) -> Iterator[str]:
        """The concepts named in a text, as often as they are up to ENOUGH times: more would not rank it higher."""
        counts: dict[str, int] = {}
        for at, part in enumerate(text.parts):
            for parts, concept in self._by_first.get(part, ()):
                if text.parts[at : at + len(parts)] == parts:
                    counts[concept] = counts.get(concept, 0) + 1
        for name in self._by_name.keys() & (text.names + text.parts):
            for concept in self._by_name[name]:
                counts.setdefault(concept, 1)
        for concept, n in counts.items():
            yield from repeat(concept, min(n, ENOUGH))


def concept(term: str) -> str:
    """The token that stands for a term; nobody can type it."""
    return "\ue001" + re.sub(r"[^a-z0-9]", "\ue002", term.casefold())


def texts(document: Document) -> dict[str, str]:
    """The texts of a document, by column."""
    facts = [v for field, values in document.facets.items() if field not in CLOSED_FIELDS for v in values]
    return {
        "title": document.title,
        "ident": _lines((document.id, *document.aliases)),
        "claims": _lines(document.claims),
        "tags": _lines(document.tags),
        "facts": _lines(dict.fromkeys(facts)),
        "body": document.body,
    }


def about(concept: str) -> str:
    """The token of a concept in a document that says it is about it; as rare as such documents are."""
    return "\ue003" + concept[1:]


def indexed(given: Mapping[str, str], concepts: Concepts) -> Indexed:
    """What the index holds of a document's texts."""
    found = {
        name: [analyse(t) for t in ([text] if name in ("title", "body") else text.split("\n"))]
        for name, text in given.items()
    }
    named = {name: " ".join(c for each in all_ for c in concepts.found(each)) for name, all_ in found.items()}
    named["tags"] += "".join(f" {about(c)}" for c in dict.fromkeys(" ".join(named[name] for name in ABOUT).split()))
    columns = [_GAP.join([*(" ".join(each.parts) for each in found[name]), named[name]]) for name in TEXTS]
    title = " ".join(found["title"][0].names)
    names = " ".join(" ".join(each.names) for name in TEXTS if name != "title" for each in found[name])
    words = {word for all_ in found.values() for each in all_ for word in each.words}
    return Indexed([*columns, title, names], f" {columns[0]} {title} ", words)


def held(text: str) -> str:
    """A short text's parts and names between spaces, so that a phrase or a version is found in it as a substring."""
    found = analyse(text)
    return f" {' '.join(found.parts)}{_GAP}{' '.join(found.names)} "


def key(name: str) -> str:
    """The tokens by which a term's name is found in a query."""
    return " ".join(tokens(name))


def _values(name: str, text: str) -> list[str]:
    return [text] if name in ("title", "body") else text.split("\n")


def _lines(values: Iterable[str]) -> str:
    return "\n".join(" ".join(value.split()) for value in values)
