"""Which claims some changes touch, which they do not, and what turns between two releases of a component."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kb.board import Row, row
from kb.change import Change
from kb.coverage import Cover
from kb.effects import Effect, Standing, of_claim
from kb.evaluation import Evaluation
from kb.flips import Flip
from kb.registry import Registry
from kb.scene import Scene, scene
from kb.target import Target


@dataclass(frozen=True)
class Impact:
    """Changes, what they are to every claim, and what is known beside them."""

    changes: tuple[Change, ...]
    effects: tuple[Effect, ...]
    """On claims of evaluations that run something that can carry the change."""
    board: tuple[Row, ...]
    far: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Change -> evaluations that run nothing that can carry it."""
    claims: Mapping[str, int] = field(default_factory=dict)
    """Evaluation -> number of its claims."""
    turns: Mapping[str, str] = field(default_factory=dict)
    """Change -> arrived, gone or not established, between two releases."""
    covers: tuple[Cover, ...] = ()
    """What is known of the components between two releases."""

    def of(self, *standings: Standing) -> tuple[Effect, ...]:
        """Effects of some standings."""
        return tuple(each for each in self.effects if each.standing in standings)

    @property
    def touched(self) -> tuple[Effect, ...]:
        """What a change touches, or may: touched and open."""
        return self.of(Standing.TOUCHED, Standing.OPEN)

    @property
    def untouched(self) -> int:
        """Claims that none of the changes touches or may touch."""
        return sum(self.claims.values()) - len({(each.evaluation, each.claim) for each in self.touched})

    def far_claims(self, change: str) -> int:
        """Number of claims of the evaluations that run nothing that can carry a change."""
        return sum(self.claims[each] for each in self.far.get(change, ()))

    def as_dict(self) -> dict[str, Any]:
        """The keys of cli.md, with the silent ones and what nobody has recorded."""
        return {
            "changes": [self._change(each) for each in self.changes],
            "touched": [each.as_dict() for each in self.touched],
            "untouched": self.untouched,
            "ahead": [each.as_dict() for each in self.of(Standing.AHEAD)],
            "silent": [each.as_dict() for each in self.of(Standing.UNTOUCHED)],
            "far": {name: list(ids) for name, ids in self.far.items()},
            "board": [each.as_dict() for each in self.board],
            "unrecorded": [_covered(each) for each in self.covers],
        }

    def _change(self, change: Change) -> dict[str, Any]:
        return {
            "id": change.id,
            "title": change.title,
            "component": change.component,
            "kind": change.kind.value,
            "dimensions": list(change.dimensions),
            "turns": self.turns.get(change.id),
        }


Asking = Callable[[Scene, Iterable[Change]], Iterable[Effect]]


def _covered(cover: Cover) -> dict[str, Any]:
    return {
        "component": cover.component,
        "from": cover.since,
        "to": cover.until,
        "complete": cover.complete,
        "gaps": [{"from": each.since, "to": each.until, "why": each.why} for each in cover.gaps],
        "symbols": [
            {"symbol": each.anchor, "release": each.release, "status": each.status, "draft": each.draft}
            for each in (*cover.unrecorded, *cover.around)
        ],
        "open": list(cover.open),
    }


def impact(
    changes: Iterable[Change], registry: Registry, target: Target | None = None, ask: Asking | None = None
) -> Impact:
    """What some changes are to every claim of the library, at a target (newest releases without one).

    `ask` is asked of each claim and the changes that can ship with what it ran; without one, the audit's rules.
    """
    ask = ask or of_claim
    listed, target = tuple(changes), target or Target()
    carriers = {each.id: _shipping(each, registry) for each in listed}
    found: list[Effect] = []
    far: dict[str, list[str]] = {each.id: [] for each in listed}
    for id_ in sorted(registry.library.evaluations):
        evaluation = registry.library.evaluations[id_]
        ships_in = _distributions(evaluation, registry)
        near = tuple(each for each in listed if carriers[each.id] & ships_in)
        for each in listed if len(near) < len(listed) else ():
            if not carriers[each.id] & ships_in:
                far[each.id].append(id_)
        for claim in evaluation.claims if near else ():
            found += ask(scene(evaluation, claim, target, registry, None, frozenset(e.id for e in near)), near)
    claims = {id_: len(each.claims) for id_, each in registry.library.evaluations.items()}
    rows = tuple(row(each, registry, found) for each in listed)
    return Impact(listed, tuple(found), rows, {name: tuple(ids) for name, ids in far.items()}, claims)


def _distributions(evaluation: Evaluation, registry: Registry) -> set[str]:
    """What an evaluation's arms run, by distribution."""
    setups = [evaluation.setup, *(arm.setup for arm in evaluation.arms)]
    pins = [pin for setup in setups if setup for pin in setup.pins().values()]
    return {registry.distribution(pin.component) for pin in pins if pin.component}


def _shipping(change: Change, registry: Registry) -> set[str]:
    return {registry.distribution(each) for each in (change.component, *change.also)}


def between(component: str, first: str, second: str, registry: Registry) -> Impact:
    """What turns between two releases of a component, and of what ships in its distribution when that is its own.

    Claims are asked about at the second release, from the builds that they were measured on.
    """
    names = together(component, registry)
    flips: dict[str, Flip] = {}
    for name in names:
        for flip in registry.flips(name, first, second):
            if not flip.same and first != second:
                flips.setdefault(flip.change.id, flip)
    target = Target(at={(None, registry.distribution(component)): second})
    found = impact((flips[id_].change for id_ in sorted(flips)), registry, target)
    covers = tuple(registry.cover(name, first, second) for name in names if name in registry.library.components)
    return replace(found, turns={id_: _turn(flip) for id_, flip in flips.items()}, covers=covers)


def together(component: str, registry: Registry) -> tuple[str, ...]:
    """A component, and what else ships in the distribution if its releases are its own: an upgrade brings all."""
    known = registry.library.components.get(component)
    others = registry.shipping_in(registry.distribution(component)) if known and known.releases else ()
    return tuple(dict.fromkeys((component, *others)))


def _turn(flip: Flip) -> str:
    return "arrived" if flip.arrived else "gone" if flip.gone else "not-established"
