"""Changes of an evaluation's components, seen from the builds it pins: what may have come after it was measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import dropwhile, takewhile
from typing import NamedTuple

from kb.change import Change
from kb.component import Component
from kb.evaluation import Evaluation
from kb.library import Library
from kb.setup import Pin, Setup
from kb.terms import Metric
from kb.versions import contains, parse
from kb.vocabulary import UNKNOWN, ChangeStatus, Ships


class Standing(StrEnum):
    """What became of a change between the pinned builds and the newest release."""

    NEW = "new"
    """Not in the pinned builds, in the newest."""
    GONE = "gone"
    """In the pinned builds, no longer in the newest."""
    PASSED = "passed"
    """In neither, but in a release between them."""
    SAME = "same"
    """In both, or in neither and nothing between: nothing changed."""
    PROPOSED = "proposed"
    """Proposed, and in no release that is known."""
    OPEN = "open"
    """Not established: the pin is unknown or no release, or nobody has looked into the artifacts."""


@dataclass(frozen=True, slots=True)
class ChangeSince:
    """One change and how it stands to the pins."""

    change: Change
    standing: Standing
    """What became of it between the pins and the newest release."""
    pinned: Ships
    """Whether the pinned builds carry it; `not-established` when a pin is unknown, a range or a branch."""
    between: bool
    """Whether one pinned build carries it and another does not: then the evaluation itself spans it."""
    newest: Ships
    """Whether the newest known release carries it."""
    seen_in: str | None
    """The newest release that is known to carry it."""
    first: str | None
    """The first of the releases that carry it one after the other up to that one."""
    established: bool
    """Whether the release before the first one is known not to carry it."""
    touches: tuple[str, ...]
    """Dimensions it alters that a claim of the evaluation rests on by name."""
    implied: tuple[str, ...]
    """Dimensions it alters that a claim rests on because its metric implies them."""


@dataclass(frozen=True, slots=True)
class ComponentSince:
    """The changes of one component that may lie between the pinned builds and the newest release."""

    component: str
    pins: tuple[str, ...]
    """The pinned builds in words: versions, `branch X`, `commit X` or `unknown`."""
    newest: str | None
    """Newest known release of the distribution it ships in."""
    ships_in: str
    """That distribution."""
    changes: tuple[ChangeSince, ...]
    """Those that touch what a claim rests on first."""
    same: int
    """Known changes that make no difference between the pinned builds and the newest release."""


def since(evaluation: Evaluation, library: Library) -> tuple[ComponentSince, ...]:
    """For every component that an arm names, in the order of the setup: its changes since the pins."""
    pins = pinned(evaluation, library)
    rests = Rests(
        library.called(dimension for claim in evaluation.claims for dimension in claim.rests_on),
        frozenset(dimension for metric in _metrics(evaluation, library) for dimension in metric.implies),
    )
    return tuple(_component(name, builds, rests, library) for name, builds in pins.items())


class Rests(NamedTuple):
    """Dimensions that an evaluation's claims rest on."""

    named: frozenset[str]
    implied: frozenset[str]


def _metrics(evaluation: Evaluation, library: Library) -> Iterator[Metric]:
    """Metrics that measured claims are about, as far as the vocabulary knows them."""
    for claim in evaluation.claims:
        if claim.effect and claim.effect.metric in library.metrics:
            yield library.metrics[claim.effect.metric]


def pinned(evaluation: Evaluation, library: Library) -> dict[str, tuple[str, ...]]:
    """Component -> the builds that the arms pin, in words; a connector without one has its engine's."""
    found: dict[str, dict[str, None]] = {}
    for setup in _setups(evaluation):
        builds = _builds(setup)
        for component, stated in builds.items():
            known = stated or builds.get(_distribution(component, library)) or (UNKNOWN,)
            found.setdefault(component, {}).update(dict.fromkeys(known))
    return {component: tuple(builds) for component, builds in found.items()}


def _setups(evaluation: Evaluation) -> list[Setup]:
    arms = [evaluation.arm_setup(arm) for arm in evaluation.arms]
    return arms or [evaluation.setup or Setup()]


def _builds(setup: Setup) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for pin in setup.pins().values():
        if pin.component:
            found[pin.component] = (*found.get(pin.component, ()), *_build(pin))
    return found


def _build(pin: Pin) -> tuple[str, ...]:
    """A pin in words; a fork or branch goes before a version, because it is not that release."""
    for name in ("fork", "branch", "version", "commit"):
        if (value := getattr(pin, name)) not in (None, UNKNOWN):
            return (value if name == "version" else f"{name} {value}",)
    return ()


def _distribution(component: str, library: Library) -> str:
    known = library.components.get(component)
    return (known.ships_in if known else None) or component


def _component(name: str, pins: tuple[str, ...], rests: Rests, library: Library) -> ComponentSince:
    component = library.components.get(name)
    known = [change for change in library.changes.values() if name in {change.component, *change.also}]
    releases = _releases(component, library)
    newest = releases[0] if releases else None
    seen = [_change(change, component, pins, releases, rests) for change in known]
    differ = [each for each in seen if each.standing is not Standing.SAME]
    newest_first = sorted(differ, key=_day, reverse=True)
    open_ = sorted(newest_first, key=lambda each: not each.touches)
    return ComponentSince(name, pins, newest, _distribution(name, library), tuple(open_), len(seen) - len(open_))


def _releases(component: Component | None, library: Library) -> list[str]:
    """Final releases of what the component ships in, newest first."""
    owned = library.releases.get(component.ships_in or component.id, ()) if component else ()
    known = [(version, each) for each in owned if (version := parse(each.version)) and not each.yanked]
    final = [pair for pair in known if not pair[0].is_prerelease]
    return [each.version for _, each in sorted(final, key=lambda pair: pair[0], reverse=True)]


def _change(
    change: Change, component: Component | None, pins: tuple[str, ...], releases: list[str], rests: Rests
) -> ChangeSince:
    carried = Carried(change, _carriers(component, change), releases)
    at_pins = {carried.by(pin) for pin in pins}
    pinned = next(iter(at_pins)) if len(at_pins) == 1 else Ships.NOT_ESTABLISHED
    between = {Ships.YES, Ships.NO} <= at_pins
    carriers = carried.run()
    return ChangeSince(
        change,
        Standing.OPEN if between else standing(carried, pins),
        pinned,
        between,
        carried.newest,
        carriers[0] if carriers else None,
        carriers[-1] if carriers else None,
        bool(carriers) and carried.before(carriers[-1]) is Ships.NO,
        tuple(dimension for dimension in change.dimensions if dimension in rests.named),
        tuple(dimension for dimension in change.dimensions if dimension in rests.implied),
    )


class Carried(NamedTuple):
    """Which releases carry a change."""

    change: Change
    distributions: tuple[str, ...]
    releases: list[str]
    """Newest first."""

    @property
    def newest(self) -> Ships:
        return self.by(self.releases[0]) if self.releases else Ships.NOT_ESTABLISHED

    def by(self, version: str) -> Ships:
        """Whether a release does; not established for what is no release."""
        if parse(version) is None:
            return Ships.NOT_ESTABLISHED
        answers = set(_answers(self.change, self.distributions, version))
        return answers.pop() if len(answers) == 1 else Ships.NOT_ESTABLISHED

    def run(self) -> list[str]:
        """The newest releases that carry it with none between them that is not known to, newest first."""
        from_newest = dropwhile(lambda each: self.by(each) is not Ships.YES, self.releases)
        return list(takewhile(lambda each: self.by(each) is Ships.YES, from_newest))

    def before(self, version: str) -> Ships:
        """Whether the release before one of them does; not established before the oldest."""
        older = self.releases[self.releases.index(version) + 1 :]
        return self.by(older[0]) if older else Ships.NOT_ESTABLISHED

    def after(self, version: str) -> bool:
        """Whether any release after a version, the newest aside, does."""
        pin = parse(version)
        later = [each for each in self.releases[1:] if pin is not None and (known := parse(each)) and known > pin]
        return any(self.by(each) is Ships.YES for each in later)


def standing(carried: Carried, pins: tuple[str, ...]) -> Standing:
    """What became of the change since the pins; pins (or candidates of an open one) that disagree leave it open."""
    nowhere = not any(fact.ships is Ships.YES for fact in carried.change.ships)
    if nowhere and carried.change.status is ChangeStatus.PROPOSED:
        return Standing.PROPOSED
    if nowhere and carried.change.status in {ChangeStatus.CLOSED, ChangeStatus.REVERTED}:
        return Standing.SAME
    found = {_from(carried, build) for pin in pins for build in _candidates(pin, carried.releases)}
    return found.pop() if len(found) == 1 else Standing.OPEN


def _candidates(pin: str, releases: list[str]) -> list[str]:
    """Releases that a pin may be: itself, or those in its range; what is no release is only itself."""
    if parse(pin) is not None:
        return [pin]
    return [each for each in releases if contains(pin, each)] or [pin]


def _from(carried: Carried, build: str) -> Standing:
    pinned, newest = carried.by(build), carried.newest
    if Ships.NOT_ESTABLISHED in {pinned, newest}:
        return Standing.OPEN
    if pinned is not newest:
        return Standing.NEW if newest is Ships.YES else Standing.GONE
    return Standing.PASSED if pinned is Ships.NO and carried.after(build) else Standing.SAME


def _carriers(component: Component | None, change: Change) -> tuple[str, ...]:
    if component is None or component.ships_in is None:
        return tuple(dict.fromkeys(fact.distribution for fact in change.ships))
    return (component.ships_in, *component.also_ships_in)


def _answers(change: Change, distributions: Iterable[str], version: str) -> Iterator[Ships]:
    for distribution in distributions:
        if any(fact.distribution == distribution and contains(fact.versions, version) for fact in change.ships):
            yield change.ships_in(distribution, version)


def _day(each: ChangeSince) -> str:
    dates = each.change.dates
    return (dates.merged or dates.opened if dates else None) or ""
