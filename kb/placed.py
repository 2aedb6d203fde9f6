"""Commits and images among the releases of a component, as its record says where they lie."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kb.component import Build
from kb.vocabulary import UNKNOWN

_DIGEST = re.compile(r"sha256:[0-9a-f]{7,64}")


class Mark(NamedTuple):
    """The commit or image that a pin names, to be compared with another one of the same component."""

    name: str
    """The commit as far as it is known, or the image's digest."""
    order: int | None = None
    """Number of commits up to it on the main line."""

    def same(self, other: Mark) -> bool:
        """Whether both are one build: the same digits, as far as the shorter one goes."""
        return self.name.startswith(other.name) or other.name.startswith(self.name)


def mark(pin: Mapping[str, object], known: Iterable[Build]) -> tuple[Mark | None, Build | None]:
    """What a pin names, and where the record places it; no place for what is unknown,
    could be several, or is placed twice and not alike."""
    for field in ("commit", "image"):
        text = str(pin.get(field) or UNKNOWN)
        named = text if field == "commit" else _digest(text)
        if named in {None, UNKNOWN}:
            continue
        recorded: dict[str, list[Build]] = {}
        for each in known:
            if name := getattr(each, field):
                recorded.setdefault(str(name), []).append(each)
        alike = [name for name in recorded if Mark(name).same(Mark(str(named)))]
        if len(alike) != 1 or not _agree(recorded[alike[0]]):
            return Mark(str(named)), None
        build = recorded[alike[0]][0]
        return Mark(max(alike[0], str(named), key=len), build.order), build
    return None, None


def _agree(builds: Iterable[Build]) -> bool:
    """Whether all that is recorded of one build places it alike."""
    return len({(each.version, each.after, each.before, each.order) for each in builds}) == 1


def _digest(image: str) -> str | None:
    found = _DIGEST.search(image)
    return found[0] if found else None


def in_words(build: Build) -> str:
    """Where it lies."""
    return f"{build.version}" if build.version else f"between {build.after} and {build.before}"
