"""A word that the vocabulary does not have.

## What it flags
A question, dimension, metric or definition that no vocabulary of this base or of a mounted one lists. Of a dimension
that was renamed or split it says what it is now (`formerly` in the vocabulary).

## Why it matters
Results are found, compared and audited by these words; a private spelling makes a result nobody's rival.

## Example
    points:
      - {metric: ttfb, value: 540, unit: ms}

## What to do
Take the listed word that the hint names, or add yours to `entries/vocabulary.yaml` with its meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.change import Change
from kb.evaluation import Evaluation
from kb.finding import Loc, Problem
from kb.library import Library
from kb.mentions import once
from kb.places import VOCABULARY
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.terms import Vocabulary
from kb.vocabulary import UNKNOWN, Severity

CODE = "KB111"
NAME = "unknown-word"
SEVERITY = Severity.ERROR


@dataclass(frozen=True, slots=True)
class _Word:
    loc: Loc
    sort: str
    word: str


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Words that are on none of the lists; an empty list judges nothing."""
    lost = [used for used in _words(loaded.record) if _is_unlisted(used, library.words[used.sort])]
    if lost and not _unreadable(library):
        yield from once(_problem(used, library) for used in lost)


def _is_unlisted(used: _Word, listed: frozenset[str]) -> bool:
    return bool(listed) and used.word not in listed


def _unreadable(library: Library) -> bool:
    """Whether a vocabulary is there that could not be read: its words are not unknown."""
    read = {each.path for each in library.loaded}
    return any(path.endswith(f"/{VOCABULARY}") and path not in read for path in library.paths)


def _problem(used: _Word, library: Library) -> Problem:
    listed = library.words[used.sort]
    meant = {name: name for name, _ in library.metrics_named(used.word.replace("_", " "))}
    by_title = f'did you mean "{next(iter(meant))}"?' if used.sort == "metric" and len(meant) == 1 else None
    hint = (
        _since(used, library)
        or by_title
        or did_you_mean(used.word, listed)
        or f"add it to {used.sort}s in entries/vocabulary.yaml"
    )
    return Problem(used.loc, f'the vocabulary has no {used.sort} "{used.word}"', hint)


def _since(used: _Word, library: Library) -> str | None:
    """What became of a dimension that there was."""
    if used.sort != "dimension":
        return None
    now = [f'"{each.id}"' for each in library.vocabulary.dimensions if used.word in each.formerly]
    if len(now) > 1:
        return f'"{used.word}" was split into {", ".join(now[:-1])} and {now[-1]}: name the one that is meant, or each'
    return f'"{used.word}" is called {now[0]} now' if now else None


def _words(record: object) -> Iterator[_Word]:
    if isinstance(record, Evaluation):
        yield from _of_evaluation(record)
    elif isinstance(record, Change):
        yield from (_Word(("dimensions", n), "dimension", name) for n, name in enumerate(record.dimensions))
    elif isinstance(record, Vocabulary):
        for n, metric in enumerate(record.metrics):
            yield from (_Word(("metrics", n, "implies", m), "dimension", d) for m, d in enumerate(metric.implies))


def _of_evaluation(record: Evaluation) -> Iterator[_Word]:
    if record.question:
        yield _Word(("question",), "question", record.question)
    for n, point in enumerate(record.points):
        yield _Word(("points", n, "metric"), "metric", point.metric)
        if point.definition and point.definition != UNKNOWN:
            yield _Word(("points", n, "definition"), "definition", point.definition)
    for n, claim in enumerate(record.claims):
        if claim.effect:
            yield _Word(("claims", n, "effect", "metric"), "metric", claim.effect.metric)
        yield from (_Word(("claims", n, "rests_on", m), "dimension", d) for m, d in enumerate(claim.rests_on))
    for n, signal in enumerate(record.signals):
        if signal.watches and signal.watches.question:
            yield _Word(("signals", n, "watches", "question"), "question", signal.watches.question)
