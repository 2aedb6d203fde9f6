"""Charts of a page, as far as there is something to draw; what cannot be drawn is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from kb.evaluation import Evaluation
from kb.site import charts
from kb.site.gather import Gathered
from kb.site.judged import RELEASES, Judged
from kb.vocabulary import ClaimKind

MOST = 6
"""Charts on one page."""


def of_evaluation(record: Evaluation) -> list[dict[str, Any]]:
    """Stages, latency over load and ratios by metric, frontier; no more is drawn than is shown."""
    return shown(islice((each for each in _drawn(record) if each is not None), MOST))


def _drawn(record: Evaluation) -> Iterator[charts.Chart | None]:
    yield charts.stages(record, prefix="stages")
    for number, metric in enumerate(dict.fromkeys(each.metric for each in record.points if each.reported is None)):
        yield from (draw(record, metric, prefix=f"chart-{number}-{draw.__name__}") for draw in PER_METRIC)
    yield charts.frontier(record, prefix="frontier")


PER_METRIC = (charts.latency_load, charts.ratio_map)


def bands(record: Evaluation, gathered: Gathered) -> list[dict[str, Any]]:
    """Outcomes release by release; claims that have the same ones share a band. Of hypotheses nothing ages."""
    aging = {claim.id for claim in record.claims if claim.kind is not ClaimKind.HYPOTHESIS}
    by_claim: dict[str, list[Judged]] = {}
    for each in gathered.verdicts[RELEASES].get(record.id, ()):
        if each["claim"] in aging:
            by_claim.setdefault(each["claim"], []).append(each)
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for claim, verdicts in by_claim.items():
        alike.setdefault(tuple((each["release"], each["outcome"]) for each in verdicts), []).append(claim)
    drawn = []
    for number, claims in enumerate(alike.values()):
        verdicts = by_claim[claims[0]]
        title = f"Outcome by {verdicts[0]['component']} release: {', '.join(claims)}"
        rows = [(each["release"], each) for each in verdicts]
        drawn.append(charts.version_band(rows, prefix=f"band-{number}", title=title))
    return shown(drawn)


def shown(drawn: Iterable[charts.Chart | None]) -> list[dict[str, Any]]:
    """What the template takes of charts; what there was nothing to draw of is left out."""
    return [{field: getattr(chart, field) for field in FIELDS} for chart in drawn if chart is not None]


FIELDS = ("kind", "title", "caption", "svg", "columns", "rows")
