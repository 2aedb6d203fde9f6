"""Releases and changes of every component: which build carries which change, from artifact facts alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from packaging.version import Version

from kb.change import Change, Dates
from kb.component import Build, Release
from kb.conditions import Condition, single
from kb.coverage import Accounts, Cover
from kb.digests import Between
from kb.flips import Flip, Interval
from kb.inforce import Ground, ground
from kb.library import Library
from kb.once import once
from kb.rivals import Rivals
from kb.versions import contains, parse
from kb.vocabulary import UNKNOWN, ChangeKind, ChangeRelation, Operator, Ships

Likeness = tuple[tuple[Ships, ...], tuple[bool | None, ...], tuple[bool | None, ...]]
"""Changes that a build carries, facts that hold of it, classes that it has."""


@dataclass(frozen=True, eq=False)
class Registry:
    """Releases and changes of every component of a library, looked up many times; itself and no other's like."""

    library: Library
    stages: dict[tuple[int, int, tuple[str, ...]], Any] = field(default_factory=dict, compare=False, repr=False)
    """Arms of evaluations laid out at targets (kb.scene), the last ones kept for the claims that share them."""
    lines: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """Lines of arms by their pins (kb.lines), the last ones kept for the arms that have the same."""

    @cached_property
    def changes(self) -> Mapping[str, tuple[Change, ...]]:
        """Component -> its changes, by id, so that the order of records plays no part."""
        found: dict[str, list[Change]] = defaultdict(list)
        for change in sorted(self.library.changes.values(), key=lambda each: each.id):
            for name in dict.fromkeys((change.component, *change.also)):
                found[name].append(change)
        return {name: tuple(each) for name, each in found.items()}

    @cached_property
    def fixes(self) -> Mapping[str, tuple[Change, ...]]:
        """Component -> its fixes of wrong results."""
        found = {name: tuple(filter(is_fix_of_results, changes)) for name, changes in self.changes.items()}
        return {name: fixes for name, fixes in found.items() if fixes}

    @once
    def lacking(self, component: str, version: str) -> tuple[Change, ...]:
        """Fixes of wrong results that a release does not carry."""
        fixes = self.fixes.get(component, ())
        return tuple(each for each in fixes if self.carried(each, component, version) is Ships.NO)

    @once
    def perhaps_lacking(self, component: str, version: str) -> tuple[Change, ...]:
        """Fixes of wrong results of which it is not established whether a release carries them."""
        fixes = self.fixes.get(component, ())
        return tuple(each for each in fixes if self.carried(each, component, version) is Ships.NOT_ESTABLISHED)

    def distribution(self, component: str) -> str:
        """The distribution whose versions a component ships in."""
        known = self.library.components.get(component)
        return (known.ships_in if known else None) or component

    def builds(self, component: str) -> tuple[Build, ...]:
        """Commits and images of which it is known where they lie, of the component and of what it ships in."""
        owners = dict.fromkeys((component, self.distribution(component)))
        known = (self.library.components.get(name) for name in owners)
        return tuple(build for owner in known if owner for build in owner.builds)

    @once
    def releases(self, component: str) -> tuple[Release, ...]:
        """Final releases that were not withdrawn, oldest first."""
        known = [(v, each) for each in self.library.releases_of(component) if (v := parse(each.version))]
        final = [pair for pair in known if not pair[0].is_prerelease and not pair[1].yanked]
        return tuple(each for _, each in sorted(final, key=lambda pair: pair[0]))

    @once
    def release_before(self, component: str, release: str) -> str:
        """The final release before one; of the first, and of one that is none, the same."""
        versions = [each.version for each in self.releases(component)]
        place = versions.index(release) if release in versions else 0
        return versions[place - 1] if place else release

    def newest(self, component: str) -> str | None:
        """The newest final release."""
        releases = self.releases(component)
        return releases[-1].version if releases else None

    @once
    def numbered(self, component: str) -> frozenset[Version]:
        """Every recorded release, the withdrawn and those before a release included."""
        return frozenset(filter(None, (parse(each.version) for each in self.library.releases_of(component))))

    @once
    def skips(self, component: str, version: str) -> bool:
        """Whether the recorded releases reach beyond a version on both sides, and it is none of them."""
        wanted, known = parse(version), self.numbered(component)
        return wanted is not None and wanted not in known and bool(known) and min(known) < wanted < max(known)

    @once
    def exists(self, component: str, version: str, class_name: str | None = None) -> bool:
        """Whether a release can have the component under that class; yes where the record says nothing."""
        known = self.library.components.get(component)
        spans = [each.versions for each in known.classes if class_name in {None, each.name}] if known else []
        if not spans and known and class_name:
            spans = [each.versions for each in known.classes]
        return not spans or any(contains(span, version) is not False for span in spans)

    @cached_property
    def _carried(self) -> dict[tuple[str, str, str], Ships]:
        return {}  # by the change's id: records have no hash that is worth its time

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
        if not answers and self._uploaded_before(component, version, opened_on(change.dates)):
            return Ships.NO
        return answers.pop() if len(answers) == 1 else Ships.NOT_ESTABLISHED

    @once
    def turned(self, change: str, component: str) -> tuple[Version, ...]:
        """The releases with which a change came or went, as far as it is established, oldest first."""
        record, found, before = self.library.changes[change], [], None
        for each in self.releases(component):
            there = self.carried(record, component, each.version)
            version = parse(each.version)
            if version and before not in {None, there} and there is not Ships.NOT_ESTABLISHED:
                found.append(version)
            before = before if there is Ships.NOT_ESTABLISHED else there
        return tuple(found)

    @once
    def moving(self, component: str, versions: tuple[str, ...]) -> tuple[Change, ...]:
        """Changes of a component in which some of these builds differ."""
        changes = self.changes.get(component, ())
        return tuple(each for each in changes if len({self.carried(each, component, one) for one in versions}) > 1)

    def has_moved(self, change: str, component: str, since: str, until: str) -> bool:
        """Whether a change came or went between two builds, be it that it is in the one as in the other."""
        ends = sorted(filter(None, (parse(since), parse(until))))
        return bool(ends) and any(ends[0] < each <= ends[-1] for each in self.turned(change, component))

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

    @once
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

    def is_replaced(self, change: str) -> bool:
        """Whether any change is recorded that took the place of one."""
        return change in self._replacing

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
            flip = Flip(change, self.carried(change, component, was), self.carried(change, component, now))
            yield self._flips.setdefault((change.id, flip.was.value, flip.now.value), flip)

    @cached_property
    def _flips(self) -> dict[tuple[str, str, str], Flip]:
        """Every flip once, so that what was found of one is found again by its identity."""
        return {}

    @once
    def ground(self, builds: tuple[tuple[str, str], ...]) -> Ground:
        """What releases (component, version) have in force by default."""
        return ground(((self.library.components[name], version) for name, version in builds), self._defaults)

    @cached_property
    def _defaults(self) -> dict[str, Mapping[str, Any]]:
        return {}

    @once
    def interval(self, component: str, was: str, now: str) -> Interval:
        """The changes of a component between two builds, by what they alter."""
        found: dict[bool, list[Flip]] = {False: [], True: []}
        for each in self.flips(component, was, now):
            found[each.same].append(each)
        return Interval(tuple(found[False]), tuple(found[True]))

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
    def rivalry(self) -> Rivals:
        """Which evaluations stand beside each other."""
        return Rivals(self.library)

    @once
    def likeness(self, component: str, version: str) -> int:
        """A number for all that a rule can see of a component's build: two builds of one get the same answers."""
        known = self.library.components.get(component)
        found: Likeness = (
            tuple(self.carried(change, component, version) for change in self.changes.get(component, ())),
            tuple(contains(fact.versions, version) for fact in known.facts) if known else (),
            tuple(contains(each.versions, version) for each in known.classes) if known else (),
        )
        return self._likenesses.setdefault((component, found), len(self._likenesses))

    @cached_property
    def _likenesses(self) -> dict[tuple[str, Likeness], int]:
        return {}

    @once
    def steps(self, anchor: str, version: str) -> int:
        """A number for all that the table of symbols tells of `component:symbol` up to a build: two builds of one were
        scanned, have it under the same names, and nothing changed, came or went between them. -1 where it tells
        nothing."""
        component, _, symbol = anchor.partition(":")
        table = self.library.digests.table(component)
        position = table.position(version) if table else None
        if table is None or position is None:
            return -1
        trail, changed = table.trail(symbol, position), {release for release, _ in table.changes(symbol, position)}
        there = [name is not None for name in trail]
        turned = sum(table.releases[n] in changed or there[n] is not there[n - 1] for n in range(1, position + 1))
        return self._trails.setdefault((anchor, trail, turned), len(self._trails))

    @cached_property
    def _trails(self) -> dict[tuple[str, tuple[str | None, ...], int], int]:
        return {}

    @once
    def versioned(self, component: str) -> tuple[Condition, ...]:
        """What is said of versions in guards of a component's changes, and in its facts and refusals: of these no two
        builds are alike by what they carry."""
        known = self.library.components.get(component)
        facts = known.facts if known else ()
        said = [change.guards for change in self.changes.get(component, ())]
        said += [each for fact in facts for each in (fact.when, *(refusal.when for refusal in fact.refuses))]
        conditions = (condition for each in said for _, condition in single(each))
        return tuple({repr(each): each for each in conditions if speaks_of_versions(each)}.values())

    @once
    def symbol_at(self, component: str, symbol: str, version: str) -> str | None:
        """The name of a symbol in a release, by the component's table of symbols; None where that does not know it."""
        table = self.library.digests.table(component)
        return table.named_at(symbol, version) if table else None

    @once
    def between(self, component: str, symbol: str, was: str, now: str) -> Between:
        """What became of a symbol between two builds, by the component's table."""
        return self.library.digests.between(component, symbol, was, now)

    @cached_property
    def _accounts(self) -> Accounts:
        return Accounts(self.library)

    @once
    def cover(self, component: str, first: str, second: str) -> Cover:
        """How far all changes of a component between two builds were looked at."""
        return self._accounts.cover(self.library.components[component], first, second)

    @once
    def reads(self, component: str, version: str) -> bool:
        """Whether anything was read in a release's artifact: only then does a missing option mean that it is gone."""
        known = self.library.components.get(component)
        return known is not None and any(fact.options or fact.env for fact in known.facts_at(version))


def speaks_of_versions(condition: Condition) -> bool:
    """Whether it speaks of the version of anything."""
    named = (name for name in (condition.key, condition.other) if name)
    return any(key.startswith("versions.") or key.endswith(".version") for key in named)


def is_fix_of_results(change: Change) -> bool:
    """Whether without it results were wrong, and not only slow."""
    return change.kind is ChangeKind.FIX and "correctness" in change.dimensions


def opened_on(dates: Dates | None) -> str | None:
    """The day on which a change was proposed; None when it is not known."""
    return str(dates.opened) if dates and dates.opened and dates.opened != UNKNOWN else None


def _folded(address: str) -> str:
    return address.rstrip("/").casefold()
