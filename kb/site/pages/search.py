"""The search page; what searches is kb.site.search."""

from __future__ import annotations

from collections.abc import Iterator

from kb.site.gather import Gathered
from kb.site.page import Page
from kb.site.search import SCRIPTS, SCRIPTS_BOX


def pages(gathered: Gathered) -> Iterator[Page]:
    """One page."""
    del gathered
    scripts = tuple(each for each in SCRIPTS if each not in SCRIPTS_BOX)
    yield Page("search.html", "search", "Search", section="search", scripts=scripts)
