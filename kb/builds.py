"""Builds of a component: which releases a pin may be, and which of them carry a change, from artifact facts alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from packaging.version import Version

from kb.change import Change, Dates
from kb.component import Component, Release
from kb.conditions import Condition
from kb.coverage import Cover, cover
from kb.digests import Between
from kb.evaluation import Evaluation
from kb.library import Library
from kb.setup import Setup
from kb.versions import contains, parse, parse_range
from kb.vocabulary import UNKNOWN, ChangeKind, ChangeRelation, Operator, Ships


class Known(StrEnum):
    """How a set of candidate builds was come by."""

    STATED = "stated"
    """One release, named."""
    RANGE = "range"
    """Releases in a range that is stated."""
    DATED = "dated"
    """Main or latest on a day: between the release before it and the one after."""
    OPEN = "open"
    """Nothing is stated: every release that it can have been."""
    NOWHERE = "nowhere"
    """No release is known that it could be."""


Likeness = tuple[tuple[Ships, ...], tuple[bool | None, ...], tuple[bool | None, ...]]
"""Changes that a build carries, facts that hold of it, classes that it has."""


class Builds(NamedTuple):
    """The builds that a pin may be, oldest first."""

    versions: tuple[str, ...]
    known: Known
    said: str
    """The pin in words."""
    carries: frozenset[str] = frozenset()
    """Ids of changes that were patched in."""

    @property
    def one(self) -> str | None:
        """The build, if there is no choice."""
        return self.versions[0] if len(self.versions) == 1 else None


class Flip(NamedTuple):
    """A change that one build carries and another may not."""

    change: Change
    was: Ships
    now: Ships

    @property
    def arrived(self) -> bool:
        return (self.was, self.now) == (Ships.NO, Ships.YES)

    @property
    def gone(self) -> bool:
        return (self.was, self.now) == (Ships.YES, Ships.NO)

    @property
    def same(self) -> bool:
        return self.was is self.now and self.was is not Ships.NOT_ESTABLISHED


@dataclass(frozen=True)
class Interval:
    """Changes that one of two builds carries and the other may not."""

    flips: tuple[Flip, ...]

    @cached_property
    def by_dimension(self) -> Mapping[str, tuple[Flip, ...]]:
        """Dimension -> the changes that alter it."""
        found: dict[str, list[Flip]] = defaultdict(list)
        for flip in self.flips:
            for dimension in flip.change.dimensions:
                found[dimension].append(flip)
        return {dimension: tuple(flips) for dimension, flips in found.items()}

    @cached_property
    def with_symbols(self) -> tuple[Flip, ...]:
        """Changes that name code."""
        return tuple(flip for flip in self.flips if flip.change.symbols)

    @cached_property
    def undescribed(self) -> tuple[Flip, ...]:
        """Changes of which no dimension is stated."""
        return tuple(flip for flip in self.flips if not flip.change.dimensions)


@dataclass(frozen=True)
class Registry:
    """Releases and changes of every component of a library, looked up many times."""

    library: Library
    stages: dict[tuple[str, int, tuple[str, ...]], Any] = field(default_factory=dict, compare=False, repr=False)
    """Arms of evaluations laid out at targets (kb.scene), kept for the claims that share them."""

    @cached_property
    def changes(self) -> Mapping[str, tuple[Change, ...]]:
        """Component -> its changes, by id, so that the order of records plays no part."""
        found: dict[str, list[Change]] = defaultdict(list)
        for change in sorted(self.library.changes.values(), key=lambda each: each.id):
            for name in dict.fromkeys((change.component, *change.also)):
                found[name].append(change)
        return {name: tuple(each) for name, each in found.items()}

    @cached_property
    def _releases(self) -> dict[str, tuple[Release, ...]]:
        return {}

    @cached_property
    def fixes(self) -> Mapping[str, tuple[Change, ...]]:
        """Component -> its fixes of wrong results."""
        found = {name: tuple(filter(is_fix_of_results, changes)) for name, changes in self.changes.items()}
        return {name: fixes for name, fixes in found.items() if fixes}

    @cached_property
    def _carried(self) -> dict[tuple[str, str, str], Ships]:
        return {}

    def distribution(self, component: str) -> str:
        """The distribution whose versions a component ships in."""
        known = self.library.components.get(component)
        return (known.ships_in if known else None) or component

    def releases(self, component: str) -> tuple[Release, ...]:
        """Final releases that were not withdrawn, oldest first."""
        if component not in self._releases:
            known = [(v, each) for each in self.library.releases_of(component) if (v := parse(each.version))]
            final = [pair for pair in known if not pair[0].is_prerelease and not pair[1].yanked]
            self._releases[component] = tuple(each for _, each in sorted(final, key=lambda pair: pair[0]))
        return self._releases[component]

    def newest(self, component: str) -> str | None:
        """The newest final release."""
        releases = self.releases(component)
        return releases[-1].version if releases else None

    def exists(self, component: str, version: str, class_name: str | None = None) -> bool:
        """Whether a release can have the component under that class; yes where the record says nothing."""
        known = self.library.components.get(component)
        spans = [each.versions for each in known.classes if class_name in {None, each.name}] if known else []
        if not spans and known and class_name:
            spans = [each.versions for each in known.classes]
        return not spans or any(contains(span, version) is not False for span in spans)

    def carried(self, change: Change, component: str, version: str) -> Ships:
        """Whether a release carries a change; facts of all distributions that can carry the component must agree."""
        key = (change.id, component, version)
        if key not in self._carried:
            self._carried[key] = self._carried_by(change, component, version)
        return self._carried[key]

    def _carried_by(self, change: Change, component: str, version: str) -> Ships:
        if parse(version) is None:
            return Ships.NOT_ESTABLISHED
        answers = {
            change.ships_in(name, version)
            for name in self._carriers(component, change)
            if any(fact.distribution == name and contains(fact.versions, version) for fact in change.ships)
        }
        if not answers and self._uploaded_before(component, version, _day(change.dates)):
            return Ships.NO
        return answers.pop() if len(answers) == 1 else Ships.NOT_ESTABLISHED

    def _uploaded_before(self, component: str, version: str, opened: str | None) -> bool:
        """Whether a release was uploaded before a change was so much as proposed: then it cannot carry it. A date never
        says that anything does ship."""
        wanted = parse(version)
        days = (str(each.date) for each in self.library.releases_of(component) if parse(each.version) == wanted)
        day = next(days, UNKNOWN)
        return opened is not None and len(opened) == len(day) == len("2026-01-01") and day < opened

    def lacks_backend(self, component: str, version: str, backend: str | None) -> bool:
        """Whether a build is known to lack the transport backend that ran: the plug-in came as a change of its own."""
        return any(
            self.carried(change, component, version) is Ships.NO
            for change in self._backends.get((component, (backend or "").casefold()), ())
        )

    @cached_property
    def _backends(self) -> Mapping[tuple[str, str], tuple[Change, ...]]:
        """Component and transport backend -> the changes that brought it: features whose one guard is the backend."""
        found: dict[tuple[str, str], list[Change]] = defaultdict(list)
        for component, changes in self.changes.items():
            for change in changes:
                guard = change.guards[0] if len(change.guards) == 1 else None
                named = isinstance(guard, Condition) and (guard.key, guard.op) == ("transport.backend", Operator.IS)
                if named and isinstance(guard, Condition) and change.kind is ChangeKind.FEATURE:
                    found[component, guard.value[0].casefold()].append(change)
        return {key: tuple(each) for key, each in found.items()}

    def proposed_as(self, branch: str, component: str) -> frozenset[str]:
        """The change whose proposal a branch is: by its id, its address, or the number of the pull request."""
        if branch in {"", UNKNOWN}:
            return frozenset()
        numbers = set(re.findall(r"(?<![\d.])\d{3,6}(?![\d.])", branch))
        folded, distribution = branch.casefold(), self.distribution(component)
        for change in sorted(self.library.changes.values(), key=lambda each: each.id):
            address = str(change.url or "").casefold()
            told = change.id in folded or (address and address in folded) or address.rpartition("/")[2] in numbers
            if told and self.distribution(change.component) == distribution:
                return frozenset({change.id})
        return frozenset()

    def heir(self, change: Change, version: str) -> Change | None:
        """A change that a release carries and that took the place of another one, by way of others too."""
        seen, waiting = {change.id}, [change.id]
        while waiting:
            name = waiting.pop(0)
            for each in self._replacing.get(name, ()):
                if each.id in seen:
                    continue
                if self.carried(each, each.component, version) is Ships.YES:
                    return each
                seen.add(each.id)
                waiting.append(each.id)
        return None

    @cached_property
    def _replacing(self) -> Mapping[str, tuple[Change, ...]]:
        """Change -> those that replace it."""
        found: dict[str, list[Change]] = defaultdict(list)
        for change in sorted(self.library.changes.values(), key=lambda each: each.id):
            for relation in change.relations:
                if relation.relation is ChangeRelation.REPLACES:
                    found[relation.to].append(change)
        return {name: tuple(each) for name, each in found.items()}

    def _carriers(self, component: str, change: Change) -> tuple[str, ...]:
        known = self.library.components.get(component)
        if known is None or known.ships_in is None:
            return tuple(dict.fromkeys((component, *(fact.distribution for fact in change.ships))))
        return (known.ships_in, *known.also_ships_in)

    def flips(self, component: str, was: str, now: str) -> Iterable[Flip]:
        """Every change of a component with whether the two builds carry it."""
        for change in self.changes.get(component, ()):
            yield Flip(change, self.carried(change, component, was), self.carried(change, component, now))

    @cached_property
    def _intervals(self) -> dict[tuple[str, str, str], Interval]:
        return {}

    def interval(self, component: str, was: str, now: str) -> Interval:
        """The changes of a component between two builds, by what they alter; looked up once for all claims."""
        key = (component, was, now)
        if key not in self._intervals:
            self._intervals[key] = Interval(tuple(each for each in self.flips(component, was, now) if not each.same))
        return self._intervals[key]

    @cached_property
    def _shipping_in(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted({*self.library.components, *self.changes}):
            found[self.distribution(name)].append(name)
        return {distribution: tuple(names) for distribution, names in found.items()}

    def shipping_in(self, distribution: str) -> tuple[str, ...]:
        """Components that ship in a distribution."""
        return self._shipping_in.get(distribution, ())

    def named(self, address: str) -> frozenset[str]:
        """Ids of the changes that an address, an id or an alias names."""
        return self._by_name.get(_folded(address), frozenset())

    @cached_property
    def _by_name(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for change in self.library.changes.values():
            for name in filter(None, (change.id, change.url, *change.links, *change.aliases)):
                found[_folded(str(name))] = found.get(_folded(str(name)), frozenset()) | {change.id}
        return found

    @cached_property
    def _dimension_of(self) -> Mapping[str, str]:
        return {key: each.id for each in reversed(self.library.vocabulary.dimensions) for key in (each.id, *each.keys)}

    def dimension_of(self, key: str) -> str | None:
        """The dimension that a setup key belongs to: as the vocabulary says, or by name (`kv_layout`, kv-layout)."""
        return self._dimension_of.get(key) or self._dimension_of.get(key.rpartition(".")[2].replace("_", "-"))

    @cached_property
    def _asking(self) -> Mapping[Hashable, tuple[Evaluation, ...]]:
        """Question with the things compared, question alone, or id of an earlier one -> evaluations, by id."""
        found: dict[Hashable, dict[str, Evaluation]] = defaultdict(dict)
        for each in sorted(self.library.evaluations.values(), key=lambda each: each.id):
            keys = (self._asks(each), ("question", each.question), *(relation.to for relation in each.relations))
            for key in keys:
                found[key][each.id] = each
        return {key: tuple(named.values()) for key, named in found.items()}

    def _asks(self, evaluation: Evaluation) -> Hashable:
        """The question of an evaluation and the connectors that it sets against each other."""
        arms = [evaluation.arm_setup(arm) for arm in evaluation.arms] or [evaluation.setup or Setup()]
        pins = (pin for setup in arms for key, pin in setup.pins().items() if key.endswith("connector"))
        return evaluation.question, frozenset(pin.component for pin in pins if pin.component)

    def _asked_by(self, evaluation: Evaluation) -> Hashable:
        """The same of an evaluation of this library, worked out once: hundreds of claims may share hundreds of arms."""
        if self.library.evaluations.get(evaluation.id) is not evaluation:
            return self._asks(evaluation)
        if evaluation.id not in self._questions:
            self._questions[evaluation.id] = self._asks(evaluation)
        return self._questions[evaluation.id]

    @cached_property
    def _questions(self) -> dict[str, Hashable]:
        return {}

    def rivals(self, evaluation: Evaluation) -> tuple[Evaluation, ...]:
        """Other evaluations of the same question that compare the same connectors, and those that name this one."""
        asking = self._asking.get(self._asked_by(evaluation), ()) if evaluation.question else ()
        both = {each.id: each for each in (*asking, *self._asking.get(evaluation.id, ())) if each is not evaluation}
        return tuple(both[id_] for id_ in sorted(both))

    def fellows(self, evaluation: Evaluation) -> tuple[Evaluation, ...]:
        """Other evaluations of the same question that compare other things."""
        same = {each.id for each in (evaluation, *self.rivals(evaluation))}
        asking = self._asking.get(("question", evaluation.question), ()) if evaluation.question else ()
        return tuple(each for each in asking if each.id not in same)

    @cached_property
    def _likenesses(self) -> dict[tuple[str, str], Likeness]:
        return {}

    def likeness(self, component: str, version: str) -> Likeness:
        """All that a rule can see of a component's build: two builds of one likeness get the same answers."""
        key = (component, version)
        if key not in self._likenesses:
            known = self.library.components.get(component)
            self._likenesses[key] = (
                tuple(self.carried(change, component, version) for change in self.changes.get(component, ())),
                tuple(contains(fact.versions, version) for fact in known.facts) if known else (),
                tuple(contains(each.versions, version) for each in known.classes) if known else (),
            )
        return self._likenesses[key]

    @cached_property
    def _steps(self) -> dict[str, tuple[Version, ...]]:
        return {}

    def steps(self, anchor: str, version: str) -> int:
        """How many times the code of `component:symbol` had changed up to a build, by the table of symbols."""
        if anchor not in self._steps:
            component, _, symbol = anchor.partition(":")
            table = self.library.digests.table(component)
            changed = (parse(release) for release, _ in table.changes(symbol)) if table else ()
            self._steps[anchor] = tuple(filter(None, changed))
        at = parse(version)
        return sum(each <= at for each in self._steps[anchor]) if at else -1

    @cached_property
    def _symbols(self) -> dict[tuple[str, str, str], str | None]:
        return {}

    def symbol_at(self, component: str, symbol: str, version: str) -> str | None:
        """The name of a symbol in a release, by the component's table of symbols; None where that does not know it."""
        key = (component, symbol, version)
        if key not in self._symbols:
            table = self.library.digests.table(component)
            self._symbols[key] = table.named_at(symbol, version) if table else None
        return self._symbols[key]

    @cached_property
    def _between(self) -> dict[tuple[str, str, str, str], Between]:
        return {}

    def between(self, component: str, symbol: str, was: str, now: str) -> Between:
        """What became of a symbol between two builds, by the component's table."""
        key = (component, symbol, was, now)
        if key not in self._between:
            self._between[key] = self.library.digests.between(*key)
        return self._between[key]

    @cached_property
    def _covers(self) -> dict[tuple[str, str, str], Cover]:
        return {}

    def cover(self, component: str, first: str, second: str) -> Cover:
        """How far all changes of a component between two builds were looked at."""
        key = (component, first, second)
        if key not in self._covers:
            self._covers[key] = cover(self.library.components[component], first, second, self.library)
        return self._covers[key]

    def reads(self, component: str, version: str) -> bool:
        """Whether anything was read in a release's artifact: only then does a missing option mean that it is gone."""
        known = self.library.components.get(component)
        return known is not None and any(fact.options or fact.env for fact in known.facts_at(version))


def is_fix_of_results(change: Change) -> bool:
    """Whether without it results were wrong, and not only slow."""
    return change.kind is ChangeKind.FIX and "correctness" in change.dimensions


def builds(
    component: str,
    pin: Mapping[str, object],
    registry: Registry,
    until: str | None = None,
    class_name: str | None = None,
) -> Builds:
    """The builds that a pin may be.

    `pin` holds the stated keys of a kb.setup.Pin. `until` is the day of the evaluation, for pins that state nothing:
    what ran was released by then, or was main on its way to the first release after it.
    """
    carries = _patched(pin, registry) | registry.proposed_as(str(pin.get("branch") or ""), component)
    stated = pin.get("version")
    releases = registry.releases(component)
    if stated not in {None, UNKNOWN}:
        text = str(stated)
        if parse(text):
            return _stated(text, releases, carries)
        inside = tuple(each.version for each in releases if contains(text, each.version))
        return Builds(inside, Known.RANGE if inside else Known.NOWHERE, text, carries)
    day = pin.get("as_of")
    if day not in {None, UNKNOWN}:
        around = _around(releases, str(day))
        return Builds(around, Known.DATED if around else Known.NOWHERE, f"as of {day}", carries)
    young = _since(_until(releases, until), _opened(carries, pin, registry))
    possible = [each for each in young if registry.exists(component, each.version, class_name)]
    said = next(
        (f"{name} {pin[name]}" for name in ("commit", "image") if pin.get(name) not in {None, UNKNOWN}), UNKNOWN
    )
    found = tuple(each.version for each in possible)
    return Builds(found, Known.OPEN if found else Known.NOWHERE, said, carries)


def _stated(text: str, releases: tuple[Release, ...], carries: frozenset[str]) -> Builds:
    """A version that is named. A development build is main on the way to a release: what it holds of main may have been
    in the next release, or, when that one was made on a branch, only in the next minor one."""
    version = parse(text)
    if version is None or not version.is_devrelease:
        return Builds((text,), Known.STATED, text, carries)
    placed = [(parsed, each.version) for each in releases if (parsed := parse(each.version))]
    before = [name for parsed, name in placed if parsed < version][-1:]
    after = [name for parsed, name in placed if parsed > version][:1]
    minor = [name for parsed, name in placed if parsed.release[:2] > version.release[:2]][:1] if version.micro else []
    around = tuple(dict.fromkeys((*before, *after, *minor)))
    return Builds(around or (text,), Known.DATED if around else Known.STATED, text, carries)


def _patched(pin: Mapping[str, object], registry: Registry) -> frozenset[str]:
    """Ids of the changes that were patched in."""
    patches = pin.get("patches")
    named = patches if isinstance(patches, list | tuple) else ()
    return frozenset().union(*(registry.named(str(each)) for each in named))


def _opened(carries: frozenset[str], pin: Mapping[str, object], registry: Registry) -> str | None:
    """The day before which a branch cannot have been: when its proposal was opened."""
    if pin.get("branch") in {None, UNKNOWN}:
        return None
    days = [_day(registry.library.changes[name].dates) for name in carries]
    return min((day for day in days if day), default=None)


def _day(dates: Dates | None) -> str | None:
    return str(dates.opened) if dates and dates.opened and dates.opened != UNKNOWN else None


def _since(releases: tuple[Release, ...], day: str | None) -> tuple[Release, ...]:
    """The last release up to a day and all later ones."""
    if day is None or not all(each.date and each.date != UNKNOWN for each in releases):
        return releases
    before = max((str(each.date) for each in releases if str(each.date) <= f"{day}~"), default="")
    return tuple(each for each in releases if str(each.date) >= before)


def _folded(address: str) -> str:
    return address.rstrip("/").casefold()


def _until(releases: tuple[Release, ...], day: str | None) -> tuple[Release, ...]:
    """Releases up to a day and the first one after it; all of them where days are not known."""
    if day is None or day == UNKNOWN or not all(each.date and each.date != UNKNOWN for each in releases):
        return releases
    next_day = min((str(each.date) for each in releases if str(each.date) > f"{day}~"), default=None)
    return tuple(each for each in releases if str(each.date) <= f"{day}~" or str(each.date) == next_day)


def _around(releases: tuple[Release, ...], day: str) -> tuple[str, ...]:
    """The last release up to a day and the first after it."""
    dated = [each for each in releases if each.date and each.date != UNKNOWN]
    before = [each.version for each in dated if str(each.date) <= f"{day}~"]
    after = [each.version for each in dated if str(each.date) > f"{day}~"]
    return (*before[-1:], *after[:1])


def is_range(text: str) -> bool:
    """Whether a version in words leaves a choice."""
    return parse(text) is None and parse_range(text) is not None


def component_of(library: Library, name: str) -> Component | None:
    """The component of an id, alias or class name."""
    return library.components.get(name) or library.components.get(library.component_names.get(name.casefold(), ""))
