"""A component whose releases nobody lists.

## What it flags
A component that ships in a distribution for which no component of this base or of a mounted one lists releases.

## Why it matters
Its pins cannot be placed, and the newest release, the usual target of an audit, is not known.

## Example
    # entries/components/it.yaml
    kind: connector
    ships_in: a-distribution-of-nobody

## What to do
List the releases, with their days, on the component that owns the distribution.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.component import Component
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB172"
NAME = "component-without-releases"
SEVERITY = Severity.INFO


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Distributions without a list."""
    record = loaded.record
    if isinstance(record, Component) and not library.releases_of(record.id):
        home = record.ships_in or record.id
        yield Problem(("ships_in",), f"no component lists releases of {home}", f"add `releases` to the owner of {home}")
