"""A result without saying who measured it.

## What it flags
An evaluation without a source, or whose source does not state its relation to what it measures: vendor, maintainer,
independent, own; `unknown` where nobody can tell.

## Why it matters
A vendor's result on the vendor's own code is evidence, and needs an independent replication; readers must see which
it is.

## Example
    source: {by: AWS, url: unknown}

## What to do
Add `relation`. Who sells or writes the measured thing is `vendor` or `maintainer`, whoever published it.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.evaluation import Evaluation
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.vocabulary import Severity

CODE = "KB155"
NAME = "source-without-relation"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Evaluations of nobody in particular."""
    record = loaded.record
    if not isinstance(record, Evaluation):
        return
    hint = "add source: {relation: vendor | maintainer | independent | own | unknown}"
    if record.source is None:
        yield Problem((), "no source: who measured this?", hint)
    elif record.source.relation is None:
        by = f" {record.source.by}'s relation" if record.source.by else " the source's relation"
        yield Problem(("source",), f"{by.strip()} to what was measured is not stated", hint)
