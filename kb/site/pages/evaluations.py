"""The list of all evaluations, newest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from kb.site.gather import Gathered, newest_first
from kb.site.page import Later, Page
from kb.site.pages.listed import listed
from kb.site.pages.verdicts import tally


def pages(gathered: Gathered) -> Iterator[Later]:
    """One page."""
    yield Later("evaluations", gathered.keys.figures, partial(_made, gathered))


def _made(gathered: Gathered) -> Iterator[Page]:
    found = [listed(each, gathered) for each in newest_first(gathered.library.evaluations.values())]
    counts: Counter[str] = Counter()
    for each in found:
        counts.update(each["counts"])
    values = {"rows": [each["row"] for each in found], "tally": tally(counts)}
    yield Page("evaluations/index.html", "evaluations", "Evaluations", values, section="evaluations")
