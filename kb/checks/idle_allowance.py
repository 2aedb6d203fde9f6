"""An allowance that excuses nothing.

## What it flags
An entry under `allow` that names no check, or a check that has nothing to say about this record.

## Why it matters
It was right once. Left in place, it will excuse the next finding that nobody has looked at.

## Example
    allow: [{check: signal-without-horizon, because: there was one}]

## What to do
Remove it, or correct the name.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.finding import Problem
from kb.library import Library
from kb.model import RecordModel
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.vocabulary import Severity

CODE = "KB190"
NAME = "idle-allowance"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Allowances without a finding behind them; only the checks that are named run again."""
    from kb.checks import find, names

    record = loaded.record
    for n, allowed in enumerate(record.allow if isinstance(record, RecordModel) else ()):
        module = find(allowed.check)
        if module is None:
            hint = did_you_mean(allowed.check, names()) or "`kb explain` lists the checks"
            yield Problem(("allow", n, "check"), f'no check is called "{allowed.check}"', hint)
        elif module.NAME != NAME and not any(getattr(module, "check", _nothing)(loaded, library)):
            yield Problem(("allow", n), f"{module.NAME} has nothing to say here", "remove the allowance")


def _nothing(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    return iter(())
