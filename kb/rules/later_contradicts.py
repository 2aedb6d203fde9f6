"""A later comparable evaluation gives another answer.

## What it flags
A measured claim of a later evaluation of the same question, with the same arms, metric definition and statistic,
under conditions that meet, on a release that the target can run, whose direction is another one. A later evaluation of
which a person wrote that it contradicts or supersedes this one, and which the tool cannot compare with it, decides
nothing by itself; it keeps a plain `holds` from being said.

## Why it matters
The old statement is not to be used any more. That the two are comparable is assembled here, field by field; a
person confirms it.

## What it leaves alone
Another goal, another definition of the metric, another statistic, an unreleased build, a result outside a condition
that the claim states, evaluations that call themselves `related`, `inapplicable` or `same-source`. A different size
alone is no conflict.

## Example
    push beats pull on 0.29.0; a later run on 0.32.0, same load, finds pull ahead

## What to do
Read both (`kb compare A B`), and write the relation and its reason into the later record.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.later import Later, Sort, Written, against, foremost, written
from kb.scene import Scene
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Outcome, Relation, Severity

CODE = "KB220"
NAME = "later-contradicts"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.SUPERSEDED
CONFIRMS = True


def judge(scene: Scene) -> Iterator[Said]:
    """Later claims with another answer."""
    yield from _words(scene)
    yield from (_ruling(each, scene) for each in against(scene) if each.sort is Sort.CONTRADICTS)


def in_short(scene: Scene) -> Iterator[Said]:
    """Of these the first by name: by that rulings of one outcome go before each other, and all ask for a person. What
    people wrote has no outcome, and counts where nothing has."""
    found = foremost(scene, Sort.CONTRADICTS)
    yield from (_ruling(each, scene) for each in found)
    if not found:
        yield from _words(scene)


def _ruling(each: Later, scene: Scene) -> Ruling:
    return Ruling(
        f"{each.name} ({each.evaluation.date}) gives another answer: {each.claim.says}",
        Outcome.SUPERSEDED,
        confirm=True,
        place=Place(each.evaluation, ("claims", each.evaluation.claims.index(each.claim))),
        hint=f"confirm that they are comparable: `kb compare {scene.evaluation.id} {each.evaluation.id}`",
        expected=scene.claim.says,
        found=each.claim.says,
    )


def _words(scene: Scene) -> Iterator[Ruling]:
    yield from (_by_word(each) for each in written(scene) if each.relation.relation is not Relation.NARROWS)


def _by_word(each: Written) -> Ruling:
    """A person's word about two that the tool cannot compare: asked, and not decided."""
    because = f": {each.relation.because}" if each.relation.because else ""
    return Ruling(
        f"{each.evaluation.id} ({each.evaluation.date}) is recorded as `{each.relation.relation}` this one{because}; "
        f"by itself the tool does not compare them ({each.because})",
        confirm=True,
        place=Place(each.evaluation, ("relations", each.evaluation.relations.index(each.relation))),
        hint="say which of the two is to be used: file both under one question, or call the later one `related`",
        expected="one question, metric and statistic",
        found=each.because,
    )
