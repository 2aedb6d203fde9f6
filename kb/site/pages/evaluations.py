"""The list of all evaluations, newest first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kb.site.gather import Gathered, newest_first
from kb.site.page import Later, Page
from kb.site.pages.summaries import evaluation_row
from kb.site.pages.verdicts import tally


def pages(gathered: Gathered) -> Iterator[Later]:
    """One page."""
    yield Later("evaluations", gathered.facts, partial(_made, gathered))


def _made(gathered: Gathered) -> Iterator[Page]:
    rows = [evaluation_row(each, gathered) for each in newest_first(gathered.library.evaluations.values())]
    values = {"rows": rows, "tally": tally(gathered.counts(gathered.all_own))}
    yield Page("evaluations/index.html", "evaluations", "Evaluations", values, section="evaluations")
