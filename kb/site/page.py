"""What a page kind makes: pages with their values, and files beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple


class Alternate(NamedTuple):
    """The same page in another language."""

    lang: str
    path: str
    name: str


@dataclass(frozen=True)
class Page:
    """One page: everything its template needs, as plain values."""

    path: str
    """Below the site's root."""
    template: str
    title: str
    values: Mapping[str, Any] = field(default_factory=dict)
    lang: str = "en"
    section: str = ""
    """Which entry of the navigation it belongs to."""
    description: str = ""
    alternates: tuple[Alternate, ...] = ()
    canonical: str | None = None
    """The page that it stands for, when that is another one."""
    scripts: tuple[str, ...] = ()
    """Further scripts from static/."""
    styles: tuple[str, ...] = ()
    twins: tuple[tuple[str, str], ...] = ()
    """(Media type, path) of the same content in other forms."""


@dataclass(frozen=True)
class File:
    """A file that is no page: data, feeds."""

    path: str
    content: bytes | Path
    """Bytes, or where a file lies that is copied."""


class Note(NamedTuple):
    """What the next build can use of what was worked out for this one: a value of JSON types."""

    name: str
    key: str
    value: Any
    """None where it is kept already and still needed."""


@dataclass(frozen=True)
class Later:
    """Pages and files that are made only when something that they follow from has changed since the last build."""

    name: str
    """Which they are, from build to build."""
    key: str
    """A digest of all that they follow from, templates and program aside."""
    make: Callable[[], Iterable[Page | File | Note]]
    alone: bool = False
    """Whether it follows from little else than its own record: then it is not asked whether its values are others."""
    heavy: bool = False
    """Whether it alone is worth a second processor."""
    first: bool = False
    """Whether others read what it notes: it is made before them."""
