"""One claim at one target, laid out for the rules: the arms that count, and the builds each of them moves between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from kb.conditions import Condition
from kb.evaluation import Arm, Claim, Evaluation
from kb.inforce import NOT_SET, InForce
from kb.library import Library
from kb.lines import BUILD_FIELDS, Choice, Line, lines_of
from kb.once import kept, once
from kb.registry import Registry
from kb.setup import Setup
from kb.target import SIDES, Target
from kb.vocabulary import NOTHING, UNKNOWN, ArmRole, Operator

MOST_STAGES = 256
"""Evaluations laid out that are kept: the claims of one are judged one after the other."""


@dataclass(frozen=True)
class ArmScene:
    """One arm: what it ran where it was measured, and what it would be at the target."""

    id: str
    stated: Mapping[str, Any]
    """Setup keys of the measured arm, `unknown` for what its source does not state."""
    asked: Mapping[str, Any]
    """Setup keys of the target, with what distinguishes the arm laid over."""
    lines: tuple[Line, ...]
    registry: Registry

    def at_pin(self, line: Line | None = None, choice: Choice | None = None) -> InForce:
        """Facts in force where it was measured; a line that is judged has the build of the choice."""
        return self._facts(True, line, choice.was if choice else None)

    def at_target(self, line: Line | None = None, choice: Choice | None = None) -> InForce:
        """Facts in force at the target."""
        return self._facts(False, line, choice.now if choice else None)

    def _facts(self, before: bool, line: Line | None, build: str | None) -> InForce:
        if line and build == (line.was if before else line.now).one:
            line = build = None  # nothing was chosen that is not so anyway
        key = (before, line.name if line else None, build)
        if key not in self._known:
            self._known[key] = self._laid_out(before, line, build)
        return self._known[key]

    @kept
    def _known(self) -> dict[Any, InForce]:
        return {}

    @kept
    def settings(self) -> tuple[str, ...]:
        """Keys of the options and variables that it sets, sorted."""
        return tuple(key for key in _settable(tuple(self.stated)) if self.stated[key] != NOT_SET)

    def _laid_out(self, before: bool, line: Line | None, build: str | None) -> InForce:
        facts = dict(self.stated if before else self.asked)
        own = before or self.asked is self.stated  # then its roles are those of its lines
        running: dict[tuple[str, str], None] = {}
        versions: dict[str, tuple[str, ...]] = {}
        """Key -> the builds of a component, and of a role, of both sides."""
        components = self.registry.library.components
        for each in self.lines:
            chosen = build if line and each.name == line.name else (each.was if before else each.now).one
            named, possible = each.builds_in_force(before, chosen)
            facts.update(named)
            for component in each.components:
                key = f"versions.{component}"
                versions[key] = (*versions.get(key, ()), *possible)
            if own and not each.side:  # mostly
                facts.update(dict.fromkeys(each.role_keys, possible[0] if len(possible) == 1 else list(possible)))
            for key, component, filled in each.filled_by if each.side or not own else ():
                if own or any(facts.get(name) == component for name in filled):
                    versions[key] = (*versions.get(key, ()), *possible)
            if chosen:
                running |= {(name, chosen): None for name in each.components if name in components}
        for key, possible in versions.items():
            unique = list(dict.fromkeys(possible))
            facts[key] = unique[0] if len(unique) == 1 else unique
        return self.registry.ground(tuple(running)).under(facts)


@lru_cache(maxsize=4096)
def _settable(keys: tuple[str, ...]) -> tuple[str, ...]:
    """The keys that are of options and variables, sorted; thousands of arms state the same keys."""
    return tuple(sorted(key for key in keys if key.startswith(("options.", "env."))))


@dataclass(frozen=True)
class Scene:
    """A claim of an evaluation, seen from a target."""

    registry: Registry
    evaluation: Evaluation
    claim: Claim
    target: Target
    arms: tuple[ArmScene, ...]
    """The arms that count: those the claim cites; of two builds of one thing only the later."""
    history: tuple[str, ...] = ()
    """Arms that are an earlier build of the same thing: what was measured of them stays true of them."""
    today: str | None = None
    only: frozenset[str] | None = None
    """Changes that are judged alone."""

    @property
    def library(self) -> Library:
        return self.registry.library

    @kept
    def rests_on(self) -> frozenset[str]:
        """Dimensions that the claim names, under all their names, and those its metric implies."""
        return self.library.called(self.claim.rests_on) | self.implied

    @kept
    def vague(self) -> bool:
        """Whether the claim rests on a word that nobody knows: then it is not established what does not touch it."""
        return not self.library.dimensions.issuperset(self.claim.rests_on)

    @kept
    def implied(self) -> frozenset[str]:
        """Dimensions that the claim's metric implies; a mechanism has none and rests on what it names."""
        metric = self.library.metrics.get(self.claim.effect.metric) if self.claim.effect else None
        return frozenset(metric.implies if metric else ())

    @kept
    def granted(self) -> Mapping[str, str]:
        """Facts that the claim's conditions state of its own setup, where the setup leaves them to the claims.

        At its own target a claim is asked about its own part.
        """
        if not self.target.own:
            return {}
        plain = (each for each in self.claim.conditions if isinstance(each, Condition) and each.arm is None)
        said = (each for each in plain if each.op is Operator.IS and each.other is None and not _is_version(each.key))
        return {each.key: each.value[0] for each in said if not self._states(each.key)}

    def _states(self, key: str) -> bool:
        """Whether an arm states a fact where it was measured, or has a default for it."""
        return any(key in arm.stated or key in arm.at_pin().defaults for arm in self.arms)

    @kept
    def target_facts(self) -> Mapping[str, Any] | None:
        """What the deployment states; None for the evaluation's own setup."""
        return self.target.setup.flat() if self.target.setup else None

    @kept
    def stakes(self) -> dict[Any, Any]:
        """What the claim has at stake, by arm and line (kb.stake)."""
        return {}

    @kept
    def passages(self) -> dict[Any, Any]:
        """Passages of lines that are not open, by arm and line (kb.passage)."""
        return {}

    @property
    def afresh(self) -> Callable[[], Scene]:
        """What lays it out again: for verdicts, which are kept and shall not keep all that was laid out for them."""
        return partial(scene, self.evaluation, self.claim, self.target, self.registry, self.today, self.only)

    @kept
    def loc(self) -> tuple[str | int, ...]:
        """Place of the claim in its record."""
        return ("claims", self.evaluation.number_of(self.claim))


def scene(
    evaluation: Evaluation,
    claim: Claim,
    target: Target,
    registry: Registry,
    today: str | None = None,
    only: frozenset[str] | None = None,
) -> Scene:
    """Lay a claim out at a target."""
    cited, history = counted(evaluation, evaluation.number_of(claim))
    laid = stage(evaluation, target, registry, tuple(arm.id for arm in cited if arm))
    arms = tuple(laid[arm.id if arm else None] for arm in cited)
    return Scene(registry, evaluation, claim, target, arms, history, today, only)


def stage(
    evaluation: Evaluation, target: Target, registry: Registry, cited: tuple[str, ...] = ()
) -> Mapping[str | None, ArmScene]:
    """Every arm of an evaluation at a target, laid out once for all its claims; without arms its setup, under None."""
    key = (id(evaluation), id(target), () if target.own else cited)
    if key not in registry.stages:
        differ = frozenset() if target.setup is None else distinguishing(evaluation, cited)
        named = evaluation.arms or (None,)
        arms = _together(evaluation, tuple(_arm(evaluation, arm, target, registry, differ) for arm in named), registry)
        laid = {arm.id if arm else None: each for arm, each in zip(named, arms, strict=True)}
        if len(registry.stages) >= MOST_STAGES:
            registry.stages.pop(next(iter(registry.stages)))
        registry.stages[key] = (evaluation, target, laid)  # both are kept, so that no other object takes their place
    found: Mapping[str | None, ArmScene] = registry.stages[key][2]
    return found


def _together(evaluation: Evaluation, arms: tuple[ArmScene, ...], registry: Registry) -> tuple[ArmScene, ...]:
    """Arms that share an open pin ran one build: it can only have been one that has the parts of all of them."""
    if not any(len(line.was.versions) > 1 for arm in arms for line in arm.lines):
        return arms
    shared = {
        registry.distribution(pin.component)
        for pin in (evaluation.setup or Setup()).pins().values()
        if pin.component and not any(_repins(arm, pin.component) for arm in evaluation.arms)
    }
    possible: dict[tuple[str, str | None, str], set[str]] = {}
    for line in (line for arm in arms for line in arm.lines if line.distribution in shared):
        key = (line.distribution, line.side, line.was.said)
        possible[key] = possible.get(key, set(line.was.versions)) & set(line.was.versions)
    return tuple(replace(arm, lines=tuple(_kept(line, possible) for line in arm.lines)) for arm in arms)


def _repins(arm: Arm, component: str) -> bool:
    return any(pin.component == component for pin in (arm.setup.pins() if arm.setup else {}).values())


def _kept(line: Line, possible: Mapping[tuple[str, str | None, str], set[str]]) -> Line:
    common = possible.get((line.distribution, line.side, line.was.said))
    if not common:
        return line
    return replace(line, was=line.was._replace(versions=tuple(v for v in line.was.versions if v in common)))


@once
def counted(evaluation: Evaluation, number: int) -> tuple[tuple[Arm | None, ...], tuple[str, ...]]:
    """The arms that a claim, by its number, cites and that count today, and those that are history; (None,) without
    arms."""
    claim = evaluation.claims[number]
    cited = _cited(evaluation, claim)
    if len(cited) < 2 or not _only_builds_differ(evaluation, cited):
        return (cited or (None,)), ()
    later = _later(claim, cited)
    return (later,), tuple(arm.id for arm in cited if arm is not later)


def _cited(evaluation: Evaluation, claim: Claim) -> tuple[Arm, ...]:
    explained = [each for each in evaluation.claims if each.id in claim.explains and each.effect]
    if claim.effect or claim.arms or not explained:
        return evaluation.cited_arms(claim)
    named = {arm.id for each in explained for arm in evaluation.cited_arms(each)}
    return tuple(arm for arm in evaluation.arms if arm.id in named)


def _later(claim: Claim, cited: tuple[Arm, ...]) -> Arm:
    """Of several builds of one thing the one that is to describe today."""
    if claim.effect and claim.effect.arm:
        spoken_for = [arm for arm in cited if arm.id == claim.effect.arm and arm.role is not ArmRole.BASELINE]
        if spoken_for:
            return spoken_for[0]
    fresh = [arm for arm in cited if arm.role is not ArmRole.BASELINE]
    return (fresh or list(cited))[-1]


def _only_builds_differ(evaluation: Evaluation, arms: Iterable[Arm]) -> bool:
    first, *others = (evaluation.arm_setup(arm).flat() for arm in arms)
    return not any(_unlike(first, other) for other in others)


def _unlike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two setups differ in more than the builds."""
    differing = (key for key in _not_shared(one, other) if one.get(key) != other.get(key))
    return any(not _is_build(key) or _patch(key) for key in differing)


def _is_version(key: str) -> bool:
    return key.startswith("versions.") or key.endswith(".version")


def _patch(key: str) -> bool:
    """Patches on top make an alternative, no earlier build."""
    return key.rpartition(".")[2] == "patches"


@lru_cache(maxsize=4096)
def _is_build(key: str) -> bool:
    return key.startswith("versions.") or key.rpartition(".")[2] in BUILD_FIELDS


MAKES_AN_ARM = ("connector.", "prefill.connector.", "decode.connector.", "options.", "env.", "cache.", "transport.")
"""Keys by which an arm is one arm and no other; the rest of a setup is the target's own."""


_ABSENT = object()


def _not_shared(one: Mapping[str, Any], other: Mapping[str, Any]) -> set[str]:
    """Keys whose values are not the very same; arms share the parts in which they do not differ."""
    found = {key for key, value in one.items() if other.get(key, _ABSENT) is not value}
    return found | (other.keys() - one.keys())


@once
def distinguishing(evaluation: Evaluation, cited: tuple[str, ...] = ()) -> frozenset[str]:
    """Setup keys in which the cited arms differ, builds aside; of one arm those that make it differ from the others.

    What the cited arms have in common is asked of the target.
    """
    arms = [arm for arm in evaluation.arms if len(cited) < 2 or arm.id in cited]
    flats = [evaluation.arm_setup(arm).flat() for arm in arms]
    first, *others = flats or [{}]
    keys = {key for each in others for key in _not_shared(first, each)}
    if len(cited) == 1:
        keys = {key for key in keys if key.startswith(MAKES_AN_ARM)}
    said = (key for key in keys if not _is_build(key))
    return frozenset(key for key in said if any(repr(first.get(key)) != repr(each.get(key)) for each in others))


def _arm(
    evaluation: Evaluation, arm: Arm | None, target: Target, registry: Registry, differ: frozenset[str]
) -> ArmScene:
    stated = _stated(evaluation, arm.id if arm else None)
    asked = stated if target.setup is None else _imagined(target.setup.flat(), stated, differ, registry)
    lines = lines_of(stated, asked, target, registry, _day(evaluation))
    return ArmScene(arm.id if arm else "all", stated, asked, lines, registry)


@once
def _stated(evaluation: Evaluation, arm_id: str | None) -> Mapping[str, Any]:
    """An arm's flat setup with `unknown` for what was looked for and is not in the source."""
    arm = evaluation.arm_table()[arm_id] if arm_id else None
    setup = evaluation.arm_setup(arm) if arm else evaluation.setup or Setup()
    found: Mapping[str, Any] = setup.flat()
    if evaluation.not_stated:
        found = {**found, **_sought(evaluation, found)}
    served = ("engine.", "connector.", "prefill.", "decode.")
    if "transfer_library.component" in found and not any(key.startswith(served) for key in found):
        found = {**found, "engine.component": NOTHING, "connector.component": NOTHING}  # the library alone: none serves
    return found


def _sought(evaluation: Evaluation, stated: Mapping[str, Any]) -> dict[str, str]:
    """What was looked for and is not in the source; of `both` for each side, too."""
    named = ((key, *(_on(side, key) for side in SIDES if key.startswith("both."))) for key in evaluation.not_stated)
    return {key: UNKNOWN for keys in named for key in keys if key not in stated}


def _on(side: str, key: str) -> str:
    return f"{side}.{key.removeprefix('both.')}"


def _imagined(
    deployment: Mapping[str, Any], stated: Mapping[str, Any], differ: frozenset[str], registry: Registry
) -> dict[str, Any]:
    """An arm in the deployment: the deployment's facts with what distinguishes the arm laid over. Where the arm brings
    a component of its own, the build that the deployment states in that role is another one's."""
    laid = {key: stated[key] for key in differ if key in stated}
    others = {
        f"{role}.{field}"
        for role, component in ((key.removesuffix(".component"), value) for key, value in laid.items() if _names(key))
        if registry.distribution(str(component)) != registry.distribution(str(deployment.get(f"{role}.component")))
        for field in BUILD_FIELDS
    }
    return {key: value for key, value in deployment.items() if key not in differ and key not in others} | laid


def _names(key: str) -> bool:
    """Whether a key says which component fills a role."""
    return key.endswith(".component")


def _day(evaluation: Evaluation) -> str | None:
    source = evaluation.source.date if evaluation.source else None
    return next((str(day) for day in (evaluation.date, source) if day and day != UNKNOWN), None)
