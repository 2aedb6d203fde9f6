"""How verdicts are reached, in a page: outcomes, questions asked of a change, what is never done."""

from __future__ import annotations

from collections.abc import Iterator

from kb.present.outcome import OUTCOMES as WORDED
from kb.site.gather import Gathered
from kb.site.page import Page
from kb.site.pages.verdicts import OUTCOMES
from kb.vocabulary import Outcome


def pages(gathered: Gathered) -> Iterator[Page]:
    """One page."""
    del gathered
    outcomes = [{**each, "given": WORDED[Outcome(each["name"])].given} for each in OUTCOMES]
    yield Page("about.html", "about", "How it decides", {"outcomes": outcomes}, section="about")
