"""Page kinds of the site, one module each: `pages(gathered)` yields pages and files, pure and in a stable order."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from kb.site.gather import Gathered
    from kb.site.page import File, Later, Page


class Kind(Protocol):
    """What every module of the list offers."""

    def pages(self, gathered: Gathered) -> Iterator[Page | File | Later]:
        """Its pages and files, at once or later."""


MODULES = (
    "home",
    "evaluation",
    "evaluations",
    "question",
    "component",
    "change",
    "deployment",
    "reviews",
    "compare",
    "search",
    "rules",
    "vocabulary",
    "fields",
    "about",
    "download",
    "aliases",
    "missing",
)
"""Every page kind by module name."""


def every(gathered: Gathered) -> Iterator[Page | File | Later]:
    """Every page and file of the site."""
    for name in MODULES:
        yield from cast(Kind, import_module(f"kb.site.pages.{name}")).pages(gathered)
