"""What changed in an evaluation's components since the builds its arms ran: lanes by day, and the same as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kb.builds import Known
from kb.change import Change
from kb.evaluation import Evaluation
from kb.lines import Line
from kb.site import address
from kb.site.charts import passages
from kb.site.charts.passages import Lane, Mark, Release, Said
from kb.site.gather import Gathered
from kb.site.pages import drawings
from kb.site.pages.passed import Passed, between
from kb.site.pages.verdicts import SHORT, outcome
from kb.vocabulary import UNKNOWN, Kind


def since(record: Evaluation, gathered: Gathered) -> dict[str, Any] | None:
    """Lanes drawn, and rows by what they say; None without any component."""
    found = between(record, gathered)
    if not found.lanes and not found.changes:
        return None
    drawn = [_lane(names, found.arms, line, passed, gathered) for names, line, passed in found.lanes]

    def rows(said: Said | None) -> list[dict[str, Any]]:
        return [row(each, found.arms, record, gathered) for each in found.changes if each.said is said]

    return {
        "drawings": drawings.shown([passages(drawn, record.date)]),
        "against": rows(Said.AGAINST),
        "open": rows(Said.OPEN),
        "silent": rows(Said.SILENT),
        "others": rows(None),
    }


PINNED = {
    Known.STATED: "pinned at {said}",
    Known.RANGE: "one of {said}: {ends}",
    Known.DATED: "{said}: {ends}",
    Known.PLACED: "{said}: {ends}",
    Known.OPEN: "not stated: {ends}",
    Known.UNLISTED: "{said}: newer than every recorded release",
    Known.NOWHERE: "{said}: no release it can be",
}


def _pin(line: Line) -> str:
    """The pin in words."""
    versions, said = line.was.versions, line.was.said
    ends = " to ".join(dict.fromkeys((versions[0], versions[-1]))) if versions else ""
    words = "{said}: {ends}" if line.was.known is Known.OPEN and said != UNKNOWN else PINNED[line.was.known]
    return words.format(said=said, ends=ends)


def _lane(names: Sequence[str], of: int, line: Line, passed: Sequence[Passed], gathered: Gathered) -> Lane:
    days = {each.version: each.date for each in gathered.library.releases_of(line.components[0])}
    newest = line.now.one
    marks = [
        Mark(each.said, each.release, each.after, _name(each), f"#{_anchor(each.change)}")
        for each in passed
        if each.said and each.release and each.day
    ]
    return Lane(
        _named(names, of),
        ", ".join(line.components) + (f" ({line.side})" if line.side else ""),
        _pin(line) if not passed or any(each.said for each in passed) else f"{_pin(line)}; no claim is about it",
        line.was.known is Known.STATED,
        tuple(Release(each, days.get(each)) for each in line.was.versions),
        Release(newest, days.get(newest)) if newest else None,
        tuple(marks),
        sum(each.said is not None for each in passed) - len(marks),
    )


def _name(passed: Passed) -> str:
    return f"{passed.change.id} (gone)" if passed.gone else passed.change.id


def _named(arms: Sequence[str], of: int) -> str:
    """Arms in words."""
    unique = list(dict.fromkeys(arms))
    if len(unique) == of:
        return {1: "its one arm", 2: "both arms"}.get(of, f"all {of} arms")
    return ", ".join(unique)


# Rows


def _anchor(change: Change) -> str:
    return address.anchor("since", change.id)


def row(passed: Passed, of: int, record: Evaluation, gathered: Gathered) -> dict[str, Any]:
    """A change in a table: where it came in, and what it did to which claims."""
    change = passed.change
    return {
        "anchor": _anchor(change),
        "link": gathered.link(change.id, Kind.CHANGE, change.title),
        "component": gathered.link(change.component, Kind.COMPONENT),
        "release": passed.release.version if passed.release else None,
        "gone": passed.gone,
        "day": passed.day,
        "arms": _named(passed.arms or _spoken(passed), of),
        "between": bool(passed.arms),
        "effects": list(_effects(passed, record, gathered)),
    }


def _spoken(passed: Passed) -> list[str]:
    return sorted({arm for word in passed.words for arm in word.arms})


def _effects(passed: Passed, record: Evaluation, gathered: Gathered) -> Iterator[dict[str, Any]]:
    """What it did to which claims: those of one answer together, the strongest first."""
    grouped: dict[tuple[Said, str], list[str]] = {}
    pins: dict[tuple[Said, str], dict[str, None]] = {}
    for each in sorted(passed.words, key=lambda each: list(Said).index(each.said)):
        answered = (each.said, each.outcome or SHORT.get(each.why, each.why))
        claims = grouped.setdefault(answered, [])
        if each.pin:
            pins.setdefault(answered, {})[f"if {each.pin}"] = None
        if each.claim not in claims:
            claims.append(each.claim)
    loud = {claim for (said, _), claims in grouped.items() if said is not Said.SILENT for claim in claims}
    for (said, answer), claims in grouped.items():
        shown = claims if said is not Said.SILENT else [each for each in claims if each not in loud]
        if shown:
            yield {
                "outcome": outcome(answer) if said is not Said.SILENT else None,
                "why": answer,
                "number": len(shown),
                "pins": list(pins.get((said, answer), ())),
                "claims": [gathered.claim_link(record.id, each) for each in shown] if said is not Said.SILENT else [],
            }
