"""Claims by kind, each with its figure, its verdict, what it holds under and what it rests on; kinds never mix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kb.anchors import Since
from kb.anchors import in_words as became
from kb.anchors import since as anchored
from kb.evaluation import Claim, Evaluation, Translation
from kb.site import address
from kb.site.gather import Gathered
from kb.site.pages.conditions import condition
from kb.site.pages.figures import figure
from kb.site.pages.verdicts import box
from kb.vocabulary import ClaimKind

KINDS = {
    ClaimKind.MEASURED: ("Measured", "What numbers show."),
    ClaimKind.MECHANISM: ("Mechanism", "Explains; not measured by itself."),
    ClaimKind.HYPOTHESIS: ("Hypothesis", "Not shown by anybody."),
}


def by_kind(record: Evaluation, gathered: Gathered, translation: Translation | None = None) -> list[dict[str, Any]]:
    """Groups of claims: measured, mechanism, hypothesis."""
    said = {each.id: each.says for each in translation.claims} if translation else {}
    followed = list(anchored(record, gathered.library))
    groups = []
    for kind, (title, means) in KINDS.items():
        claims = [claim for claim in record.claims if claim.kind is kind]
        if claims:
            shown = [_claim(each, record, gathered, said.get(each.id), followed) for each in claims]
            groups.append({"kind": kind.value, "title": title, "means": means, "claims": shown})
    return groups


def _claim(
    claim: Claim, record: Evaluation, gathered: Gathered, said: str | None, followed: Iterable[Since]
) -> dict[str, Any]:
    verdict = gathered.verdict(record.id, claim.id)
    metric = gathered.library.metrics.get(claim.effect.metric) if claim.effect else None
    return {
        "id": claim.id,
        "anchor": address.anchor("claim", claim.id),
        "says": said or claim.says,
        "translated": said is not None,
        "kind": claim.kind.value,
        "phase": claim.phase.value if claim.phase else None,
        "figure": figure(claim, record, gathered.library),
        "verdict": box(verdict, gathered) if verdict else None,
        "arms": list(claim.arms),
        "explains": [{"id": each, "anchor": address.anchor("claim", each)} for each in claim.explains],
        "conditions": [condition(each) for each in claim.conditions],
        "rests_on": [_dimension(each, gathered) for each in claim.rests_on],
        "implied": [_dimension(each, gathered) for each in (metric.implies if metric else ())],
        "code": list(_code(claim, followed)),
        "impacts": [_impact(each, gathered) for each in record.impacts if each.claim == claim.id],
    }


def _dimension(name: str, gathered: Gathered) -> dict[str, str | None]:
    known = name in gathered.library.words["dimension"]
    return {"text": name, "href": f"vocabulary.html#{address.anchor('dimension', name)}" if known else None}


def _code(claim: Claim, followed: Iterable[Since]) -> Iterator[dict[str, Any]]:
    """Anchored code by arm, and what became of it since."""
    listed = list(followed)
    for arm, names in claim.anchors.items():
        found = [each for each in listed if (each.anchor.claim, each.anchor.arm) == (claim.id, arm)]
        words = {f"{each.anchor.component}:{each.anchor.symbol}": became(each) for each in found}
        yield {"arm": arm, "rows": [{"symbol": name, "became": words.get(name, "")} for name in names]}


def _impact(each: Any, gathered: Gathered) -> dict[str, Any]:
    return {
        "date": each.date,
        "by": each.by,
        "change": gathered.link(each.about),
        "status": each.status.value,
        "justification": each.justification.value if each.justification else None,
        "because": each.because,
    }
