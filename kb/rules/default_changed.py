"""A default that the setup relied on is another one at the target.

## What it flags
A key that neither the evaluation nor the target sets, whose default differs between the two builds according to
their artifacts, and which belongs to a dimension that the claim rests on or its metric implies.

## Why it matters
What was not set was in force all the same: an unset key is the default of that day.

## What it leaves alone
Keys that are set, on either side; dimensions for which a change record between the two builds tells what happened:
the record is judged, guards and all, and goes before a bare difference of two defaults (a default can change its
name only).

## Example
    prefix caching unset, off by default in the measured release and on in the target's

## What to do
Set the key as it was to keep the claim, or measure with the new default.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.inforce import NOT_SET
from kb.passage import Passage
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import UNKNOWN, Outcome, Severity

CODE = "KB244"
NAME = "default-changed"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.RECHECK
CONFIRMS = False


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Defaults in force before and after that differ."""
    if passage.was is None or passage.now is None or passage.scene.only is not None:
        return
    for key, dimension in _differing(passage):
        if dimension in passage.scene.rests_on and not _told(passage, dimension):
            yield Ruling(
                f"default of {key} ({dimension}) went from {passage.before[key]} to {passage.after[key]}",
                Outcome.RECHECK,
                place=Place(passage.scene.evaluation, passage.scene.loc),
                hint=f"set {key} as it was, or measure with the new default",
                condition=key,
                expected=passage.before.shown(key),
                found=passage.after.shown(key),
                arm=passage.arm.id,
            )


def _told(passage: Passage, dimension: str) -> bool:
    """Whether a change record between the two builds tells what happened."""
    return any(dimension in flip.change.dimensions for _, flip, _ in passage.moved)


def _differing(passage: Passage) -> Iterator[tuple[str, str]]:
    """Key and dimension of every default of the line's components that differs."""
    before, after = passage.before, passage.after
    if before.defaults is after.defaults:  # releases that agree share them
        return
    mine = {f"{name} {passage.was}" for name in passage.line.components}
    for key in sorted(key for key, old in before.defaults.items() if after.defaults.get(key) != old):
        if before.origins[key] not in mine or key in before.stated or key in after.stated:
            continue
        dimension = passage.scene.registry.dimension_of(key)
        if dimension and not {None, UNKNOWN, NOT_SET} & {before.defaults[key], after.defaults.get(key)}:
            yield key, dimension
