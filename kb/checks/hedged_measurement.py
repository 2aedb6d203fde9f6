"""A hypothesis written as measured.

## What it flags
A claim of kind `measured` whose sentence supposes: "should", "would", "is expected to", "probably", "we believe". Words
that only round ("about", "roughly") or report ("is said to be measured") do not count.

## Why it matters
A supposition in the list of measurements is quoted as one.

## Example
    claims:
      - id: scales
        kind: measured
        says: Push should also win with several decoders.
        effect: {form: order, metric: ttft, arm: push, against: pull, better: push}

## What to do
Make it a `hypothesis`, or say what was measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import ClaimKind, Severity

CODE = "KB153"
NAME = "hedged-measurement"
SEVERITY = Severity.WARNING

_HEDGE = re.compile(
    r"\b(?:should(?! not be (?:read|taken|compared))|would(?! have)|might|is expected to|are expected to|we expect|"
    r"presumably|probably|likely|in theory|theoretically|we believe|we assume|deveria|provavelmente|talvez|espera-se)\b"
    r"|だろう|はずである|はずだ|と思われる|と考えられる|かもしれない",
    re.IGNORECASE,
)


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Measured claims that suppose."""
    record = loaded.record
    if isinstance(record, Evaluation):
        for n, claim in enumerate(record.claims):
            if claim.kind is ClaimKind.MEASURED and (hedge := _HEDGE.search(claim.says)):
                message = f'claim "{claim.id}" is measured and says "{hedge[0]}"'
                yield Problem(("claims", n, "says"), message, "make it a hypothesis, or say what was measured")
