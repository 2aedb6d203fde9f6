"""A language that is not written as its code.

## What it flags
A `language` of a record or translation that is none of the codes in use (en, ja, pt, zh, ko, de, fr, es).

## Why it matters
Text is cut into words by language, and `--lang` and the translation's file name go by the code.

## Example
    language: english

## What to do
Write the two-letter code.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation, Translation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.vocabulary import LANGUAGES, Severity

CODE = "KB159"
NAME = "unknown-language"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Languages outside the list."""
    record = loaded.record
    if isinstance(record, Evaluation | Translation) and record.language not in LANGUAGES:
        hint = did_you_mean(record.language, LANGUAGES) or f"codes: {', '.join(LANGUAGES)}"
        yield Problem(("language",), f'"{record.language}" is no language code in use here', hint)
