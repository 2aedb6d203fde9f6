"""What a claim has at stake in one line of one arm, whichever builds the line moves between."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kb.bearings import Bearings, Interest, bearings
from kb.change import Change
from kb.conditions import Condition, single
from kb.evaluation import Impact, Review
from kb.flips import Flip
from kb.lines import Line
from kb.once import kept, once
from kb.registry import speaks_of_versions
from kb.scene import ArmScene, Scene
from kb.setup import Setup
from kb.target import SIDES
from kb.vocabulary import Ships

REQUIRED = frozenset({"transfer_library", "cache", "engine"})
"""Roles that a requirement of another component can move."""

Names = tuple[tuple[str, str, frozenset[str]], ...]
"""Anchor, its component, and the names of its code in the builds in question."""


@dataclass(frozen=True)
class Stake:
    """A claim's interest in one line of an arm."""

    scene: Scene
    arm: ArmScene
    line: Line

    @kept
    def measured(self) -> Setup:
        """The setup of the measured arm."""
        evaluation = self.scene.evaluation
        arm = evaluation.arm_table().get(self.arm.id)
        return evaluation.arm_setup(arm) if arm else evaluation.setup or Setup()

    @kept
    def anchors(self) -> tuple[str, ...]:
        """The claim's anchors in this line's components, for this arm and for all."""
        named = self.scene.claim.anchors
        mine = (*named.get(self.arm.id, ()), *named.get("all", ())) if named else ()
        return tuple(each for each in mine if each.partition(":")[0] in self.line.components)

    @kept
    def read(self) -> tuple[str, ...]:
        """Code of this line's components, and of what they ship in, that people's statements about the claim name."""
        scene, run = self.scene, {*self.line.components, self.line.distribution}
        about = (each.symbols for each in scene.evaluation.impacts if each.symbols and each.claim == scene.claim.id)
        named = dict.fromkeys(symbol for symbols in about for symbol in symbols)
        return tuple(symbol for symbol in named if symbol.partition(":")[0] in run)

    @once
    def likeness(self, build: str | None) -> Hashable:
        """All that any rule but those about coverage can see of a build of the line."""
        registry = self.scene.registry
        return build and (
            tuple(registry.likeness(each, build) for each in self.line.components),
            tuple(registry.steps(each, build) for each in (*self.anchors, *self.read)),
            tuple(self._versions(build)),
            tuple(self._patches(build)),
            tuple(self._moved(build)),
            all(registry.exists(each, build) for each in self.line.components) or build,  # what took its place differs
        )

    def _versions(self, build: str) -> Iterator[Hashable]:
        """What is said of versions (in guards, in facts and in the claim's conditions) as far as this build decides it;
        the build itself where it is set beside another one."""
        here = dict.fromkeys(self._pinned, build)
        for each in self._versioned:
            yield each.test(here) if each.other is None or {each.key, each.other} <= here.keys() else build

    @kept
    def _versioned(self) -> tuple[Condition, ...]:
        """Conditions on versions of this line that play a part in the arm."""
        registry = self.scene.registry
        mine = (each for _, each in single(self.scene.claim.conditions) if speaks_of_versions(each))
        run = (name for line in self.arm.lines for name in line.components)
        theirs = (each for name in dict.fromkeys(run) for each in registry.versioned(name))
        return tuple(each for each in (*mine, *theirs) if not self._pinned.isdisjoint({each.key, each.other}))

    @kept
    def _pinned(self) -> frozenset[str]:
        """Setup keys in which the build of the line stands."""
        sides = (self.line.side,) if self.line.side else SIDES
        named = {f"versions.{part.component}" for part in self.line.parts}
        roles = {part.role for part in self.line.parts}
        return frozenset(
            named | {f"{at}{role}.version" for role in roles for at in ("", *(f"{side}." for side in sides))}
        )

    def _moved(self, build: str) -> Iterator[bool]:
        """Of what a review saw and what came or went more than once, whether it has moved since."""
        registry = self.scene.registry
        for review in self.scene.evaluation.reviews:
            for component in self.line.components:
                at = review.at.get(component) or review.at.get(self.line.distribution)
                for name in review.seen if at else ():
                    if name in registry.library.changes and len(registry.turned(name, component)) > 1:
                        yield registry.has_moved(name, component, at or "", build)

    def _patches(self, build: str) -> Iterator[Hashable]:
        """Of what was patched in, and may be a change of something else, whether the build carries it, or its heir."""
        registry = self.scene.registry
        for name in sorted(self.line.was.carries | self.line.now.carries):
            change = registry.library.changes[name]
            there = tuple(registry.carried(change, each, build) for each in self.line.components)
            heir = registry.heir(change, build)
            yield there, heir and heir.id

    @kept
    def bearings(self) -> Bearings:
        """What changes mean to it, builds, guards and people's statements aside."""
        scene, rests_on = self.scene, self.scene.rests_on
        others = (part.role for line in self.arm.lines if line.name != self.line.name for part in line.parts)
        interest = Interest(
            rests_on,
            rests_on & frozenset(scene.claim.rests_on),
            bool(rests_on or scene.claim.anchors) and not scene.vague,
            scene.claim.phase,
            self._failures,
            not REQUIRED.isdisjoint(others),
        )
        return bearings(scene.registry, interest)

    @property
    def _failures(self) -> bool:
        """Whether any request of the arm is recorded as failed or computed again."""
        arm = self.scene.evaluation.arm_table().get(self.arm.id)
        counts = (arm.requests.failed, arm.requests.recomputed) if arm and arm.requests else ()
        return any(isinstance(each, int) and each > 0 for each in counts)

    def names(self, was: str | None, now: str | None) -> Names:
        """Each anchor with its component and the names of its code in two builds; builds that agree share them."""
        found = self._named(was, now) if self.anchors else ()
        return self._names.setdefault(found, found)

    @kept
    def _names(self) -> dict[Names, Names]:
        return {}

    def _named(self, *builds: str | None) -> Names:
        registry = self.scene.registry
        found = []
        for anchor in self.anchors:
            owner, _, wanted = anchor.partition(":")
            at = (registry.symbol_at(owner, wanted, version) for version in builds if version)
            found.append((anchor, owner, frozenset({wanted, *filter(None, at)})))
        return tuple(found)

    def anchored(self, change: Change, names: Names) -> tuple[str, ...]:
        """Anchors in code that a change names: one is the other, or part of it, under one of these names."""
        if not names or not change.symbols:
            return ()
        key = (id(change), id(names))
        if key not in self._anchored:  # names are kept here and changes with the library: no other takes their place
            self._anchored[key] = tuple(dict.fromkeys(_anchored(change, names)))
        return self._anchored[key]

    @kept
    def _anchored(self) -> dict[tuple[int, int], tuple[str, ...]]:
        return {}

    @kept
    def answers(self) -> dict[Any, Any]:
        """Answers about changes that builds give alike (kb.passage)."""
        return {}

    @kept
    def statements(self) -> Mapping[str, Impact]:
        """Change -> the latest statement about it and this claim; of one day the last written."""
        found: dict[str, Impact] = {}
        for each in self.scene.evaluation.impacts:
            if each.claim == self.scene.claim.id and each.change:
                before = found.get(each.change)
                if before is None or each.date >= before.date:
                    found[each.change] = each
        return found

    def reviewed(self, flip: Flip, component: str, now: str | None) -> Review | None:
        """A review that saw the change and after which it did not move again."""
        for review in self.scene.evaluation.reviews:
            if flip.change.id not in review.seen or (review.claims and self.scene.claim.id not in review.claims):
                continue
            at = review.at.get(component) or review.at.get(self.line.distribution)
            if at and now and self.scene.registry.carried(flip.change, component, at) is flip.now:
                moved = self.scene.registry.has_moved(flip.change.id, component, at, now)
                if not moved and flip.now is not Ships.NOT_ESTABLISHED:
                    return review
        return None


def _anchored(change: Change, names: Names) -> Iterator[str]:
    for anchor, owner, known in names:
        if any(owner == component and any(_overlap(name, each) for each in known) for component, name in change.code):
            yield anchor


def _overlap(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")
