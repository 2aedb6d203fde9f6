"""Verdicts as pages show them: outcome with its sign, reasons, the way from a change to a claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kb.present.outcome import OUTCOMES as WORDED
from kb.site.gather import SHOWN, Gathered
from kb.site.judged import Judged
from kb.site.pages.verified import measured, reviewed
from kb.vocabulary import Kind, Outcome

SIGNS = {
    Outcome.HOLDS: "✓",
    Outcome.RECHECK: "↻",
    Outcome.NARROWED: "◐",
    Outcome.SUPERSEDED: "✕",
    Outcome.NOT_APPLICABLE: "∅",
    Outcome.UNKNOWN: "?",
}
"""A sign beside each outcome's word: never colour alone."""
WORDS = {
    Outcome.HOLDS: "holds",
    Outcome.RECHECK: "recheck",
    Outcome.NARROWED: "narrowed",
    Outcome.SUPERSEDED: "superseded",
    Outcome.NOT_APPLICABLE: "not applicable",
    Outcome.UNKNOWN: "unknown",
}
WHY = {
    "does-not-ship": "It does not ship in the builds asked about",
    "already-there": "The measured build carries it already",
    "replaced": "Another change took its place and speaks for both",
    "not-reached": "This setup does not reach it",
    "other-phase": "It is felt in another phase",
    "no-behaviour": "It alters no behaviour",
    "not-touched": "It touches nothing that the claim rests on",
    "arm-not-involved": "No arm of the claim runs it",
    "settled": "A person has settled it",
    "not-comparable": "A later result that is not comparable",
    "unreleased-build": "Measured on a build that is no release",
    "stated-already": "The record says so already",
}
"""Why something is silent, in words."""
SHORT = {
    "does-not-ship": "does not ship",
    "already-there": "there already",
    "replaced": "told with its heir",
    "not-reached": "not reached",
    "other-phase": "another phase",
    "no-behaviour": "alters no behaviour",
    "not-touched": "touches nothing it rests on",
    "arm-not-involved": "no arm of it runs it",
    "settled": "settled by a person",
}
"""The same for a change in few words."""


def outcome(name: str | Outcome) -> dict[str, str]:
    """An outcome as a badge: class, sign, word, meaning."""
    found = Outcome(name)
    return {"name": found.value, "sign": SIGNS[found], "word": WORDS[found], "means": WORDED[found].means}


OUTCOMES = [outcome(each) for each in SHOWN]


def tally(counts: Mapping[str, int]) -> dict[str, Any]:
    """Counts with the whole, and where each part of a bar of 1000 begins; the unknown ones are always among them."""
    total = sum(counts.values())
    parts = []
    start = 0
    for each in OUTCOMES:
        number = counts.get(each["name"], 0)
        width = round(1000 * number / total) if total else 0
        parts.append({**each, "number": number, "x": start, "width": width})
        start += width
    return {"total": total, "parts": parts}


def box(verdict: Judged, gathered: Gathered) -> dict[str, Any]:
    """A verdict on one claim."""
    deciding = [each for each in verdict["findings"] if each["outcome"] == verdict["outcome"]]
    others = [each for each in verdict["findings"] if each["outcome"] != verdict["outcome"]]
    settles, beside = (
        dict.fromkeys(each["settles"] for each in part if each["settles"]) for part in (deciding, others)
    )
    covers = verdict["covers"]
    return {
        **outcome(verdict["outcome"]),
        "confirm": verdict["confirm"],
        "because": [reason(each, gathered) for each in deciding],
        "others": [reason(each, gathered) for each in others],
        "settles": list(settles),
        "open": [each for each in beside if each not in settles],
        "rows": [row | {"to": outcome(row["outcome"])} for row in _linked(verdict["table"], gathered)],
        "target": _pairs(verdict["target"]),
        "measured": measured([verdict]),
        "reviewed": reviewed(gathered.library.evaluations[verdict["evaluation"]], [verdict]),
        "covers": covers if covers["envelope"] != "same" or covers["differs"] or covers["note"] else None,
        "silent": len({_record(each) for each in verdict["checked"]}),
    }


def _pairs(versions: Mapping[str, str]) -> list[list[str]]:
    return [[name, version] for name, version in versions.items()]


def _linked(rows: Iterable[Mapping[str, Any]], gathered: Gathered) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield {**row, "link": gathered.link(row["change"], Kind.CHANGE) if row["change"] else None}


def reason(finding: Mapping[str, Any], gathered: Gathered) -> dict[str, Any]:
    """One reason: its sentence, and where a change leads to it the way from there, step by step."""
    change = gathered.library.changes.get(finding["change"] or "")
    message = finding["message"]
    if change is not None:
        message = message.removeprefix(f"{change.title}: ")
    path = _path(finding, message, gathered) if change is not None and finding["outcome"] else []
    return {
        "code": finding["code"],
        "rule": finding["name"],
        "rule_href": f"rules/{finding['name']}.html",
        "message": message,
        "outcome": outcome(finding["outcome"]) if finding["outcome"] else None,
        "arm": finding["arm"],
        "hint": finding["hint"],
        "place": f"{finding['path']}:{finding['line']}",
        "change": gathered.link(change.id, Kind.CHANGE, change.title) if change else None,
        "path": path,
    }


TOUCHES = "; it touches "


def _path(finding: Mapping[str, Any], message: str, gathered: Gathered) -> list[dict[str, str]]:
    """The steps from a change to a claim: what it changes, which builds carry it, what of the claim it meets."""
    change = gathered.library.changes[finding["change"]]
    ships, found, touches = message.partition(TOUCHES)
    steps = [{"step": "changes", "says": f"{change.component}, {change.kind.value}"}]
    steps.append({"step": "ships" if found else "", "says": ships})
    if found:
        steps.append({"step": "touches", "says": touches})
    return steps


def _record(silent: Mapping[str, Any]) -> str:
    """What was looked at: a change, an evaluation or code; arms and reasons may be several."""
    return silent.get("change") or silent.get("evaluation") or silent.get("symbol") or ""


def silent(verdicts: Iterable[Judged], gathered: Gathered) -> list[dict[str, Any]]:
    """What was looked at and does not speak, of all claims together: by reason, then by record."""
    by_why: dict[str, dict[tuple[str, str], list[str]]] = {}
    for verdict in verdicts:
        for each in verdict["checked"]:
            key = (_record(each), each["reason"])
            claims = by_why.setdefault(each["why"], {}).setdefault(key, [])
            if verdict["claim"] not in claims:
                claims.append(verdict["claim"])
    total = len({verdict["claim"] for verdict in verdicts})
    return [
        {
            "why": WHY.get(why, why),
            "number": len({id_ for id_, _ in rows}),
            "rows": [
                {"link": gathered.link(id_), "reason": reason_, "claims": [] if len(claims) == total else claims}
                for (id_, reason_), claims in sorted(rows.items())
            ],
        }
        for why, rows in sorted(by_why.items(), key=lambda each: list(WHY).index(each[0]) if each[0] in WHY else 99)
    ]
