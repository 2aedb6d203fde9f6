"""Links, anchors and images of the finished pages: what is inside must be there, what is outside is listed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote, urlsplit


class Broken(NamedTuple):
    """A link that leads nowhere."""

    page: str
    href: str
    why: str


@dataclass(frozen=True)
class Found:
    """What one page has: the names within it and everything it points at."""

    names: tuple[str, ...]
    targets: tuple[str, ...]


_TAG = re.compile(r"<([a-zA-Z][\w:-]*)((?:\s+[^\s=>\"]+(?:=\"[^\"]*\")?)*)\s*/?>")
"""An element as our templates and nh3 write it: quoted attributes, in which a sign may be anything but the quote."""
_ATTRIBUTE = re.compile(r"\s(id|name|href|src|action|poster|data|content)=\"([^\"]*)\"")


def read(content: bytes) -> Found:
    """Names and targets of a finished page. A general reader of HTML takes ten times as long, for pages of anybody."""
    names: dict[str, None] = {}
    targets: dict[str, None] = {}
    for tag, attributes in _TAG.findall(content.decode("utf-8", "replace")):
        for name, value in _ATTRIBUTE.findall(attributes):
            text = unescape(value)
            if name == "id" or (name == "name" and tag == "a"):
                names[text] = None
            elif name == "content":
                if tag == "meta" and ";url=" in text.replace(" ", ""):
                    targets[text.partition("=")[2].strip()] = None
            elif name != "name":
                targets[text] = None
    return Found(tuple(names), tuple(targets))


def broken(pages: Mapping[str, Found], files: Iterable[str]) -> Iterator[Broken]:
    """Links within the site that lead to no file, or to no place in it."""
    there = frozenset(files) | frozenset(pages)
    names = {path: frozenset(found.names) for path, found in pages.items()}
    for path in sorted(pages):
        for target in pages[path].targets:
            if why := _why(path, target, there, names):
                yield Broken(path, target, why)


class Place(NamedTuple):
    """What a target means on a page."""

    file: str | None = None
    """Below the site's root; None for what is not within it."""
    name: str = ""
    """Of a place in the file."""
    outside: bool = False
    """An address on the web."""
    why: str = ""
    """Why no page may point there."""


def resolved(path: str, target: str) -> Place:
    """What a target means on the page at a path."""
    up = "../" * path.count("/")
    # What leads down from the root means the same on every page as deep: the links of the frame are on all of them.
    place = _meant("x/" * path.count("/") if up and target.startswith(up) else posixpath.dirname(path), target)
    return place._replace(file=path) if place.file == "" else place


@lru_cache(maxsize=100_000)
def _meant(folder: str, target: str) -> Place:
    parts = urlsplit(target)
    if parts.scheme in {"http", "https", "mailto", "data"}:
        return Place(outside=parts.scheme in {"http", "https"})
    if parts.scheme or parts.netloc:
        return Place(why="no address that a page of this site may have")
    if parts.path.startswith("/"):
        return Place(why="an address from the server's root: the site may lie below a folder")
    file = posixpath.normpath(posixpath.join(folder, unquote(parts.path))) if parts.path else ""
    return Place(file, unquote(parts.fragment))


def _why(path: str, target: str, there: frozenset[str], names: Mapping[str, frozenset[str]]) -> str | None:
    place = resolved(path, target)
    if place.file is None:
        return place.why or None
    if place.file not in there:
        return "no such file"
    if place.name and place.file in names and place.name not in names[place.file]:
        return "no such place on the page"
    return None
