"""A statement before and after it is signed: the old conclusion beside what changed since, and what it makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kb.effects import Effect, Standing
from kb.library import Library
from kb.present.impact import in_words
from kb.present.text import Page, heading, named, wrap
from kb.rules import not_looked_at
from kb.statements import Statement
from kb.verdict import Ruling

FEW = 2
"""Reasons of an outcome that are spelt out."""


def statement(made: Statement, library: Library, page: Page, everything: bool = False) -> list[str]:
    """Everything its author should have seen; what a review passes over as silent is counted, with `everything` named
    at the end."""
    evaluation = made.evaluation
    lines = [*map(page.style.bold, wrap(evaluation.title, page.width)), *wrap(_about(made), page.width)]
    lines += heading("Concluded", page)
    for claim in made.claims:
        lines += wrap(f"{claim.id}: {claim.says}", page.width, "  ", "    ")
    speaking = [each for each in made.effects if each.standing in {Standing.TOUCHED, Standing.OPEN}]
    silent = [each for each in made.effects if each not in speaking]
    lines += _changes("Changed since, and speaks", speaking, library, page)
    of_many = made.list == "reviews"
    lines += [] if of_many else _changes("Changed since, and is silent", silent, library, page)
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
    if of_many and everything:
        return [*lines, *_changes("Changed since, and is silent", silent, library, page)]
    passed = len({each.change for each in silent}) if of_many else 0
    more = (
        f"{passed} change{'' if passed == 1 else 's'} since {'is' if passed == 1 else 'are'} silent (--all names them)."
    )
    return [*lines, "", *wrap(more, page.width)] if passed else lines


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
    """What becomes of each claim, what decides that now, and what would settle it."""
    lines = heading("Outcome", page)
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for claim, (before, after) in made.verdicts.items():
        words = f"stays {after.outcome}" if before.outcome is after.outcome else f"{before.outcome} -> {after.outcome}"
        found.setdefault((words, tuple(_reasons(made, after.decided))), []).append(claim)
    for (words, reasons), claims in found.items():
        lines += named_claims(claims, words, page)
        lines += [line for each in reasons for line in wrap(each, page.width, "    - ", "      ")]
    return lines


def _reasons(made: Statement, decided: Sequence[Ruling]) -> Iterator[str]:
    for each in decided[:FEW]:
        settle = each.hint or each.settles
        yield f"{each.message} ({each.code}){_not_by(made, each)}{f'; to settle it: {settle}' if settle else ''}"
    left = len(decided) - FEW
    if left > 0:
        yield f"and {left} more reason{'' if left == 1 else 's'} (`kb audit {made.evaluation.id} --all` lists them)"


def _not_by(made: Statement, ruling: Ruling) -> str:
    """That this kind of statement is no coverage: nobody should sign another one for it."""
    if ruling.rule != not_looked_at.NAME or "symbols" in made.record:
        return ""
    return f"; {'a review' if made.list == 'reviews' else 'a statement about one change'} does not settle that"


def named_claims(claims: Iterable[str], words: str, page: Page) -> list[str]:
    """`a, b: words`, wrapped."""
    return wrap(f"{', '.join(claims)}: {words}", page.width, "  ", "    ")
