"""A pin that no known release matches.

## What it flags
A version, or a range of versions, that is none of the releases its component's record lists, although the list
reaches beyond it. Development builds, and pins with a branch, commit, fork or image, are not judged; neither are
components whose releases are unknown.

## Why it matters
A version that was never released is a typing error or a build of somebody's own; either way no change can be placed
before or after it.

## Example
    setup: {engine: {component: vllm, version: 0.25.7}}

## What to do
Correct the version; for a build of your own add `commit` or `branch`; a release that is missing in the list is added to
the component.
"""

from __future__ import annotations

from collections.abc import Iterator

from packaging.version import Version

from kb.component import Release
from kb.finding import Problem
from kb.library import Library
from kb.mentions import pins
from kb.reading import Loaded
from kb.setup import Pin
from kb.suggest import nearest_version
from kb.versions import contains, parse, parse_range
from kb.vocabulary import UNKNOWN, Severity

CODE = "KB146"
NAME = "no-such-release"
SEVERITY = Severity.WARNING


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Pins outside the list of releases."""
    for loc, pin in pins(loaded.record):
        releases = library.releases_of(pin.component)
        if not releases or pin.version in {None, UNKNOWN} or is_own_build(pin):
            continue
        if (message := _judge(str(pin.version), releases)) is not None:
            yield Problem((*loc, "version"), f"{pin.component} {message}", _hint(str(pin.version), releases))


def is_own_build(pin: Pin) -> bool:
    """Whether something other than a release ran: no list of releases tells about it."""
    named = (pin.commit, pin.image, pin.branch, pin.fork, pin.as_of, *pin.patches)
    return any(each not in {None, UNKNOWN} for each in named)


def _judge(pin: str, releases: tuple[Release, ...]) -> str | None:
    version = parse(pin)
    if version is None:
        none = parse_range(pin) is not None and not any(contains(pin, each.version) for each in releases)
        return f"has no known release in {pin}" if none else None
    known = [parsed for each in releases if (parsed := parse(each.version)) is not None]
    if version in known or version.is_devrelease or version.local or not known:
        return None
    beyond = version > max(known) or version < min(known)
    return None if beyond or _is_candidate(version, known) else f"{pin} is no known release"


def _is_candidate(version: Version, known: list[Version]) -> bool:
    """A pre-release of a known release."""
    return version.is_prerelease and Version(version.base_version) in known


def _hint(pin: str, releases: tuple[Release, ...]) -> str:
    near = nearest_version(pin, [each.version for each in releases])
    return f'did you mean "{near}"?' if near else "a build of your own is named by commit or branch"
