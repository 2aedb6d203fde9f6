"""Two recorded builds that a short name could both mean, or one that lies beside the known releases.

## What it flags
In a component's `builds`: commits of which one begins with the other, or whose first seven digits are the same; a
digest listed twice; a version, `after` or `before` that is no release of the component.

## Why it matters
A pin that names a commit in short is placed among the releases by this list. Where two could be meant none is taken,
and the pin stays as open as if nobody had recorded it.

## Example
    # entries/components/it.yaml
    kind: engine
    releases: [{version: 0.18.0, date: 2026-03-20}]
    builds:
      - {commit: abcdef1234, version: 0.18.0}
      - {commit: abcdef1999, version: 0.18.0}

## What to do
Write commits with as many digits as tell them apart; look versions up among the releases.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.component import Component
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.versions import parse
from kb.vocabulary import Severity

CODE = "KB174"
NAME = "ambiguous-build"
SEVERITY = Severity.WARNING

SHORT = 7
"""Digits by which a commit is named at least."""


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Builds against each other and against the releases."""
    if not isinstance(loaded.record, Component):
        return
    releases = [each.version for each in library.releases_of(loaded.record.id)]
    known = set(map(parse, releases))
    seen: dict[str, str] = {}
    for n, each in enumerate(loaded.record.builds):
        key = "commit" if each.commit else "image"
        name = each.commit or each.image or ""
        # what a commit can be named by; a digest is named whole
        other = seen.setdefault(name[:SHORT] if each.commit else name, name)
        if other is not name:
            yield Problem(("builds", n, key), f"{name} and {other} begin alike", "more digits tell them apart")
        for field in ("version", "after", "before"):
            version = getattr(each, field)
            if version and releases and parse(version) not in known:
                hint = did_you_mean(version, releases)
                yield Problem(("builds", n, field), f"{version} is no known release", hint)
