"""A review is older than a change that matters.

## What it flags
A change that speaks against a reviewed claim and that the newest review of it did not see, or that ships only after
the version reviewed.

## Why it matters
Somebody signed the claim off; the sign-off says nothing of what came after it.

## What it leaves alone
Changes that the review saw and that have not moved since. It has no outcome of its own: the change has.

## Example
    reviewed at vLLM 0.31.0; a change of the post thread ships in 0.32.0

## What to do
Review again: `kb review ID/CLAIM --at vllm=0.32.0 --because ...` shows what changed since.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.conditions import Truth
from kb.passage import Answers, Passage
from kb.silence import silence
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Severity

CODE = "KB262"
NAME = "review-outdated"
SEVERITY = Severity.INFO
STRONGEST = None
CONFIRMS = False


def judge_passage(passage: Passage) -> Iterator[Said]:
    """Changes that no review of the claim covers, where there is one."""
    evaluation, claim = passage.scene.evaluation, passage.scene.claim
    reviews = [(n, each) for n, each in enumerate(evaluation.reviews) if not each.claims or claim.id in each.claims]
    if not reviews:
        return
    number, newest = max(reviews, key=lambda pair: (pair[1].date, pair[0]))
    for answers in passage.answers:
        if _speaks(answers, passage):
            yield Ruling(
                f"the review of {newest.date} did not cover {answers.change.id}",
                place=Place(evaluation, ("reviews", number)),
                hint="review again at the versions you run",
                change=answers.change.id,
                expected="a review that saw it",
                found=", ".join(f"{name} {version}" for name, version in newest.at.items()),
                arm=answers.arm,
            )


def _speaks(answers: Answers, passage: Passage) -> bool:
    return answers.all is not Truth.NO and silence(answers, passage) is None
