"""What `kb show WORD` and `kb explain WORD` need of a word of the vocabulary: what it says, and who uses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kb.evaluation import Evaluation
from kb.search import search
from kb.store import Store
from kb.terms import Dimension, Metric, Question, Term, Vocabulary, Wording
from kb.tokens import squash
from kb.workspace import Workspace

AnyWord = Question | Metric | Dimension | Term

NAMES: dict[type[AnyWord], str] = {Question: "question", Metric: "metric", Dimension: "dimension", Term: "term"}
"""What each sort of word is called, in the order in which a name is looked up."""

MOST = 10_000


@dataclass(frozen=True)
class Word:
    """A word, and the entries that use it."""

    word: AnyWord
    evaluations: tuple[str, ...] = ()
    """Those that answer the question, measure the metric or have a claim that rests on the dimension."""
    claims: tuple[str, ...] = ()
    """Claims (`evaluation/claim`) that rest on the dimension."""
    changes: tuple[str, ...] = ()
    """Changes that alter the dimension."""
    implied_by: tuple[str, ...] = ()
    """Metrics whose numbers rest on the dimension whether or not a claim says so."""

    @property
    def sort(self) -> str:
        """question, metric, dimension or term."""
        return NAMES[type(self.word)]

    def as_dict(self) -> dict[str, Any]:
        """The word as stored with who uses it."""
        return {
            **self.word.stored(),
            "word_kind": self.sort,
            "evaluations": list(self.evaluations),
            "claims": list(self.claims),
            "changes": list(self.changes),
            "implied_by": list(self.implied_by),
        }


def words(vocabulary: Vocabulary) -> Iterator[AnyWord]:
    """Every word, questions first."""
    yield from vocabulary.questions
    yield from vocabulary.metrics
    yield from vocabulary.dimensions
    yield from vocabulary.terms


def titles(word: AnyWord) -> Wording:
    """What it is called (a question: what it asks) in each language."""
    return word.asks if isinstance(word, Question) else word.titles


def find(workspace: Workspace, name: str) -> Word | None:
    """The word of that id or name in any language, or None."""
    vocabulary = workspace.library([]).vocabulary
    key = squash(name)
    found = [each for each in words(vocabulary) if key and key in map(squash, (each.id, *titles(each).all()))]
    first = next(iter(sorted(found, key=lambda each: squash(each.id) != key)), None)
    return _used(first, workspace, vocabulary) if first is not None else None


def names(workspace: Workspace) -> list[str]:
    """Every word's id."""
    return [each.id for each in words(workspace.library([]).vocabulary)]


def _used(word: AnyWord, workspace: Workspace, vocabulary: Vocabulary) -> Word:
    store = workspace.store
    if isinstance(word, Term):
        return Word(word)
    field = NAMES[type(word)]
    evaluations = _ids(store, f'{field}:"{word.id}"', "evaluation")
    if not isinstance(word, Dimension):
        return Word(word, evaluations)
    changes = _ids(store, f'{field}:"{word.id}"', "change")
    implied = tuple(metric.id for metric in vocabulary.metrics if word.id in metric.implies)
    return Word(word, evaluations, _claims(workspace, evaluations, word.id), changes, implied)


def _ids(store: Store, query: str, kind: str) -> tuple[str, ...]:
    field = query.partition(":")[0]
    if field not in store.fields():
        return ()
    return tuple(head.id for head in search(store, query, kind, MOST, "date").heads)


def _claims(workspace: Workspace, evaluations: Iterable[str], dimension: str) -> tuple[str, ...]:
    records: Iterable[Evaluation] = workspace.library(evaluations).evaluations.values()
    return tuple(f"{each.id}/{claim.id}" for each in records for claim in each.claims if dimension in claim.rests_on)
