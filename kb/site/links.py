"""Links, anchors and images of the finished pages: what is inside must be there, what is outside is listed."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
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


_POINTS = {"href", "src", "action", "poster", "data"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.names: dict[str, None] = {}
        self.targets: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.names[value] = None
            elif name in _POINTS:
                self.targets[value] = None
            elif tag == "meta" and name == "content" and ";url=" in value.replace(" ", ""):
                self.targets[value.partition("=")[2].strip()] = None


def read(content: bytes) -> Found:
    """Names and targets of a page."""
    reader = _Reader()
    reader.feed(content.decode("utf-8", "replace"))
    reader.close()
    return Found(tuple(reader.names), tuple(reader.targets))


def broken(pages: Mapping[str, Found], files: Iterable[str]) -> Iterator[Broken]:
    """Links within the site that lead to no file, or to no place in it."""
    there = frozenset(files) | frozenset(pages)
    names = {path: frozenset(found.names) for path, found in pages.items()}
    for path in sorted(pages):
        for target in pages[path].targets:
            if why := _why(path, target, there, names):
                yield Broken(path, target, why)


def _why(path: str, target: str, there: frozenset[str], names: Mapping[str, frozenset[str]]) -> str | None:
    parts = urlsplit(target)
    if parts.scheme in {"http", "https", "mailto", "data"}:
        return None
    if parts.scheme or parts.netloc:
        return "no address that a page of this site may have"
    file = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(parts.path))) if parts.path else path
    if parts.path.startswith("/"):
        return "an address from the server's root: the site may lie below a folder"
    if file not in there:
        return "no such file"
    if parts.fragment and file in names and unquote(parts.fragment) not in names[file]:
        return "no such place on the page"
    return None


def external(pages: Mapping[str, Found]) -> list[str]:
    """Addresses outside of the site, each once."""
    found = {target for each in pages.values() for target in each.targets}
    return sorted(each for each in found if urlsplit(each).scheme in {"http", "https"})
