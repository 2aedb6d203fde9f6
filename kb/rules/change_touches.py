"""A change ships, is reached, alters behaviour and touches what the claim rests on.

## What it flags
A recorded change that the measured build lacks and the target's build carries (or the other way round), whose
guards are met by the arm at the target, whose kind alters behaviour, and which meets the claim in a dimension it
names, in one that its metric implies, or in an anchored function. Every component of every cited arm is looked at,
and what the arms share.

## Why it matters
Nobody has measured the claim since. What the change does to the number is not said here: only a comparable run says
that.

## What it leaves alone
Changes that do not ship in the target, or that the measured build carried already; those behind an option that is
off, for another mode, platform, model family or phase; moved code, docs, tests, types and logging; dimensions the
claim does not rest on; what an impact statement or a review has settled. They are listed under `checked` with the
reason.

## Example
    claim rests on post-thread, measured on vLLM 0.29.0; a change of post-thread ships from 0.31.0 on; asked at 0.33.0

## What to do
Re-measure (`kb plan`), or, when it cannot matter, say why: `kb state CHANGE --claim ID/CLAIM --status not-affected
--justification WHY --because TEXT`. Of the other statuses `remeasured` settles it, too; `kb state --help` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.passage import Answers, Passage
from kb.verdict import Ruling, Said, whole
from kb.vocabulary import Outcome, Severity

CODE = "KB240"
NAME = "change-touches"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.RECHECK
CONFIRMS = False


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Every change between the two builds that is established in all four answers; of a chain of which each replaces
    the one before, the newest."""
    for answers in passage.answers:
        if answers.speaks and answers.change.id not in passage.outdone:
            yield _with_words(answers, passage)


def first(passage: Passage) -> Ruling | None:
    """The first of them."""
    answers = passage.first()
    return _with_words(answers, passage) if answers else None


def _with_words(answers: Answers, passage: Passage) -> Ruling:
    """With what a person said of it."""
    said = f"{answers.stated.date}: {answers.stated.because}" if answers.stated else None
    return ruling(answers, passage, said)


def ruling(answers: Answers, passage: Passage, said: str | None = None) -> Ruling:
    """The path from the change to the claim."""
    settle = passage.stating(answers.change.id)
    return Ruling(
        f"{said or answers.change.title}: {ships(answers, passage)}; it touches {touched(answers)}",
        Outcome.RECHECK,
        place=whole(answers.change),
        hint=f"re-measure at {passage.asked_build}, or say what it means here with {settle}",
        change=answers.change.id,
        symbol=answers.symbols[0] if answers.symbols else None,
        expected=passage.measured_build,
        found=passage.asked_build,
        arm=answers.arm,
    )


def ships(answers: Answers, passage: Passage) -> str:
    """Which of the builds carries it."""
    if answers.flip.gone:
        return f"{passage.measured_build} carries it, {passage.now} no longer does"
    return f"{passage.asked_build} carries it, {passage.was} does not"


def touched(answers: Answers) -> str:
    """Where it meets the claim."""
    return ", ".join((*answers.symbols, *answers.dimensions)) or "the claim"
