"""Recorded commits whose order contradicts where they lie.

## What it flags
In a component's `builds`: a commit with fewer commits up to it than another one that lies before it (it came after the
release that the other one is, or came before); two commits with the same number.

## Why it matters
By `order` two commits of one line are compared: what lies between them decides which builds a pin can be together
with a target. Two facts that contradict each other leave out the right pair.

## Example
    # entries/components/it.yaml
    kind: engine
    releases: [{version: 0.18.0, date: 2026-03-20}, {version: 0.19.0, date: 2026-04-20}]
    builds:
      - {commit: abcdef1234, version: 0.18.0, order: 900}
      - {commit: beef567890, version: 0.19.0, order: 700}

## What to do
Count again on the main line (`git rev-list --count COMMIT`); a commit of a release branch has no `order`.
"""

from __future__ import annotations

from collections.abc import Iterator

from packaging.version import Version

from kb.component import Build, Component
from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.versions import parse
from kb.vocabulary import Severity

CODE = "KB175"
NAME = "builds-out-of-order"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:  # noqa: ARG001
    """Commits by their order: none lies wholly before one that was counted earlier."""
    if not isinstance(loaded.record, Component):
        return
    counted = [(each.order, n, each) for n, each in enumerate(loaded.record.builds) if each.order is not None]
    latest: Build | None = None
    last: Build | None = None
    for order, n, each in sorted(counted, key=lambda one: one[:2]):
        place = ("builds", n, "order")
        if last is not None and last.order == order:
            yield Problem(place, f"{each.commit} and {last.commit} are both number {order}", _HINT)
        elif latest is not None and _lies_before(each, latest):
            said = f"{each.commit} is number {order} and lies before {latest.commit}, number {latest.order}"
            yield Problem(place, said, _HINT)
        if latest is None or _low(each) >= _low(latest):
            latest = each
        last = each


_HINT = "count both on the main line; a commit of a release branch has no order"


def _low(build: Build) -> Version:
    """The release that it is not older than."""
    return parse(build.version or build.after or "") or Version("0")


def _lies_before(one: Build, other: Build) -> bool:
    """Whether one lies wholly before another; two that are one release may be in either order."""
    high = parse(one.version or one.before or "") or Version("0")
    return high < _low(other) or (high == _low(other) and not (one.version and other.version))
