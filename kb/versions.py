"""Versions and ranges of versions as PEP 440 orders them (https://peps.python.org/pep-0440/)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version
from pydantic import AfterValidator, BeforeValidator

from kb.model import text_of
from kb.vocabulary import UNKNOWN

LONGEST = 1000
"""Characters of a version or a range; Python refuses to read numbers of thousands of digits."""


@lru_cache(maxsize=4096)
def parse(text: str) -> Version | None:
    """The version that `text` is, or None when it is none (a range, a commit, `unknown`)."""
    try:
        return Version(text) if len(text) <= LONGEST else None
    except InvalidVersion:
        return None


@lru_cache(maxsize=4096)
def parse_range(text: str) -> SpecifierSet | None:
    """The range that `text` is (">=1.2,<1.4"; "*" is every version), or None when it is none.

    Pre-releases count: a range over builds of a connector must be able to name a release candidate.
    """
    if text == "*":
        return SpecifierSet("", prereleases=True)
    try:
        return SpecifierSet(text, prereleases=True) if 0 < len(text) <= LONGEST else None
    except InvalidSpecifier:
        return None


@lru_cache(maxsize=1 << 16)
def contains(range_text: str, version_text: str) -> bool | None:
    """Whether a version lies in a range; None when either cannot be read as such."""
    span, version = parse_range(range_text), parse(version_text)
    if span is None or version is None:
        return None
    return version in span


def overlap(one: str, other: str, known: Iterable[str]) -> str | None:
    """A version in both ranges: a known one if there is any, else one at or just above an end; None without overlap."""
    ends = [spec.version.removesuffix(".*") for text in (one, other) for spec in parse_range(text) or ()]
    above = [f"{version.base_version}.0.0.1" for end in ends if (version := parse(end))]
    for text in (*known, *ends, "0", *above):
        if contains(one, text) and contains(other, text):
            return text
    return None


def _version(text: str) -> str:
    if text != UNKNOWN and parse(text) is None:
        raise ValueError(f'"{text}" is not a version (1.4.1, 0.26.0rc1) nor unknown; a commit goes under commit')
    return text.removeprefix("v")


def _range(text: str) -> str:
    if parse_range(text) is None:
        raise ValueError(f'"{text}" is not a range of versions such as ">=1.2,<1.4" or "*"')
    return text


def _pin(text: str) -> str:
    if text == UNKNOWN or parse_range(text) is not None:
        return text
    if parse(text) is None:
        raise ValueError(f'"{text}" is neither a version, a range (">=1.2,<1.4") nor unknown')
    return text.removeprefix("v")


_Written = Annotated[str, BeforeValidator(text_of, json_schema_input_type=str | float)]

VersionText = Annotated[_Written, AfterValidator(_version)]
"""One version, or `unknown`."""

RangeText = Annotated[str, AfterValidator(_range)]
"""A range of versions in pip's spelling, e.g. `>=1.2,<1.4`; `*` is every version."""

PinText = Annotated[_Written, AfterValidator(_pin)]
"""One version, a range of versions (an open pin), or `unknown`."""
