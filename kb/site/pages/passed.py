"""Changes between the builds that an evaluation's arms ran and the newest releases, and what verdicts say of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import dropwhile
from typing import Any, NamedTuple

from kb.change import Change
from kb.evaluation import Evaluation
from kb.lines import Line
from kb.once import once
from kb.scene import stage
from kb.site.charts.passages import Release, Said
from kb.site.gather import Gathered
from kb.site.judged import Judged
from kb.target import Target
from kb.versions import parse
from kb.vocabulary import Outcome, Ships

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
    why: str = ""
    """Why it is silent."""
    pin: str = ""
    """Builds of an open pin for which it speaks, where it does for some of them."""


class Passed(NamedTuple):
    """A change between two builds, as one arm or all of them meet it."""

    change: Change
    release: Release | None
    """The first that carries it, or that has lost it."""
    after: Release | None
    """The last that is known not to, where what comes between is not established."""
    words: tuple[Word, ...] = ()
    arms: tuple[str, ...] = ()
    """Arms whose builds it lies between; empty where none does."""
    gone: bool = False
    """Whether the newest release has lost it."""

    @property
    def day(self) -> str:
        """When it came; empty where that is not known."""
        return (self.release.day if self.release else None) or ""

    @property
    def said(self) -> Said | None:
        """The strongest of what is said."""
        kinds = {each.said for each in self.words}
        return next((kind for kind in Said if kind in kinds), None)


class Between(NamedTuple):
    """What came between, in one evaluation."""

    arms: int
    changes: tuple[Passed, ...]
    """Each once, the newest first; with them those that speak and did not come in between: a branch that ran, say."""
    lanes: tuple[tuple[tuple[str, ...], Line, tuple[Passed, ...]], ...]
    """Arms of which builds and changes are the same, what ships together in them, and the changes as they meet them."""


def between(record: Evaluation, gathered: Gathered) -> Between:
    """Changes by lane, and all of them; worked out once for the page, its top and the review queue."""
    return _came(gathered, record.id)


@once
def _came(gathered: Gathered, id_: str) -> Between:
    record = gathered.library.evaluations[id_]
    words = _words(gathered.own.get(record.id, ()))
    scenes = stage(record, NEWEST, gathered.registry).values()
    arms_of: dict[str, list[str]] = {}
    placed: dict[str, Passed] = {}
    lanes: dict[tuple[Any, ...], tuple[list[str], Line, tuple[Passed, ...]]] = {}
    for arm, line in ((scene.id, line) for scene in scenes for line in scene.lines):
        passed = tuple(_heard(each, arm, words) for each in _between(line, gathered))
        for each in passed:
            placed.setdefault(each.change.id, each)
            arms_of.setdefault(each.change.id, []).append(arm)
        key = (line.key, line.components, tuple((each.change.id, each.said) for each in passed))
        lanes.setdefault(key, ([], line, passed))[0].append(arm)
    whole = [
        each._replace(words=tuple(words.get(id_, ())), arms=tuple(dict.fromkeys(arms_of[id_])))
        for id_, each in placed.items()
    ]
    whole += [Passed(gathered.library.changes[id_], None, None, tuple(words[id_])) for id_ in _elsewhere(words, placed)]
    whole.sort(key=lambda each: (each.day, each.change.id), reverse=True)
    return Between(
        len(scenes), tuple(whole), tuple((tuple(arms), line, passed) for arms, line, passed in lanes.values())
    )


def _elsewhere(words: Mapping[str, list[Word]], found: Mapping[str, Passed]) -> list[str]:
    loud = (id_ for id_, said in words.items() if any(each.said is not Said.SILENT for each in said))
    return [id_ for id_ in loud if id_ not in found]


def _heard(passed: Passed, arm: str, words: Mapping[str, list[Word]]) -> Passed:
    """With what is said of it on one arm."""
    said = words.get(passed.change.id, ())
    return passed._replace(words=tuple(each for each in said if not each.arms or arm in each.arms))


# Verdicts


def _words(verdicts: Iterable[Judged]) -> Mapping[str, list[Word]]:
    """Change -> what every verdict says of it."""
    found: dict[str, list[Word]] = {}
    for verdict in verdicts:
        for each in verdict["findings"]:
            if each["change"] and each["outcome"]:
                said = Said.OPEN if each["outcome"] == Outcome.UNKNOWN else Said.AGAINST
                word = Word(said, verdict["claim"], _arms(each["arm"]), each["outcome"])
                found.setdefault(each["change"], []).append(word)
        for each in verdict["table"]:  # of an open pin what decides for some of the builds it can be
            if each["change"] and each["outcome"] not in {Outcome.UNKNOWN, verdict["outcome"]}:
                word = Word(Said.OPEN, verdict["claim"], frozenset(), each["outcome"], pin=each["pin"])
                found.setdefault(each["change"], []).append(word)
        for each in verdict["checked"]:
            if change := each.get("change"):
                word = Word(Said.SILENT, verdict["claim"], _arms(each.get("arm")), "", each["why"])
                found.setdefault(change, []).append(word)
    return found


def _arms(said: str | None) -> frozenset[str]:
    return frozenset() if said in {None, "all"} else frozenset(str(said).split(", "))


# Builds


def _between(line: Line, gathered: Gathered) -> tuple[Passed, ...]:
    """Changes that the newest release carries and a build that the pin can be does not, or the other way round."""
    newest = line.now.one
    if newest is None or not line.was.versions:
        return ()
    return _passed(gathered, line.components, line.was.versions, line.was.carries, newest)


@once
def _passed(
    gathered: Gathered, components: tuple[str, ...], builds: tuple[str, ...], carries: frozenset[str], newest: str
) -> tuple[Passed, ...]:
    return tuple(_passing(gathered, components, builds, set(carries), newest))


def _passing(
    gathered: Gathered, components: tuple[str, ...], builds: tuple[str, ...], seen: set[str], newest: str
) -> Iterator[Passed]:
    registry = gathered.registry
    for component in components:
        for change in registry.changes.get(component, ()):
            if change.id in seen:
                continue
            now = registry.carried(change, component, newest)
            was = {registry.carried(change, component, version) for version in builds}
            if was != {now} or now is Ships.NOT_ESTABLISHED:
                seen.add(change.id)
                yield Passed(change, *_placed(change, component, builds[0], now, gathered), gone=now is Ships.NO)


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
    later = list(dropwhile(lambda each: each[0] is wanted, later))  # what was there already did not come since
    for n, (ships, release) in enumerate(later):
        if ships is wanted:
            return release, before if later[n - 1][0] is Ships.NOT_ESTABLISHED else None
        before = release if ships is other else before
    return None, None
