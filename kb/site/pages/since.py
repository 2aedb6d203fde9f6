"""What changed in an evaluation's components since the builds its arms ran: lanes by day, and the same as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kb.builds import Known
from kb.change import Change
from kb.evaluation import Evaluation
from kb.lines import Line
from kb.scene import stage
from kb.site import address
from kb.site.charts import passages
from kb.site.charts.passages import Lane, Mark, Release, Said
from kb.site.gather import Gathered
from kb.site.judged import Judged
from kb.site.pages import drawings
from kb.site.pages.verdicts import SHORT, outcome
from kb.target import Target
from kb.versions import parse
from kb.vocabulary import UNKNOWN, Kind, Outcome, Ships

NEWEST = Target()
"""Where each evaluation's own setup is asked: the newest releases."""


class Word(NamedTuple):
    """What a verdict says of a change, on some arms."""

    said: Said
    claim: str
    arms: frozenset[str]
    """Empty for all."""
    outcome: str
    """Empty for what is silent."""
    why: str


@dataclass
class Passed:
    """A change between two builds, on all arms together."""

    change: Change
    release: Release | None
    after: Release | None
    words: tuple[Word, ...]
    arms: list[str] = field(default_factory=list)

    @property
    def day(self) -> str:
        """When it came; empty where that is not known."""
        return (self.release.day if self.release else None) or ""

    @property
    def said(self) -> Said | None:
        """The strongest of what is said."""
        return next((kind for kind in Said if any(each.said is kind for each in self.words)), None)


def since(record: Evaluation, gathered: Gathered) -> dict[str, Any] | None:
    """Lanes drawn, and rows by what they say; None without any component."""
    words = _words(gathered.own.get(record.id, ()))
    arms = stage(record, NEWEST, gathered.registry)
    lines = [(scene.id, line) for scene in arms.values() for line in scene.lines]
    if not lines:
        return None
    found: dict[str, Passed] = {}
    lanes: dict[tuple[Any, ...], tuple[list[str], Line, list[Passed]]] = {}
    for arm, line in lines:
        passed = list(_between(line, arm, words, gathered))
        for each in passed:
            found.setdefault(each.change.id, each).arms.append(arm)
        key = (line.key, line.components, tuple((each.change.id, each.said) for each in passed))
        lanes.setdefault(key, ([], line, passed))[0].append(arm)
    drawn = [_lane(names, len(arms), line, passed, gathered) for names, line, passed in lanes.values()]
    whole = [_whole(each, words) for each in found.values()]
    whole += [Passed(gathered.library.changes[id_], None, None, tuple(words[id_])) for id_ in _elsewhere(words, found)]
    rows = sorted(
        whole, key=lambda each: (str((each.release and each.release.day) or ""), each.change.id), reverse=True
    )
    return {
        "drawings": drawings.shown([passages(drawn, record.date)]),
        "against": [_row(each, len(arms), record, gathered) for each in rows if each.said is Said.AGAINST],
        "open": [_row(each, len(arms), record, gathered) for each in rows if each.said is Said.OPEN],
        "silent": [_row(each, len(arms), record, gathered) for each in rows if each.said is Said.SILENT],
        "others": [_row(each, len(arms), record, gathered) for each in rows if each.said is None],
    }


def _elsewhere(words: Mapping[str, list[Word]], found: Mapping[str, Passed]) -> list[str]:
    """Changes that speak and that did not come in between: what an arm ran as a branch, say."""
    loud = (id_ for id_, said in words.items() if any(each.said is not Said.SILENT for each in said))
    return [id_ for id_ in loud if id_ not in found]


# Verdicts


def _words(verdicts: Iterable[Judged]) -> Mapping[str, list[Word]]:
    """Change -> what every verdict says of it."""
    found: dict[str, list[Word]] = {}
    for verdict in verdicts:
        for each in verdict["findings"]:
            if each["change"] and each["outcome"]:
                said = Said.OPEN if each["outcome"] == Outcome.UNKNOWN else Said.AGAINST
                word = Word(said, verdict["claim"], _arms(each["arm"]), each["outcome"], each["message"])
                found.setdefault(each["change"], []).append(word)
        for each in verdict["checked"]:
            if change := each.get("change"):
                word = Word(Said.SILENT, verdict["claim"], _arms(each.get("arm")), "", each["why"])
                found.setdefault(change, []).append(word)
    return found


def _arms(said: str | None) -> frozenset[str]:
    return frozenset() if said in {None, "all"} else frozenset(str(said).split(", "))


def _whole(passed: Passed, words: Mapping[str, list[Word]]) -> Passed:
    """With what is said of it on any arm."""
    passed.words = tuple(words.get(passed.change.id, ()))
    return passed


# Builds


def _between(line: Line, arm: str, words: Mapping[str, list[Word]], gathered: Gathered) -> Iterator[Passed]:
    """Changes that the newest release carries and a build that the pin can be does not, or the other way round."""
    registry, newest = gathered.registry, line.now.one
    if newest is None or not line.was.versions:
        return
    seen = set(line.was.carries)
    for component in line.components:
        for change in registry.changes.get(component, ()):
            if change.id in seen:
                continue
            now = registry.carried(change, component, newest)
            was = {registry.carried(change, component, version) for version in line.was.versions}
            if was != {now} or now is Ships.NOT_ESTABLISHED:
                seen.add(change.id)
                said = tuple(each for each in words.get(change.id, ()) if not each.arms or arm in each.arms)
                yield Passed(change, *_placed(change, component, line.was.versions[0], now, gathered), said)


def _placed(
    change: Change, component: str, oldest: str, now: Ships, gathered: Gathered
) -> tuple[Release | None, Release | None]:
    """The first release since the oldest build with what the newest has, and the one before where that is not known."""
    floor, before = parse(oldest), None
    wanted, other = (Ships.NO, Ships.YES) if now is Ships.NO else (Ships.YES, Ships.NO)
    later = [
        (gathered.registry.carried(change, component, each.version), Release(each.version, each.date))
        for each in gathered.registry.releases(component)
        if floor is None or (parse(each.version) or floor) >= floor
    ]
    if now is Ships.NO:  # it came and went, or was there: what counts is when it was lost
        last = max((n for n, (ships, _) in enumerate(later) if ships is Ships.YES), default=-1)
        later = later[last:] if last >= 0 else []
    for n, (ships, release) in enumerate(later):
        if ships is wanted:
            return release, before if n and later[n - 1][0] is Ships.NOT_ESTABLISHED else None
        before = release if ships is other else before
    return None, None


PINNED = {
    Known.STATED: "pinned at {said}",
    Known.RANGE: "one of {said}: {ends}",
    Known.DATED: "{said}: {ends}",
    Known.OPEN: "not stated: {ends}",
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
        Mark(each.said, each.release, each.after, each.change.id, f"#{_anchor(each.change)}")
        for each in passed
        if each.said and each.release and each.day
    ]
    return Lane(
        _named(names, of),
        ", ".join(line.components) + (f" ({line.side})" if line.side else ""),
        _pin(line),
        line.was.known is Known.STATED,
        tuple(Release(each, days.get(each)) for each in line.was.versions),
        Release(newest, days.get(newest)) if newest else None,
        tuple(marks),
        sum(each.said is not None for each in passed) - len(marks),
    )


def _named(arms: Sequence[str], of: int) -> str:
    """Arms in words."""
    unique = list(dict.fromkeys(arms))
    if len(unique) == of:
        return {1: "its one arm", 2: "both arms"}.get(of, f"all {of} arms")
    return ", ".join(unique)


# Rows


def _anchor(change: Change) -> str:
    return address.anchor("since", change.id)


def _row(passed: Passed, of: int, record: Evaluation, gathered: Gathered) -> dict[str, Any]:
    change = passed.change
    return {
        "anchor": _anchor(change),
        "link": gathered.link(change.id, Kind.CHANGE, change.title),
        "component": gathered.link(change.component, Kind.COMPONENT),
        "release": passed.release.version if passed.release else None,
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
    for each in sorted(passed.words, key=lambda each: list(Said).index(each.said)):
        answered = (each.said, each.outcome or SHORT.get(each.why, each.why))
        claims = grouped.setdefault(answered, [])
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
                "claims": [gathered.claim_link(record.id, each) for each in shown] if said is not Said.SILENT else [],
            }
