"""How verdicts are reached, in a page: outcomes, questions asked of a change, what is never done."""

from __future__ import annotations

from collections.abc import Iterator

from kb.site.gather import Gathered
from kb.site.page import Page
from kb.site.pages.verdicts import OUTCOMES


def pages(gathered: Gathered) -> Iterator[Page]:
    """One page."""
    del gathered
    yield Page("about.html", "about", "How it decides", {"outcomes": OUTCOMES}, section="about")
