"""What a verdict is asked for: a deployment, or the evaluation's own setup, at versions that may be given by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from kb.errors import KbError, NotFound
from kb.library import Library
from kb.setup import Setup
from kb.suggest import nearest
from kb.versions import parse, parse_range
from kb.vocabulary import UNKNOWN

SideName = Literal["prefill", "decode"]
SIDES: tuple[SideName, SideName] = ("prefill", "decode")
NEWEST = "newest"
COMMIT_DIGITS = 40
"""Of a commit that is written out."""


@dataclass(frozen=True)
class Target:
    """Where a conclusion is to be relied on."""

    name: str | None = None
    """The deployment's id, or the file it was read from; none for the evaluation's own setup."""
    setup: Setup | None = None
    """What is run there; without it, what the evaluation ran."""
    at: Mapping[tuple[str | None, str], str] = field(default_factory=dict)
    """(Side or none, component id or distribution) -> version, range, `unknown`, `commit:HEX` or `image:DIGEST`, given
    by hand."""
    unread: tuple[str, ...] = ()
    """What of the deployment could not be read."""
    notes: tuple[str, ...] = ()
    """What has to be known of the versions that are asked about: releases that nobody has recorded."""

    @property
    def own(self) -> bool:
        """Whether it is the evaluation's own setup, moved."""
        return self.setup is None

    def version(self, side: str | None, names: Iterable[str]) -> str | None:
        """The version given by hand for a component on a side; what is given without a side holds for both."""
        wanted = tuple(names)
        found = [self.at[key] for name in wanted for key in ((side, name), (None, name)) if key in self.at]
        return found[0] if found else None

    def has_sides(self, names: Iterable[str]) -> bool:
        """Whether versions are given by hand side by side."""
        wanted = set(names)
        return any(side is not None and name in wanted for side, name in self.at)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        at = {f"{side}:{name}" if side else name: version for (side, name), version in self.at.items()}
        return {
            "deployment": self.name,
            "at": at,
            "versions": "given" if at else NEWEST,
            "not_read": list(self.unread),
            "notes": list(self.notes),
        }


def pin_of(given: str) -> dict[str, str]:
    """The pin that a version given by hand is: a version or a range, a commit or an image; empty for `unknown`."""
    kind, colon, rest = given.partition(":")
    if colon and kind in {"commit", "image"}:
        return {kind: rest}
    return {} if given == UNKNOWN else {"version": given}


def versions_given(texts: Iterable[str], library: Library) -> dict[tuple[str | None, str], str]:
    """`[SIDE:]COMPONENT=VERSION` words as (side, component) -> version. A connector has no version of its own: what is
    given for it is given for what it ships in. Raises KbError, also for two versions of one thing."""
    found: dict[tuple[str | None, str], str] = {}
    for text in texts:
        key, version = _given(text, library)
        if found.setdefault(key, version) != version:
            what = f"{key[0]} {key[1]}" if key[0] else key[1]
            raise KbError(f"{what} is given as {found[key]} and as {version}", "one release runs there: give one")
    return found


_PIP = re.compile(r"^([^=<>!~]+)==(?!=)")
"""A version as pip writes it: vllm==0.33.0."""


def _given(text: str, library: Library) -> tuple[tuple[str | None, str], str]:
    name, equals, version = _PIP.sub(r"\1=", text).partition("=")
    if not equals or not name or not version.strip():
        raise KbError(f'"{text}" is not COMPONENT=VERSION', "for example vllm=0.33.0, or decode:vllm=0.32.0")
    side, colon, component = name.partition(":")
    if not colon:
        side, component = "", name
    elif side not in SIDES:
        raise KbError(f'"{side}" in "{text}" is no side', "a side is prefill or decode")
    known = _component(component.strip(), library)
    return (side or None, known), _version(version.strip(), text, known, library)


def _component(name: str, library: Library) -> str:
    known = library.components.get(name) or library.components.get(library.component_names.get(name.casefold(), ""))
    if known is not None:
        return known.ships_in or known.id
    if name in library.releases:
        return name
    near = nearest(name, library.components)
    raise NotFound(f'no component is called "{name}"', f"did you mean {near}?" if near else None)


_COMMIT = re.compile(r"(?:commit:)?([0-9a-f]{7,40})")
_IMAGE = re.compile(r"(?:image:)?(?:\S+@)?(sha256:[0-9a-f]{7,64})")


def _version(version: str, text: str, component: str, library: Library) -> str:
    if version in {UNKNOWN, NEWEST}:
        return version
    bare = version.removeprefix("v")
    if (commit := _COMMIT.fullmatch(version)) and _is_commit(version, component, library):
        return f"commit:{commit[1]}"
    if image := _IMAGE.fullmatch(version):
        return f"image:{image[1]}"
    if version.startswith(("commit:", "image:")):
        wanted = "a commit is 7 to 40 hex digits, an image is named by its digest (image:sha256:...): tags move"
        raise KbError(f'"{version}" in "{text}" names no build', wanted)
    if parse(bare) is None and parse_range(version) is None:
        hint = 'for example 0.33.0, ">=0.28,<0.33", unknown, a commit or image:sha256:DIGEST'
        raise KbError(f'"{version}" in "{text}" is no version', hint)
    return bare if parse(bare) else version


def _is_commit(text: str, component: str, library: Library) -> bool:
    """Whether hex digits are a commit: said to be, recorded as one, or no number and no release that is recorded."""
    if text.startswith("commit:"):
        return True
    releases = {parse(each.version) for each in library.releases_of(component)}
    if parse(text) in releases - {None}:
        return False
    known = (library.components[name] for name in library.components if name == component)
    recorded = any(each.commit and each.commit.startswith(text) for one in known for each in one.builds)
    return recorded or not text.isdigit() or len(text) == COMMIT_DIGITS
