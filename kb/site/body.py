"""A record's text as HTML: Markdown, then everything taken out that is no text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import markdown
import nh3
from markdown.extensions.toc import TocExtension

TAGS = frozenset(
    {
        *("a", "abbr", "b", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "s", "samp", "small"),
        *("span", "strong", "sub", "sup", "var", "br", "hr", "img", "p", "pre", "blockquote", "div", "section"),
        *("h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "details", "summary"),
        *("figure", "figcaption", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"),
    }
)
"""What a text may be made of; no form, frame, style, script or SVG."""
ATTRIBUTES: dict[str, set[str]] = {
    "*": {"id", "class", "lang", "title", "dir"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan", "scope"},
}
CLASSES = frozenset({"footnote", "footnote-ref", "footnote-backref", "admonition", "admonition-title"})
"""Classes that Markdown itself makes; others would dress a text up as a part of the page."""
_ID = re.compile(r"text-[\w.-]*|fn:[\w.-]+|fnref\d*:[\w.-]+")
_STEERING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]"
)
"""Characters that steer a terminal or turn the order of what is read."""

Resolve = Callable[[str], str | None]
"""The address of a link's target as the site has it: None for one that leads nowhere."""


def plain(text: str) -> str:
    """Text without what would steer or turn it."""
    return text if text.isascii() and text.isprintable() else _STEERING.sub("", text)


def html(text: str, resolve: Resolve = lambda target: target) -> str:
    """A text as HTML that is safe to put on a page; links are put right by `resolve`."""
    made = _markdown().reset().convert(plain(text))
    return nh3.clean(
        made,
        tags=set(TAGS),
        attributes=ATTRIBUTES,
        attribute_filter=lambda _tag, name, value: _kept(name, value, resolve),
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
        strip_comments=True,
    )


@lru_cache(maxsize=1)
def _markdown() -> Any:
    """One reader for all texts; a new one for each takes as long as reading."""
    contents = TocExtension(baselevel=3, slugify=_slug, marker="")
    return markdown.Markdown(
        extensions=["tables", "fenced_code", "footnotes", "admonition", "sane_lists", contents],
        extension_configs={"footnotes": {"BACKLINK_TITLE": "Back to the text"}},
        output_format="html",
    )


def _slug(text: str, separator: str) -> str:
    """An id for a heading that no id of the page itself can be."""
    return "text-" + re.sub(r"[^\w]+", separator, unescape(text).casefold()).strip(separator)


def _kept(name: str, value: str, resolve: Resolve) -> str | None:
    if name == "id":
        return value if _ID.fullmatch(value) else None
    if name == "class":
        return " ".join(each for each in value.split() if each in CLASSES) or None
    if name == "href":
        return _target(value, resolve)
    if name == "src":
        return _image(value, resolve)
    return value


def _target(value: str, resolve: Resolve) -> str | None:
    if value.startswith("#"):
        return value
    try:
        parts = urlsplit(value)
    except ValueError:
        return None
    if parts.scheme in {"http", "https", "mailto"}:
        return value
    return None if parts.scheme or parts.netloc else resolve(value)


def _image(value: str, resolve: Resolve) -> str | None:
    """Images come from the base itself: nothing is loaded from anywhere else."""
    try:
        parts = urlsplit(value)
    except ValueError:
        return None
    return None if parts.scheme or parts.netloc else resolve(value)
