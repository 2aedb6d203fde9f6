"""A statement before and after it is signed: the old conclusion beside what changed since, and what it makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.effects import Effect, Standing
from kb.library import Library
from kb.present.impact import in_words
from kb.present.text import Page, heading, named, wrap
from kb.statements import Statement


def statement(made: Statement, library: Library, page: Page) -> list[str]:
    """Everything its author should have seen."""
    evaluation = made.evaluation
    lines = [*map(page.style.bold, wrap(evaluation.title, page.width)), *wrap(_about(made), page.width)]
    lines += heading("Concluded", page)
    for claim in made.claims:
        lines += wrap(f"{claim.id}: {claim.says}", page.width, "  ", "    ")
    speaking = [each for each in made.effects if each.standing in {Standing.TOUCHED, Standing.OPEN}]
    silent = [each for each in made.effects if each not in speaking]
    lines += _changes("Changed since, and speaks", speaking, library, page)
    lines += _changes("Changed since, and is silent", silent, library, page)
    differs = (
        "Read, and differs" if made.list == "impacts" else "Anchored code that differs since, and no record says why"
    )
    lines += heading(differs, page) if made.turns else []
    for symbol, releases in made.turns.items():
        lines += wrap(f"{symbol}: in {', '.join(releases)}", page.width, "  ", "    ")
    lines += heading("Stated", page)
    for key, value in made.record.items():
        lines += named(key, _text(value), page.width, 15, "  ")
    lines += _outcomes(made, page)
    if made.later:
        lines += ["", *wrap(f"A younger statement ({made.later}) about the same goes before it.", page.width)]
    return lines


def _about(made: Statement) -> str:
    reviews = made.evaluation.reviews
    claims = {claim.id for claim in made.claims}
    last = max((each.date for each in reviews if not each.claims or claims & set(each.claims)), default=None)
    return f"{made.evaluation.id} · {made.evaluation.date or 'no date'} · last review {last or 'never'}"


def _changes(title: str, effects: Iterable[Effect], library: Library, page: Page) -> list[str]:
    by_change: dict[str, list[Effect]] = {}
    for each in effects:
        by_change.setdefault(each.change, []).append(each)
    lines = heading(f"{title} ({len(by_change)})", page) if by_change else []
    for name, group in by_change.items():
        change = library.changes.get(name)
        lines += wrap(f"{name}: {change.title}" if change else name, page.width, "  ", "    ")
        lines += [line for words in _by_words(group) for line in wrap(words, page.width, "    ", "      ")]
    return lines


def _by_words(effects: Iterable[Effect]) -> Iterator[str]:
    found: dict[str, list[str]] = {}
    for each in effects:
        found.setdefault(in_words(each), []).append(each.claim)
    yield from (f"{', '.join(claims)}: {words}" for words, claims in found.items())


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(each)}" for name, each in value.items())
    return (", ".join(map(str, value)) or "none") if isinstance(value, list | tuple) else str(value)


def _outcomes(made: Statement, page: Page) -> list[str]:
    lines = heading("Outcome", page)
    found: dict[str, list[str]] = {}
    for claim, (before, after) in made.outcomes.items():
        words = f"stays {before}" if before is after else f"{before} -> {after}"
        found.setdefault(words, []).append(claim)
    return [*lines, *(line for words, claims in found.items() for line in named_claims(claims, words, page))]


def named_claims(claims: Iterable[str], words: str, page: Page) -> list[str]:
    """`a, b: words`, wrapped."""
    return wrap(f"{', '.join(claims)}: {words}", page.width, "  ", "    ")
