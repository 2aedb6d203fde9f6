"""Pages to HTML: one environment for all templates, everything escaped that is not made here."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from kb.site import address
from kb.site.body import html, plain
from kb.site.labels import translated
from kb.site.page import Page
from kb.site.search import box
from kb.site.search import page as search_page

TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'"
)
"""Nothing is loaded but the site's own files, nothing inline runs, nothing is sent anywhere."""


class Renderer:
    """Makes the bytes of a page. What does not change from page to page is given once."""

    def __init__(self, shared: Mapping[str, Any]) -> None:
        """`shared`: values of every page, such as the site's title and its scripts."""
        self._shared = dict(shared)
        self._environment = _environment()

    def render(self, page: Page) -> bytes:
        """The page's bytes."""
        root = address.root(page.path)
        template = self._environment.get_template(f"{page.template}.html")
        text = template.render(
            **self._shared,
            **page.values,
            page=page,
            root=root,
            policy=POLICY,
            search_box=lambda root: Markup(box(root)),
            search_page=lambda root: Markup(search_page(root)),
            canonical=lambda page: self._canonical(page),
            _=lambda label: translated(label, page.lang),
            text_of=lambda body: Markup(html(body["text"], lambda target: _resolved(target, body, root))),
        )
        return text.encode("utf-8", "replace")

    def _canonical(self, page: Page) -> str:
        """The one address of a page: whole where the site's is known, else within the site."""
        wanted = page.canonical or page.path
        url = self._shared["site"]["url"]
        return f"{url}{wanted}" if url else address.relative(page.path, wanted)

    def key(self, page: Page) -> str:
        """A digest of everything that the page's bytes follow from."""
        return hashlib.sha256(f"{self._ground}{_plain(page)}".encode("utf-8", "replace")).hexdigest()[:24]

    def whole(self, key: str) -> str:
        """The key of what is made later, with what all pages follow from."""
        return hashlib.sha256(f"{self._ground}{key}".encode()).hexdigest()[:24]

    @cached_property
    def _ground(self) -> str:
        """A digest of what all pages follow from: templates, labels, what they share."""
        digest = hashlib.sha256(json.dumps(self._shared, sort_keys=True, default=str).encode())
        for path in sorted(TEMPLATES.glob("*.html")):
            digest.update(path.read_bytes())
        return digest.hexdigest()


def _plain(page: Page) -> str:
    return json.dumps(vars(page), sort_keys=True, ensure_ascii=False, default=_as_text)


def _as_text(value: object) -> Any:
    return vars(value) if hasattr(value, "__dict__") else str(value)


def _resolved(target: str, body: Mapping[str, Any], root: str) -> str | None:
    """A link of a text: the page of the record that it names. What is no record's stays as it is, and is checked."""
    found = body["links"].get(target)
    return f"{root}{found}" if found else target


class _Environment(Environment):
    """Values are plain: what a dict has under a name is meant by it, and asking for an attribute first takes longer."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = _Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_final,
    )
    made.filters["soft"] = soft
    made.filters["ticks"] = ticks
    made.filters["anchor"] = lambda names: (
        address.anchor(*names) if not isinstance(names, str) else address.anchor(names)
    )
    made.filters["plural"] = plural
    made.filters["svg"] = Markup
    return made


def _final(value: Any) -> Any:
    """Nothing that a record says may steer what is read; None is nothing."""
    if value is None:
        return ""
    if type(value) is str and value.isascii() and value.isprintable():  # most are: `plain` would say the same
        return value
    return value if isinstance(value, Markup) or not isinstance(value, str) else plain(value)


@lru_cache(maxsize=8192)
def soft(text: str) -> Markup:
    """Text of which long names may break after their signs; what stands in backquotes is code."""
    escaped = str(ticks(text))
    return Markup(_SIGN.sub(r"\1<wbr>", escaped))


_SIGN = re.compile(r"(?<![<])([/:_]|\.(?=[^\s\d]))(?=[^\s>/])")
"""A sign within a name; not the slash of `</code>`, nor one that ends a word or stands in a number."""


@lru_cache(maxsize=8192)
def ticks(text: str) -> Markup:
    """Text in which `a name` is code."""
    return Markup(_TICKS.sub(r"<code>\1</code>", str(Markup.escape(plain(str(text))))))


_TICKS = re.compile(r"`([^`\n]+)`")


def plural(number: int, one: str, many: str | None = None) -> str:
    """`1 claim`, `2 claims`."""
    return f"{number} {one if number == 1 else many or one + 's'}"
