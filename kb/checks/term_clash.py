"""A name that two words of the vocabulary claim.

## What it flags
A name or alias, in any language and however it is capitalised, of two metrics or terms, of two dimensions, or of two
questions; also within one base and what it mounts.

## Why it matters
Search replaces a name by the word it belongs to; a name of two words finds the wrong one for half the readers.

## Example
    # entries/vocabulary.yaml
    terms:
      - {id: hand-off, titles: {en: [hand-off, handover]}}
      - {id: hand-over, titles: {en: [hand-over, handover]}}

## What to do
Leave the name with the word people mean by it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from kb.finding import Loc, Problem
from kb.library import Library
from kb.reading import Loaded
from kb.terms import Vocabulary, Wording
from kb.vocabulary import Severity

CODE = "KB181"
NAME = "term-clash"
SEVERITY = Severity.ERROR

_Word = tuple[Loc, str, Wording]


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Names with two owners, reported at each."""
    record = loaded.record
    if not isinstance(record, Vocabulary):
        return
    for own, everyone in zip(_groups(record), _groups(library.vocabulary), strict=True):
        owners: dict[str, set[str]] = {}
        for _, word, titles in everyone:
            for name in {word, *titles.all()}:
                owners.setdefault(_folded(name), set()).add(word)
        for loc, word, titles in own:
            for name in titles.all():
                if others := sorted(owners[_folded(name)] - {word}):
                    yield Problem((*loc, "titles"), f'"{name}" is a name of "{word}" and of "{", ".join(others)}"')


def _groups(words: Vocabulary) -> tuple[list[_Word], ...]:
    metrics = [(("metrics", n), each.id, each.titles) for n, each in enumerate(words.metrics)]
    terms = [(("terms", n), each.id, each.titles) for n, each in enumerate(words.terms)]
    dimensions = [(("dimensions", n), each.id, each.titles) for n, each in enumerate(words.dimensions)]
    questions = [(("questions", n), each.id, each.asks) for n, each in enumerate(words.questions)]
    return [*metrics, *terms], dimensions, questions  # type: ignore[return-value]


def _folded(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(sign for sign in plain if not unicodedata.combining(sign)).split())
