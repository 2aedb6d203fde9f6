"""The page for what is not there. A server may show it at any address, so that its links begin at the site's root."""

from __future__ import annotations

from collections.abc import Iterator

from kb.site.gather import Gathered
from kb.site.page import Page


def pages(gathered: Gathered) -> Iterator[Page]:
    """One page."""
    yield Page("404.html", "missing", "Not found", {"url": gathered.settings.url})
