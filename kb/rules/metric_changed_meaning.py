"""A change of the load generator that altered what the metric means.

## What it flags
A change of kind `harness` that the arm reaches, between the client build that measured and the one asked about,
which touches what the claim's metric implies (pacing, definition of the metric, token counting).

## Why it matters
The number of another client build is another quantity: a difference would be the ruler's, not the system's.

## What it leaves alone
Changes of other clients, of pacing that the workload does not use, and of output that no metric is made from.

## Example
    aiperf before and after its replay kept think time, for a trace replay

## What to do
Re-measure with one client build for both arms, and keep the old numbers apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.change import Change
from kb.conditions import Truth
from kb.passage import Passage
from kb.silence import silence
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import ChangeKind, Outcome, Severity

CODE = "KB247"
NAME = "metric-changed-meaning"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.RECHECK
CONFIRMS = False


def is_harness(change: Change) -> bool:
    """Whether it changes the ruler and not what is measured."""
    return change.kind is ChangeKind.HARNESS


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Harness changes between the two client builds."""
    for answers in passage.answers:
        if not is_harness(answers.change) or answers.all is not Truth.YES or answers.stated:
            continue
        if silence(answers, passage) is None:
            yield Ruling(
                f"{answers.change.title}: {passage.interval()} measures something else than the claim's numbers",
                Outcome.RECHECK,
                place=Place(answers.change),
                hint="re-measure both arms with one client build",
                change=answers.change.id,
                expected=passage.measured_build,
                found=passage.asked_build,
                arm=answers.arm,
            )
