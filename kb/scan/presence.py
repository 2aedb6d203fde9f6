"""In which releases a symbol, a string or an option is: yes, no or not established, from opened artifacts only.

A range reaches from one opened release to another; releases between them that were not opened follow from both ends.
What could not be opened is not established, and nothing is said beyond the first and the last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from kb.change import Shipped
from kb.errors import KbError
from kb.scan import native
from kb.scan.facts import What
from kb.scan.gather import facts
from kb.scan.symbols import module
from kb.scan.tree import Tree
from kb.versions import parse
from kb.vocabulary import Artifact, Ships

T = TypeVar("T")
Open = Callable[[], Tree]


@dataclass(frozen=True)
class Span(Generic[T]):
    """Releases in a row of which the same is so."""

    value: T
    first: str
    last: str
    opened: tuple[str, ...]

    @property
    def versions(self) -> str:
        """As a range, e.g. `>=0.11.1,<=0.33.0`."""
        return f"=={self.first}" if self.first == self.last else f">={self.first},<={self.last}"


def spans(found: Mapping[str, T]) -> tuple[Span[T], ...]:
    """Runs of releases with an equal value, oldest first."""
    runs: list[Span[T]] = []
    for version in sorted(found, key=lambda text: parse(text) or parse("0")):  # type: ignore[arg-type, return-value]
        value = found[version]
        if runs and runs[-1].value == value:
            runs[-1] = Span(value, runs[-1].first, version, (*runs[-1].opened, version))
        else:
            runs.append(Span(value, version, version, (version,)))
    return tuple(runs)


class Kind(StrEnum):
    SYMBOL = "symbol"
    """A function, class or constant of a Python module, or a symbol of a native library."""
    STRING = "string"
    OPTION = "option"
    ENV = "env"


@dataclass(frozen=True)
class Marker:
    """Something that tells by its presence whether an artifact carries a change."""

    kind: Kind
    name: str
    """A symbol by its last or qualified name."""
    globs: tuple[str, ...] = ("**",)
    """Where it is looked for."""

    def __str__(self) -> str:
        where = "" if self.globs == ("**",) else f" in {', '.join(self.globs)}"
        return f"{self.kind.value} {self.name}{where}"

    def within(self, tree: Tree) -> bool:
        """Whether a release has it."""
        return _WAYS[self.kind](self, tree)


def _symbol(marker: Marker, tree: Tree) -> bool:
    last = re.split(r"::|\.", marker.name)[-1]
    for path in tree.under(marker.globs):
        if path.endswith(".py"):
            text = tree.text(path)
            if last in text and any(_named(marker.name, each.plain) for each in module(path, text).symbols):
                return True
        elif native.LIBRARY.search(path) and native.has_symbol(tree.content(path), marker.name):
            return True
    return False


def _named(wanted: str, name: str) -> bool:
    return name == wanted or name.endswith(f".{wanted}")


def _string(marker: Marker, tree: Tree) -> bool:
    return any(native.has_string(tree.content(path), marker.name) for path in tree.under(marker.globs))


def _reads(what: What, marker: Marker, tree: Tree) -> bool:
    return any(each.what is what and each.name == marker.name for each in facts(tree, marker.globs))


_WAYS: dict[Kind, Callable[[Marker, Tree], bool]] = {
    Kind.SYMBOL: _symbol,
    Kind.STRING: _string,
    Kind.OPTION: lambda marker, tree: _reads(What.OPTION, marker, tree),
    Kind.ENV: lambda marker, tree: _reads(What.ENV, marker, tree),
}


def looked_for(marker: Marker, releases: Iterable[tuple[str, Open]]) -> dict[str, Ships]:
    """Version -> whether the release has it: not established where it cannot be opened or lacks the files looked in."""
    return {version: _in(marker, opened) for version, opened in releases}


def _in(marker: Marker, opened: Open) -> Ships:
    try:
        tree = opened()
        if not any(True for _ in tree.under(marker.globs)):
            return Ships.NOT_ESTABLISHED
        return Ships.YES if marker.within(tree) else Ships.NO
    except KbError:
        return Ships.NOT_ESTABLISHED


def shipped(distribution: str, artifact: Artifact, marker: Marker, found: Mapping[str, Ships]) -> tuple[Shipped, ...]:
    """What was found, as facts of a change record."""
    return tuple(
        Shipped(
            distribution=distribution,
            artifact=artifact,
            versions=each.versions,
            ships=each.value,
            marker=str(marker),
            checked=each.opened if each.value is not Ships.NOT_ESTABLISHED else (),
        )
        for each in spans(found)
    )


def first_and_last(found: Mapping[str, Ships]) -> tuple[str | None, str | None]:
    """First and last release that were seen to have it."""
    seen = [version for each in spans(found) if each.value is Ships.YES for version in each.opened]
    return (seen[0], seen[-1]) if seen else (None, None)
