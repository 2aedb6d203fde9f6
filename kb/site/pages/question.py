"""A question: every claim on it, what they say together, where they disagree and why, where there is evidence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from kb.directions import direction
from kb.disagreement import Disagreement, Modifier, on_question
from kb.evaluation import Claim, Evaluation
from kb.matching import ClaimAt, region, subjects, words
from kb.signals import State
from kb.site import address
from kb.site.charts import coverage_matrix
from kb.site.gather import Gathered
from kb.site.page import Later, Page
from kb.site.pages import drawings
from kb.site.pages.figures import figure
from kb.site.pages.summaries import evaluation_row
from kb.site.pages.verdicts import outcome, tally
from kb.vocabulary import UNKNOWN, ClaimKind, Kind, Outcome

LOADS = ("input_tokens", "request_rate", "concurrency")
MOST = 12
"""Disagreements shown."""


def pages(gathered: Gathered) -> Iterator[Later]:
    """Every question that an evaluation asks, and the list of all questions of the vocabulary."""
    for id_, evaluations in gathered.asked.items():
        yield Later(f"question {id_}", gathered.keys.showing(evaluations), partial(_made, id_, gathered))
    yield Later("questions", gathered.keys.facts, partial(_list, gathered))


def _made(id_: str, gathered: Gathered) -> Iterator[Page]:
    values = _values(id_, gathered.asked[id_], gathered)
    yield Page(address.page(address.QUESTIONS, id_), "question", gathered.asks(id_), values, section="questions")


def _list(gathered: Gathered) -> Iterator[Page]:
    rows = [_row(id_, gathered) for id_ in dict.fromkeys([*gathered.asked, *sorted(gathered.questions)])]
    yield Page("questions/index.html", "questions", "Questions", {"rows": rows}, section="questions")


def _row(id_: str, gathered: Gathered) -> dict[str, Any]:
    evaluations = gathered.asked.get(id_, ())
    return {
        "id": id_,
        "asks": gathered.asks(id_),
        "href": address.page(address.QUESTIONS, id_) if evaluations else None,
        "evaluations": len(evaluations),
        "newest": str(evaluations[0].date or "") if evaluations else "",
        "tally": tally(gathered.counted(each.id for each in evaluations)),
    }


def _values(id_: str, evaluations: tuple[Evaluation, ...], gathered: Gathered) -> dict[str, Any]:
    known = gathered.questions.get(id_)
    claims = [_claim(claim, each, gathered) for each in evaluations for claim in each.claims]
    found = list(on_question(id_, evaluations, gathered.library))
    return {
        "id": id_,
        "goal": known.goal if known else None,
        "asks": {lang: list(getattr(known.asks, lang)) for lang in ("en", "ja", "pt")} if known else {},
        "tally": tally(gathered.counted(each.id for each in evaluations)),
        "rows": [evaluation_row(each, gathered) for each in evaluations],
        "answer": _answer(claims),
        "groups": [
            {"kind": kind.value, "claims": [each for each in claims if each["kind"] == kind.value]}
            for kind in ClaimKind
            if any(each["kind"] == kind.value for each in claims)
        ],
        "envelope": _envelope(evaluations, gathered),
        "drawings": drawings.shown([coverage_matrix(_matrix(evaluations, gathered))]),
        "disagreements": [_disagreement(each, gathered) for each in found[:MOST]],
        "more": max(0, len(found) - MOST),
        "signals": _signals(evaluations, gathered),
    }


def _claim(claim: Claim, record: Evaluation, gathered: Gathered) -> dict[str, Any]:
    verdict = gathered.verdict(record.id, claim.id)
    said = direction(claim, record, gathered.library)
    return {
        "link": gathered.claim_link(record.id, claim.id),
        "evaluation": gathered.link(record.id, Kind.EVALUATION, record.title),
        "kind": claim.kind.value,
        "says": claim.says,
        "figure": figure(claim, record, gathered.library),
        "verdict": outcome(verdict["outcome"]) | {"confirm": verdict["confirm"]} if verdict else None,
        "because": verdict["findings"][0]["message"] if verdict and verdict["findings"] else "",
        "direction": _direction(said, record),
    }


def _direction(said: Any, record: Evaluation) -> str:
    """What a claim says, in one word that claims of several evaluations may share: the mode of the better arm."""
    if said.kind == "parity":
        return "about equal"
    if said.kind != "better":
        return ""
    arm = record.arm_table().get(said.better or "")
    setup = record.arm_setup(arm) if arm else None
    mode = setup.connector.mode.value if setup and setup.connector and setup.connector.mode else None
    return f"{mode if mode and mode not in {UNKNOWN, 'none'} else said.better} better"


def _answer(claims: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What measured claims say, by what they say; how many of each still hold."""
    found: dict[str, list[dict[str, Any]]] = {}
    for each in claims:
        if each["kind"] == ClaimKind.MEASURED.value and each["direction"]:
            found.setdefault(each["direction"], []).append(each)
    return [
        {
            "says": says,
            "claims": len(rows),
            "evaluations": len({row["evaluation"]["id"] for row in rows}),
            "holding": sum(bool(row["verdict"]) and row["verdict"]["name"] == Outcome.HOLDS for row in rows),
            "newest": next((row for row in rows if row["figure"]), None),
            "rows": rows,
        }
        for says, rows in sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
    ]


def _envelope(evaluations: tuple[Evaluation, ...], gathered: Gathered) -> list[list[str]]:
    """What was tested: values of the keys that bound an answer."""
    keys = ("model", "hardware.gpu", "hardware.interconnect", "topology", "prefill.prefix_caching", "workload.turns")
    found: dict[str, dict[str, None]] = {}
    for record in evaluations:
        for arm in record.arms or (None,):
            flat = (record.arm_setup(arm) if arm else record.setup).flat() if (arm or record.setup) else {}  # type: ignore[union-attr]
            for key in keys:
                if (value := flat.get(key)) not in (None, UNKNOWN):
                    found.setdefault(key, {})[words(value)] = None
        for claim in record.claims[:1]:
            at = ClaimAt(record, claim)
            for key in LOADS:
                for one in subjects(at, gathered.library)[:1]:
                    if (tested := region(key, at, one)) is not None:
                        found.setdefault(f"workload.{key}", {})[words(tested)] = None
    return [[key, "; ".join(values)] for key, values in found.items()]


def _matrix(evaluations: tuple[Evaluation, ...], gathered: Gathered) -> list[tuple[Any, Any, Any]]:
    """What the chart of coverage takes: evaluation, claim, verdict; of what nobody has shown there is no evidence."""
    return [
        (record, claim, verdict)
        for record in evaluations
        for claim in record.claims
        if claim.kind is ClaimKind.MEASURED and (verdict := gathered.verdict(record.id, claim.id))
    ]


def _disagreement(found: Disagreement, gathered: Gathered) -> dict[str, Any]:
    sides = []
    for at, said in zip((found.one, found.other), found.said, strict=True):
        sides.append(
            {
                "link": gathered.claim_link(at.evaluation.id, at.claim.id) | {"text": str(at)},
                "says": f"{said.better} is better" if said.better else "about equal",
            }
        )
    return {
        "sides": sides,
        "material": [_modifier(each) for each in found.material],
        "unknown": [_modifier(each) for each in found.unknown],
    }


def _modifier(each: Modifier) -> dict[str, str]:
    return {"name": each.name, "key": each.key, "one": each.one, "other": each.other, "why": each.why}


def _signals(evaluations: tuple[Evaluation, ...], gathered: Gathered) -> list[dict[str, Any]]:
    rows = [
        {
            "what": seen.signal.what,
            "until": seen.signal.until,
            "state": seen.state.value,
            "link": gathered.link(record.id, Kind.EVALUATION),
        }
        for record in evaluations
        for seen in gathered.signals_of(record.id)
    ]
    return sorted(rows, key=lambda row: (row["state"] != State.FIRED, str(row["until"] or "9"), row["link"]["id"]))
