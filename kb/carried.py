"""In which known releases a change ships, and at which of them it came and went: artifact facts only, in PEP 440's
order. A release whose artifacts do not tell is in none of the three.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from packaging.version import Version

from kb.change import Change
from kb.versions import parse
from kb.vocabulary import Ships

Releases = Mapping[str, tuple[str, ...]]
"""Distribution -> versions of its known releases."""


def versions(change: Change, releases: Releases) -> tuple[str, ...]:
    """Every known release that carries the change, and every other version in which it was seen."""
    found = [version for _, row in _rows(change, releases) for version, ships in row if ships is Ships.YES]
    return tuple(dict.fromkeys(found))


def introduced(change: Change, releases: Releases) -> tuple[str, ...]:
    """The first release with it after one without it, in each distribution; several where it came back."""
    return _steps(change, releases, Ships.NO, Ships.YES)


def removed(change: Change, releases: Releases) -> tuple[str, ...]:
    """The first release without it after one with it."""
    return _steps(change, releases, Ships.YES, Ships.NO)


def _steps(change: Change, releases: Releases, before: Ships, after: Ships) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for _, row in _rows(change, releases):
        told = [(version, ships) for version, ships in row if ships is not Ships.NOT_ESTABLISHED]
        steps = pairwise(told)
        found |= {second[0]: None for first, second in steps if (first[1], second[1]) == (before, after)}
    return tuple(found)


def _rows(change: Change, releases: Releases) -> Iterator[tuple[str, list[tuple[str, Ships]]]]:
    """Each distribution that is spoken of, with its versions in order and whether they carry the change."""
    for distribution in dict.fromkeys(fact.distribution for fact in change.ships):
        checked = [v for fact in change.ships if fact.distribution == distribution for v in fact.checked]
        known = _ordered([*releases.get(distribution, ()), *checked])
        yield distribution, [(version, change.ships_in(distribution, version)) for version in known]


def _ordered(texts: Iterable[str]) -> list[str]:
    """Versions from old to new, each once; what is no version (a commit that was opened) is left out."""
    found: dict[Version, str] = {}
    for text in texts:
        if (version := parse(text)) is not None:
            found.setdefault(version, text)
    return [found[version] for version in sorted(found)]
