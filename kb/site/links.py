"""Links, anchors and images of the finished pages: what is inside must be there, what is outside is listed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
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
    sound: set[tuple[object, str]] = set()  # links of the frame are on every page
    for path in sorted(pages):
        folder = posixpath.dirname(path)
        depth = path.count("/")
        for target in pages[path].targets:
            where = depth if target.startswith("../" * depth) else folder  # from the root it leads to the same anywhere
            if target[:1] not in {"#", "?"} and (where, target) in sound:
                continue
            if why := _why(path, target, there, names):
                yield Broken(path, target, why)
            else:
                sound.add((where, target))


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
