"""A change could matter, and one of the four answers is not established.

## What it flags
A change of which no answer is no, but at least one is unknown: whether a release carries it, whether the setup
reaches it (a guard speaks of a fact that nobody stated), whether the claim speaks of its phase, or what it alters.

## Why it matters
A `holds` beside it would be a guess. The finding names the fact that would settle it.

## What it leaves alone
A single no ends the matter: a change behind an option that is off is silent, whatever else is unknown about it.

## Example
    guard `transport.backend is LIBFABRIC`, and the evaluation does not say which backend ran

## What to do
Establish the fact that is named: look into the artifact, ask the author, or state the key in the deployment.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.conditions import AnyOf, Condition, Truth
from kb.passage import Answers, Passage
from kb.rules.change_touches import touched
from kb.rules.correctness_defect import open_defects
from kb.rules.draft_change import is_draft
from kb.silence import silence
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import ImpactStatus, Outcome, Severity, Ships

CODE = "KB241"
NAME = "change-not-established"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.UNKNOWN
CONFIRMS = False


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Changes between the two builds with an open answer."""
    for answers in passage.answers:
        if answers.stated and answers.stated.status is ImpactStatus.UNDER_INVESTIGATION:
            yield _ruling(answers, "a person is looking into it", answers.stated.because, passage)
        elif _is_open(answers) and (answers.stated or silence(answers, passage) is None):
            yield _ruling(answers, *_open(answers, passage), passage)
    yield from open_defects(passage)


def _is_open(answers: Answers) -> bool:
    """A person who says that it matters does not say that it ships."""
    if answers.stated:
        return answers.ships is Truth.UNKNOWN
    return answers.all is Truth.UNKNOWN and not is_draft(answers.change)


def _ruling(answers: Answers, what: str, settles: str, passage: Passage) -> Ruling:
    guard = answers.unmet[0] if answers.unmet else None
    keys = _keys(guard) if guard else ()
    facts = passage.before if answers.flip.gone else passage.after
    return Ruling(
        f"{answers.change.title}: {what}; it would touch {touched(answers)}",
        Outcome.UNKNOWN,
        place=Place(answers.change, ("guards",) if answers.unmet else ()),
        hint=settles,
        change=answers.change.id,
        condition=str(guard) if guard else None,
        expected=str(guard) if guard else None,
        found="; ".join(f"{key}: {facts.shown(key)}" for key in keys) or None,
        arm=answers.arm,
        settles=settles,
    )


def _open(answers: Answers, passage: Passage) -> tuple[str, str]:
    """What is not established, and what would settle it."""
    if answers.ships is Truth.UNKNOWN:
        unread = passage.was if answers.flip.was is Ships.NOT_ESTABLISHED else passage.now
        both = answers.flip.was is answers.flip.now is Ships.NOT_ESTABLISHED
        which = f"{passage.was} and {passage.now}" if both else unread
        return (
            f"whether {passage.line.names()} {which} {'carry' if both else 'carries'} it is not established",
            f"look into the artifact of {passage.line.names()} {which} and add it to `ships` of {answers.change.id}",
        )
    if answers.reached is Truth.UNKNOWN and answers.unmet:
        keys = ", ".join(_keys(answers.unmet[0]))
        return f"whether the {answers.arm} arm reaches it is not established ({answers.unmet[0]})", f"state {keys}"
    if answers.phase is Truth.UNKNOWN:
        phase = answers.change.phase
        return (
            f"it is felt in {phase}, and the claim states no phase",
            f"say whether {phase} was part of what is claimed",
        )
    if answers.change.dimensions and passage.scene.vague:
        words = ", ".join(sorted(set(passage.scene.claim.rests_on) - passage.scene.library.dimensions))
        return f"the claim rests on {words}, of which nobody knows what it is", "name dimensions of the vocabulary"
    if answers.change.dimensions:
        return "the claim does not say what it rests on (rests_on)", "give it dimensions or anchors"
    return "what it alters is not stated (no dimensions)", f"give {answers.change.id} its dimensions"


def _keys(guard: Condition | AnyOf) -> tuple[str, ...]:
    single = guard.any_of if isinstance(guard, AnyOf) else (guard,)
    named = (name for each in single for name in (each.key, each.other) if name)
    return tuple(dict.fromkeys(named))
