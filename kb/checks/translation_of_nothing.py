"""A translation of something the original does not say.

## What it flags
A claim in a translation that the original does not have, the same claim twice, more limits than the original has, and a
translation into the original's own language.

## Why it matters
A sentence without an original has no points, no conditions and no verdict.

## Example
    # entries/evaluations/shared-result.ja.md
    translates: shared-result
    language: ja
    title: 共有された結果
    claims: [{id: no-such-claim, says: そんな主張はない。}]

## What to do
Correct the claim's id, or remove the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation, Translation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.vocabulary import Severity

CODE = "KB116"
NAME = "translation-of-nothing"
SEVERITY = Severity.ERROR


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Sentences of the translation that translate nothing."""
    record = loaded.record
    original = library.evaluations.get(record.translates) if isinstance(record, Translation) else None
    if not isinstance(record, Translation) or original is None:
        return
    yield from _claims(record, original)
    if len(record.limits) > len(original.limits):
        extra = f"{len(record.limits)} limits translate {len(original.limits)}"
        yield Problem(("limits",), extra, "limits follow the original's order, one for one")
    if record.language == original.language:
        yield Problem(
            ("language",), f'the original is in "{original.language}" already', "name the translation's language"
        )


def _claims(record: Translation, original: Evaluation) -> Iterator[Problem]:
    names = {claim.id for claim in original.claims}
    seen: set[str] = set()
    for n, claim in enumerate(record.claims):
        if claim.id not in names:
            yield Problem(
                ("claims", n, "id"), f'"{original.id}" has no claim "{claim.id}"', did_you_mean(claim.id, names)
            )
        elif claim.id in seen:
            yield Problem(("claims", n, "id"), f'claim "{claim.id}" is translated twice', "keep one of the two")
        seen.add(claim.id)
