"""What a document becomes in the full-text index.

Every column holds parts in order and, behind a gap, the concepts named in it: one token for a term of the vocabulary
under whichever of its names, so that a term is as rare as all its names together and costs one lookup in a query.
A document that names a concept where it says what it is about has a second, rarer token of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from kb.store.schema import CLOSED_FIELDS
from kb.tokens import GAP, Analysed, analyse, tokens, units

if TYPE_CHECKING:
    from kb.document import Document

TEXTS = ("title", "ident", "claims", "tags", "facts", "body")
"""Columns of the `texts` table; all but title and body hold one value a line, which no phrase reaches across."""

_REPEATED = ("tags", "facts")
"""Columns whose values many documents share."""
CARRIED = frozenset({"version", "removed"})
"""Facets of a change that are no text: it is in dozens of releases, and a release's number asks for what names it."""

ENOUGH = 4
"""How often a concept is indexed for one text."""
ABOUT = ("title", "ident", "tags")
"""Columns in which an entry says what it is about."""


class Indexed(NamedTuple):
    """A document's columns in the order of schema.TEXT_COLUMNS, what its title holds, and the runs it was cut from."""

    columns: list[str]
    held: str
    runs: set[str]


class Concepts:
    """Finds the terms of the vocabulary in texts."""

    def __init__(self, terms: Iterable[tuple[str, str, str]]) -> None:
        """`terms` are (key, name, concept)."""
        self._single: dict[str, list[str]] = {}
        self._pairs: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._names: dict[str, list[str]] = {}
        for key, name, concept in terms:
            parts = key.split()
            if len(parts) == 1:
                self._single.setdefault(parts[0], []).append(concept)
            elif parts:
                self._pairs.setdefault((parts[0], parts[1]), []).append((f" {key} ", concept))
            if len(runs := units(name)) == 1 and runs[0].name:
                self._names.setdefault(runs[0].name, []).append(concept)

    def found(self, text: Analysed) -> list[str]:
        """The concepts named in a text, as often as they are up to ENOUGH times: more would not rank it higher. In the
        order of the text, never of a set: that is another one in every process."""
        tally = Counter(text.parts)
        counts = {c: tally[part] for part in filter(self._single.__contains__, tally) for c in self._single[part]}
        if pairs := self._pairs_in(text.parts):
            flat = f" {' '.join(text.parts)} "
            for key, concept in (each for pair in pairs for each in self._pairs[pair]):
                counts[concept] = counts.get(concept, 0) + flat.count(key)
        for name in filter(self._names.__contains__, dict.fromkeys((*tally, *text.names))):
            for concept in self._names[name]:
                counts[concept] = counts.get(concept, 0) + 1
        return [concept for concept, n in counts.items() for _ in range(min(n, ENOUGH))]

    def _pairs_in(self, parts: list[str]) -> Iterable[tuple[str, str]]:
        """The pairs of parts that begin a name of several parts, each once."""
        return dict.fromkeys(filter(self._pairs.__contains__, pairwise(parts)))

    @lru_cache(1 << 12)  # noqa: B019  one vocabulary a sync
    def found_in_value(self, text: str) -> list[str]:
        """The same for a value that many documents share."""
        return self.found(_value(text))


def concept(term: str) -> str:
    """The token that stands for a term; nobody can type it."""
    return "\ue001" + re.sub(r"[^a-z0-9]", "\ue002", term.casefold())


def texts(document: Document) -> dict[str, str]:
    """The texts of a document, by column."""
    silent = CLOSED_FIELDS | (CARRIED if document.kind == "change" else frozenset())
    facts = [v for field, values in document.facets.items() if field not in silent for v in values]
    return {
        "title": document.title,
        "ident": _lines((document.id, *document.aliases)),
        "claims": _lines(document.claims),
        "tags": _lines(dict.fromkeys((*document.tags, *document.about))),
        "facts": _lines(dict.fromkeys(facts)),
        "body": document.body,
    }


def about(concept: str) -> str:
    """The token of a concept in a document that says it is about it; as rare as such documents are."""
    return "\ue003" + concept[1:]


def indexed(given: Mapping[str, str], concepts: Concepts) -> Indexed:
    """What the index holds of a document's texts."""
    found = {name: _column(name, text) for name, text in given.items()}
    named = {name: concepts.found(found[name]) for name in given if name not in _REPEATED}
    for name in _REPEATED:
        named[name] = [c for value in given[name].split("\n") for c in concepts.found_in_value(value)]
    named["tags"] += [about(c) for c in dict.fromkeys(c for name in ABOUT for c in named[name])]
    columns = [" ".join([*found[name].parts, GAP, *named[name]]) for name in TEXTS]
    title = " ".join(found["title"].names)
    names = " ".join(name for column in TEXTS if column != "title" for name in found[column].names)
    runs = {run for each in found.values() for run in each.runs}
    return Indexed([*columns, title, names], f" {columns[0]} {title} ", runs)


def _column(name: str, text: str) -> Analysed:
    """A text cut; of several values each by itself, with a gap between."""
    if name in ("title", "body"):
        return analyse(text)
    values = [_value(value) if name in _REPEATED else analyse(value) for value in text.split("\n")]
    parts = [part for value in values for part in (GAP, *value.parts)]
    return Analysed(
        parts[1:], [n for value in values for n in value.names], [r for value in values for r in value.runs]
    )


@lru_cache(1 << 12)
def _value(text: str) -> Analysed:
    return analyse(text)


def held(text: str) -> str:
    """A short text's parts and names between spaces, so that a phrase or a version is found in it as a substring."""
    found = analyse(text)
    return f" {' '.join(found.parts)} {GAP} {' '.join(found.names)} "


def key(name: str) -> str:
    """The tokens by which a term's name is found in a query."""
    return " ".join(tokens(name))


def _lines(values: Iterable[str]) -> str:
    return "\n".join(" ".join(value.split()) for value in values)
