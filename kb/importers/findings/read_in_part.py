"""A file of which not everything was read.

## What it flags
A file that breaks off or is damaged after some of its runs, a key that stands twice in one object, a block without its
last line, a text or table whose last line has no end.

## Why it matters
What was read is right as far as it goes; what is missing may be the runs that matter.

## Example
    a JSON Lines file whose last line was cut by a full disk

## What to do
Fetch the file again where it was written, or mend its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.importers.findings import Said
from kb.importers.run import Run
from kb.vocabulary import Severity

CODE = "KB342"
NAME = "read-in-part"
SEVERITY = Severity.WARNING

SIGNS = ("what follows it: ", "keys that stand twice", "the block breaks off", "the last line has no end")
"""How such sentences of `not_understood` begin."""


def check(runs: Sequence[Run]) -> Iterator[Said]:
    """Runs that say so of their file."""
    for n, run in enumerate(runs):
        for each in run.not_understood:
            if each.startswith(SIGNS):
                yield Said(n, each)
