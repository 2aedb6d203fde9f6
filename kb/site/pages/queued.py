"""What of an evaluation waits for a person: its claims that ask for one, beside what came since.

Claims against which the same speaks stand together, because a person reads them together.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from kb.evaluation import Claim, Evaluation
from kb.matching import ClaimAt
from kb.plan import resting
from kb.present.claims import bare
from kb.site import address
from kb.site.gather import Gathered
from kb.site.judged import Judged
from kb.site.pages.figures import figure
from kb.site.pages.passed import Between, Passed, between
from kb.site.pages.verdicts import outcome, reason, tally
from kb.site.pages.verified import measured, reviewed
from kb.verdict import asked_at, newest_of
from kb.vocabulary import ImpactStatus, Kind, Outcome

ASKING = (Outcome.SUPERSEDED, Outcome.NARROWED, Outcome.RECHECK)
DECISION = "its decision"
"""What `kb.plan.resting` calls a decision of the evaluation itself."""


class Asking(NamedTuple):
    """A claim that waits for a person."""

    claim: Claim
    verdict: Judged
    rests: tuple[str, ...]
    """What was decided on it, waits for it or leans on it."""


def queued(record: Evaluation, gathered: Gathered) -> dict[str, Any]:
    """Its entry in the queue with its rank there, none where no claim asks; what is investigated, and where nobody
    looked."""
    asking = list(_asking(record, gathered))
    return {
        "entry": _entry(record.id, asking, gathered) if asking else None,
        "rank": list(_rank(record.id, asking)) if asking else None,
        "investigating": list(_investigating(record, gathered)),
        "gaps": [
            [each["message"], verdict["claim"]]
            for verdict in gathered.own.get(record.id, ())
            for each in verdict["findings"]
            if each["name"] == "not-looked-at"
        ],
    }


def _asking(record: Evaluation, gathered: Gathered) -> Iterator[Asking]:
    for verdict in gathered.own.get(record.id, ()):
        claim = gathered.evaluation_claim(record.id, verdict["claim"])
        if claim and (verdict["outcome"] in ASKING or verdict["confirm"]):
            yield Asking(claim, verdict, tuple(resting(ClaimAt(record, claim), gathered.library)))


def _rank(id_: str, asking: Iterable[Asking]) -> tuple[Any, ...]:
    """Decisions first, then how much rests on the claims, then the strongest outcome."""
    listed = list(asking)
    rests = {each for one in listed for each in one.rests}
    strongest = min(_strength(each.verdict) for each in listed)
    return DECISION not in rests, -len(rests), strongest, id_


def _strength(verdict: Judged) -> int:
    return ASKING.index(Outcome(verdict["outcome"])) if verdict["outcome"] in ASKING else len(ASKING)


def _entry(id_: str, asking: list[Asking], gathered: Gathered) -> dict[str, Any]:
    record, came = gathered.library.evaluations[id_], between(gathered.library.evaluations[id_], gathered)
    groups: dict[tuple[Any, ...], list[Asking]] = {}
    for each in asking:
        groups.setdefault(_likeness(each.verdict), []).append(each)
    rests = list(dict.fromkeys(what for each in asking for what in each.rests))
    # A review of the whole is of all its claims, also of those that ask for nobody: every release that any is asked at.
    asked = asked_at(each["target"] for each in gathered.own[id_])
    at = " ".join(f"--at {shlex.quote(f'{name}={newest_of(words)}')}" for name, words in asked.items())
    return {
        "link": gathered.link(id_, Kind.EVALUATION, record.title),
        "anchor": address.anchor("review", id_),
        "date": record.date,
        "measured": measured([each.verdict for each in asking]),
        "reviewed": reviewed(record, [each.verdict for each in asking]),
        "owner": record.owner,
        "number": len(asking),
        "tally": tally(gathered.counts(each.verdict["outcome"] for each in asking)),
        "decision": record.decision.chose if record.decision else None,
        "rests": [each for each in rests if each != DECISION],
        "groups": [_group(record, each, came, gathered) for each in sorted(groups.values(), key=_first)],
        "command": f'kb review {id_} {at} --because "…"' if at else None,
    }


def _likeness(verdict: Judged) -> tuple[Any, ...]:
    """Claims of one likeness have one answer for the same reasons; what only lacks a fact is counted, not compared."""
    spoken = frozenset(
        (each["change"] or each["message"], each["outcome"])
        for each in verdict["findings"]
        if each["outcome"] not in {None, Outcome.UNKNOWN} or _decides(each, verdict)
    )
    return verdict["outcome"], verdict["confirm"], spoken


def _decides(finding: Mapping[str, Any], verdict: Judged) -> bool:
    return finding["outcome"] == verdict["outcome"] and not finding["change"]


def _first(asking: list[Asking]) -> tuple[Any, ...]:
    return -max(len(each.rests) for each in asking), min(_strength(each.verdict) for each in asking)


def _group(record: Evaluation, asking: list[Asking], came: Between, gathered: Gathered) -> dict[str, Any]:
    verdict = asking[0].verdict
    said = {each["change"]: each["outcome"] for each in reversed(verdict["findings"]) if each["change"]}
    speaking = [each for each in came.changes if said.get(each.change.id) not in {None, Outcome.UNKNOWN}]
    return {
        "outcome": outcome(verdict["outcome"]),
        "confirm": verdict["confirm"],
        "claims": [
            {
                "link": gathered.claim_link(record.id, each.claim.id),
                "kind": each.claim.kind.value,
                "says": each.claim.says,
                "figure": figure(each.claim, record, gathered.library),
            }
            for each in asking
        ],
        "changes": [_change(each, said[each.change.id], record, asking, came, gathered) for each in speaking],
        "others": [reason(each, gathered) for each in verdict["findings"] if _decides(each, verdict)],
        "open": sum(said.get(each.change.id) == Outcome.UNKNOWN for each in came.changes),
        "more": f"{address.page(Kind.EVALUATION, record.id)}#since",
    }


def _change(
    passed: Passed, found: str, record: Evaluation, asking: list[Asking], came: Between, gathered: Gathered
) -> dict[str, Any]:
    """A change beside the claims it speaks against: where it came in, when it is reached, how to settle it."""
    change = passed.change
    said = [each for each in asking[0].verdict["findings"] if (each["change"], each["outcome"]) == (change.id, found)]
    arms = sorted({arm for each in said for arm in (each["arm"] or "all").split(", ")})
    return {
        "link": gathered.link(change.id, Kind.CHANGE, change.title),
        "outcome": outcome(found),
        "component": gathered.link(change.component, Kind.COMPONENT),
        "release": passed.release.version if passed.release else None,
        "gone": passed.gone,
        "day": passed.day,
        "message": said[0]["message"].removeprefix(f"{change.title}: ") if not passed.arms else None,
        "reached": [bare(each) for each in change.guards],
        "arms": arms if len(arms) < came.arms and arms != ["all"] else [],
        "command": f'kb state {change.id} --claim {record.id}/{asking[0].claim.id} --status STATUS --because "…"',
        "also": [each.claim.id for each in asking[1:]],
    }


def _investigating(record: Evaluation, gathered: Gathered) -> Iterator[dict[str, Any]]:
    for each in record.impacts:
        if each.status is ImpactStatus.UNDER_INVESTIGATION:
            yield {
                "link": gathered.claim_link(record.id, each.claim),
                "change": gathered.link(each.about, Kind.CHANGE),
                "because": each.because,
                "date": each.date,
            }
