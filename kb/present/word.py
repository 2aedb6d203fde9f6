"""A word of the vocabulary in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from kb.present.text import Page, heading, named, wrap
from kb.terms import Dimension, Metric, Question, Vocabulary
from kb.words import NAMES, Word, titles, words

MOST = 30
"""Entries of one list that are shown."""


def word(shown: Word, page: Page) -> list[str]:
    """What it says, then who uses it."""
    return [
        page.style.bold(shown.word.id),
        shown.sort,
        "",
        *_says(shown, page),
        *_used(shown, page),
    ]


def _says(shown: Word, page: Page) -> Iterator[str]:
    one = shown.word
    if isinstance(one, Dimension):
        yield from named("Means", one.means, page.width)
        yield from named("Formerly", ", ".join(one.formerly), page.width)
    if isinstance(one, Metric):
        units = f", also {', '.join(one.units)}" if one.units else ""
        yield from named("Unit", f"{one.unit}{units}; {one.better} is better", page.width)
        yield from named("Implies", ", ".join(one.implies), page.width)
    for language in ("en", "ja", "pt"):
        label = {"en": "Asks" if isinstance(one, Question) else "Names"}.get(language, language)
        yield from named(label, "; ".join(getattr(titles(one), language)), page.width)
    if isinstance(one, Question):
        yield from named("Goal", one.goal, page.width)
    if isinstance(one, Metric) and one.definitions:
        yield from heading("What tools mean by it", page)
        for each in one.definitions:
            yield from wrap(f"{each.id} ({each.tool})", page.width, "  ", "    ")
            yield from wrap(each.says, page.width, "    ")


def _used(shown: Word, page: Page) -> Iterator[str]:
    titles_of = {"question": "Answered by", "metric": "Measured in"}
    if shown.sort in titles_of:
        yield from _list(titles_of[shown.sort], shown.evaluations, page)
        return
    yield from _list("Implied by the metrics", shown.implied_by, page)
    yield from _claims(shown.claims, page)
    yield from _list("Changes that alter it", shown.changes, page)


def _list(title: str, ids: Sequence[str], page: Page) -> Iterator[str]:
    """Ids, one a line, so that they can be copied."""
    if ids:
        yield from heading(f"{title} ({len(ids)})", page)
        yield from (f"  {each}" for each in ids[:MOST])
        yield from [f"  and {len(ids) - MOST} more"] if len(ids) > MOST else []


def _claims(ids: Iterable[str], page: Page) -> Iterator[str]:
    """Claims under their evaluation."""
    listed = [each.split("/") for each in ids]
    if listed:
        yield from heading(f"Claims that rest on it ({len(listed)})", page)
    for evaluation, claims in groupby(listed, key=lambda each: each[0]):
        yield f"  {evaluation}"
        yield from wrap(", ".join(claim for _, claim in claims), page.width, "    ")


def every_word(vocabulary: Vocabulary, page: Page) -> list[str]:
    """The ids of all words, by sort."""
    lines: list[str] = []
    for sort, group in groupby(words(vocabulary), key=lambda each: NAMES[type(each)]):
        lines += [*heading(f"{sort}s", page), *wrap(", ".join(each.id for each in group), page.width, "  ")]
    return [*lines, "", *wrap("`kb show WORD` says what a word means and who uses it.", page.width)]
