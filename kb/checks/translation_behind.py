"""A translation that is behind its original.

## What it flags
A translation whose `of` is not the digest of the original's present title, claims and limits, one that states no `of`,
and one that leaves claims untranslated.

## Why it matters
A reader of the translation decides on sentences that have since been corrected.

## Example
    # entries/evaluations/shared-result.ja.md
    translates: shared-result
    language: ja
    title: 共有された結果
    of: 000000000000

## What to do
Bring the sentences up to date, then write the digest that the hint gives into `of`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Translation
from kb.finding import Problem
from kb.library import Library
from kb.mentions import named
from kb.reading import Loaded
from kb.translation import digest
from kb.vocabulary import Severity

CODE = "KB115"
NAME = "translation-behind"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """A digest that is missing or not the original's, and claims without a sentence."""
    record = loaded.record
    original = library.evaluations.get(record.translates) if isinstance(record, Translation) else None
    if not isinstance(record, Translation) or original is None:
        return
    present = digest(original)
    if record.of is None:
        yield Problem(
            (), "does not say which state of the original it translates", f"when it is up to date: of: {present}"
        )
    elif record.of != present:
        yield Problem(
            ("of",), f'"{original.id}" has changed since it was translated', f"bring it up to date, then of: {present}"
        )
    if missing := [claim.id for claim in original.claims if claim.id not in {each.id for each in record.claims}]:
        yield Problem(("claims",), f"claims not translated: {named(missing)}", "add their sentences")
