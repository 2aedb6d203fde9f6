"""Where a named symbol, string, option or variable is first and last seen among the releases on the package index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from packaging.utils import canonicalize_name

from kb.component import Component
from kb.errors import KbError
from kb.scan.index import Index
from kb.scan.pins import pins
from kb.scan.presence import Kind, Marker, Open, first_and_last, looked_for, shipped
from kb.scan.tree import Tree
from kb.versions import contains, parse
from kb.vocabulary import Artifact, Ships


@dataclass(frozen=True)
class Sought:
    """What was found in the artifacts of one kind of one distribution."""

    distribution: str
    artifact: Artifact
    marker: Marker
    found: Mapping[str, Ships]
    hands_on: tuple[str, ...] = ()
    """Distributions of the component that releases without the marker require: what those ship comes with them."""

    def as_dict(self) -> dict[str, Any]:
        """Shape of a row of `seen[]`; its facts are `ships` of a change record."""
        first, last = first_and_last(self.found)
        facts = shipped(self.distribution, self.artifact, self.marker, self.found)
        return {
            "distribution": self.distribution,
            "artifact": self.artifact.value,
            "marker": str(self.marker),
            "first": first,
            "last": last,
            "hands_on": list(self.hands_on),
            "ships": [each.model_dump(mode="json", exclude_none=True) for each in facts],
        }


def marker(text: str) -> Marker:
    """`symbol:NAME`, `string:WORDS`, `option:NAME` or `env:NAME`. Raises KbError."""
    kind, _, name = text.partition(":")
    kinds = ", ".join(f"{each}:NAME" for each in Kind)
    if kind not in set(Kind):
        plain = text if kind.strip() else "num_threads"
        raise KbError(f'"{text}" does not say what it is: one of {kinds}', f"for example {Kind.OPTION}:{plain}")
    if not name.strip():
        raise KbError("nothing to look for was named", f"one of {kinds}")
    return Marker(Kind(kind), name.strip())


def sought(wanted: Sequence[Marker], component: Component, index: Index, versions: str) -> Iterator[Sought]:
    """Per distribution that the component ships in, of each marker: releases in a range that have it. Raises KbError.

    The sdists are opened. Releases that have a wheel only are a row of their own, for a wheel is another witness; among
    the sdists they are not established. A wheel that has none of the component's files and requires another of its
    distributions is no witness that something is absent.
    """
    distributions = (component.ships_in or component.id, *component.also_ships_in)
    for distribution in distributions:
        there = _kinds(distribution, index)
        for kind in (Artifact.SDIST, Artifact.WHEEL):
            releases = [
                (version, _within(component, opened))
                for version, opened in index.each(distribution, versions, kind)
                if kind is Artifact.SDIST or Artifact.SDIST not in there[parse(version)]
            ]
            if any(kind in there[parse(version)] for version, _ in releases):
                others = [each for each in distributions if each != distribution]
                found, required = _asked(wanted, releases, others if kind is Artifact.WHEEL else ())
                for each, ships in found.items():
                    handing = {version: required[version] for version in required if ships[version] is Ships.NO}
                    hands_on = tuple(sorted({name for names in handing.values() for name in names}))
                    told = ships | dict.fromkeys(handing, Ships.NOT_ESTABLISHED)
                    yield Sought(distribution, kind, each, told, hands_on)


def _asked(
    wanted: Sequence[Marker], releases: Iterable[tuple[str, Open]], others: Iterable[str]
) -> tuple[dict[Marker, dict[str, Ships]], dict[str, set[str]]]:
    """Marker -> version -> whether the release has it; and version -> those of the others that it requires.

    A release is opened once, whatever is asked of it.
    """
    found: dict[Marker, dict[str, Ships]] = {each: {} for each in wanted}
    required: dict[str, set[str]] = {}
    known = {canonicalize_name(each): each for each in others}
    for version, opened in releases:
        held = _held(opened, several=len(found) > 1)
        for each in found:
            found[each] |= looked_for(each, [(version, held)])
        if known and any(found[each][version] is Ships.NO for each in found):
            names = {known[name] for each in pins(held()) if (name := canonicalize_name(each.name)) in known}
            required |= {version: names} if names else {}
    return found, required


def _held(opened: Open, several: bool) -> Open:
    """Opens a release once, and reads each of its files once where several questions are asked of it."""

    @cache
    def once() -> Tree:
        tree = opened()
        return replace(tree, content=cache(tree.content)) if several else tree

    return once


def _kinds(distribution: str, index: Index) -> Mapping[object, set[Artifact]]:
    """Version -> kinds of artifact that it has."""
    found: dict[object, set[Artifact]] = defaultdict(set)
    for each in index.listing(distribution).files:
        found[parse(each.version)].add(each.artifact)
    return found


def _within(component: Component, opened: Open) -> Open:
    """A release with the component's own files only, if it has any under their paths: a wheel of libraries has not."""

    def narrowed() -> Tree:
        tree = opened()
        globs = [each.glob for each in component.paths if not each.neighbour and contains(each.versions, tree.label)]
        own = tuple(tree.under(globs))
        return Tree(tree.label, own, tree.content) if own else tree

    return narrowed
