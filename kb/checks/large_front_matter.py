"""Front matter that is large.

## What it flags
More than 64 KiB of fields, which is some four hundred points.

## Why it matters
Nobody reviews a diff of that size, and every command that reads the record pays for it.

## What to do
Keep the points that claims rest on and a few more for context; attach the rest as a file beside the record.

## Example
A whole sweep of four hundred rows under `points`, of which the claims cite six.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB118"
NAME = "large-front-matter"
SEVERITY = Severity.WARNING

LARGE = 64 << 10
"""Characters of front matter that a reviewer still reads."""


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """The size, when it is above the limit; components and the vocabulary are lists by nature."""
    if len(loaded.front) > LARGE and loaded.path.endswith(".md"):
        size = f"front matter is {len(loaded.front) >> 10} KiB"
        yield Problem((), size, "keep what claims rest on; put the rest into a file in the record's folder")
