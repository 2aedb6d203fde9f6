"""A later evaluation measured a boundary that the claim does not state.

## What it flags
A measured claim of a later evaluation of the same question that compares the same things, gives another answer, and
differs in circumstances (load, topology, cache, block size, state of the KV pool...) of which this claim's
conditions say nothing. And a later evaluation of which a person wrote that it narrows this one (`relations`), where the
tool cannot compare the two by itself: another question, another metric.

## Why it matters
The claim is true for fewer situations than it says.

## What it leaves alone
Boundaries that a condition of the claim states already: such a result supports the condition. Agreement elsewhere.

## Example
    "reader thread 1.6x"; a later run with prefix caching on shows no change

## What to do
Confirm the boundary, and add it to the claim's conditions.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.later import Later, Sort, Written, against, foremost, written
from kb.scene import Scene
from kb.verdict import Place, Ruling, Said
from kb.vocabulary import Outcome, Relation, Severity

CODE = "KB221"
NAME = "later-narrows"
SEVERITY = Severity.WARNING
STRONGEST = Outcome.NARROWED
CONFIRMS = True


def judge(scene: Scene) -> Iterator[Said]:
    """Later claims with another answer elsewhere."""
    yield from _words(scene)
    yield from (_ruling(each) for each in against(scene) if each.sort is Sort.NARROWS)


def in_short(scene: Scene) -> Iterator[Said]:
    """Of these the first by name, by which rulings of one outcome go before each other, and what people wrote."""
    yield from _words(scene)
    yield from map(_ruling, foremost(scene, Sort.NARROWS))


def _ruling(each: Later) -> Ruling:
    fields = "; ".join(f"{reason.field} {reason.one} here, {reason.other} there" for reason in each.boundary)
    return Ruling(
        f"{each.name} finds another answer where {fields}: {each.claim.says}",
        Outcome.NARROWED,
        confirm=True,
        place=Place(each.evaluation, ("claims", each.evaluation.claims.index(each.claim))),
        hint="confirm the boundary, and add it to the claim's conditions",
        condition=", ".join(reason.field for reason in each.boundary),
        expected="; ".join(reason.one for reason in each.boundary),
        found="; ".join(reason.other for reason in each.boundary),
    )


def _words(scene: Scene) -> Iterator[Ruling]:
    yield from (_by_word(each) for each in written(scene) if each.relation.relation is Relation.NARROWS)


def _by_word(each: Written) -> Ruling:
    """A person's word, with what keeps the tool from saying it by itself."""
    because = each.relation.because or "without a reason"
    return Ruling(
        f"{each.evaluation.id} ({each.evaluation.date}) is recorded as narrowing it: {because}",
        Outcome.NARROWED,
        confirm=True,
        place=Place(each.evaluation, ("relations", each.evaluation.relations.index(each.relation))),
        hint="confirm the boundary, and add it to the claim's conditions",
        expected="the claim as it stands",
        found=f"narrowed by a person's word; by itself the tool does not compare them: {each.because}",
    )
