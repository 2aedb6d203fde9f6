"""Changes of an evaluation's components, seen from the builds it pins: what may have come after it was measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from kb.change import Change
from kb.component import Component
from kb.evaluation import Evaluation
from kb.library import Library
from kb.setup import Pin, Setup
from kb.terms import Metric
from kb.versions import contains, parse
from kb.vocabulary import UNKNOWN, Ships


@dataclass(frozen=True, slots=True)
class ChangeSince:
    """One change and how it stands to the pins."""

    change: Change
    pinned: Ships
    """Whether the pinned builds carry it; `not-established` when a pin is unknown, a range or a branch."""
    between: bool
    """Whether one pinned build carries it and another does not: then the evaluation itself spans it."""
    newest: Ships
    """Whether the newest known release carries it."""
    seen_in: str | None
    """The newest release that is known to carry it."""
    touches: tuple[str, ...]
    """Dimensions it alters that a claim of the evaluation rests on by name."""
    implied: tuple[str, ...]
    """Dimensions it alters that a claim rests on because its metric implies them."""


@dataclass(frozen=True, slots=True)
class ComponentSince:
    """The changes of one component that are not known to be in the pinned builds."""

    component: str
    pins: tuple[str, ...]
    """The pinned builds in words: versions, `branch X`, `commit X` or `unknown`."""
    newest: str | None
    """Newest known release of the distribution it ships in."""
    ships_in: str
    """That distribution."""
    changes: tuple[ChangeSince, ...]
    """Those that touch what a claim rests on first."""
    already: int
    """Known changes that every pinned build carries."""


def since(evaluation: Evaluation, library: Library) -> tuple[ComponentSince, ...]:
    """For every component that an arm names, in the order of the setup: its changes since the pins."""
    pins = pinned(evaluation, library)
    rests = Rests(
        frozenset(dimension for claim in evaluation.claims for dimension in claim.rests_on),
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
    """A pin in words; a branch or commit goes before a version, because it is not that release."""
    for name in ("fork", "branch", "commit"):
        if (value := getattr(pin, name)) not in (None, UNKNOWN):
            return (f"{name} {value}",)
    return (pin.version,) if pin.version not in (None, UNKNOWN) else ()


def _distribution(component: str, library: Library) -> str:
    known = library.components.get(component)
    return (known.ships_in if known else None) or component


def _component(name: str, pins: tuple[str, ...], rests: Rests, library: Library) -> ComponentSince:
    component = library.components.get(name)
    known = [change for change in library.changes.values() if name in {change.component, *change.also}]
    releases = _releases(component, library)
    newest = releases[0] if releases else None
    seen = [_change(change, component, pins, releases, rests) for change in known]
    newest_first = sorted((each for each in seen if each.pinned is not Ships.YES), key=_day, reverse=True)
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
    distributions = _carriers(component, change)
    at_pins = {_carried(change, distributions, pin) for pin in pins}
    pinned = next(iter(at_pins)) if len(at_pins) == 1 else Ships.NOT_ESTABLISHED
    between = {Ships.YES, Ships.NO} <= at_pins
    seen_in = next((each for each in releases if _carried(change, distributions, each) is Ships.YES), None)
    newest = _carried(change, distributions, releases[0]) if releases else Ships.NOT_ESTABLISHED
    touches = tuple(dimension for dimension in change.dimensions if dimension in rests.named)
    implied = tuple(dimension for dimension in change.dimensions if dimension in rests.implied)
    return ChangeSince(change, pinned, between, newest, seen_in, touches, implied)


def _carriers(component: Component | None, change: Change) -> tuple[str, ...]:
    if component is None or component.ships_in is None:
        return tuple(dict.fromkeys(fact.distribution for fact in change.ships))
    return (component.ships_in, *component.also_ships_in)


def _carried(change: Change, distributions: Iterable[str], version: str) -> Ships:
    if parse(version) is None:
        return Ships.NOT_ESTABLISHED
    answers = set(_answers(change, distributions, version))
    return answers.pop() if len(answers) == 1 else Ships.NOT_ESTABLISHED


def _answers(change: Change, distributions: Iterable[str], version: str) -> Iterator[Ships]:
    for distribution in distributions:
        if any(fact.distribution == distribution and contains(fact.versions, version) for fact in change.ships):
            yield change.ships_in(distribution, version)


def _day(each: ChangeSince) -> str:
    dates = each.change.dates
    return (dates.merged or dates.opened if dates else None) or ""
