"""One line of one arm between two builds, and the four questions about every change in between.

Does it ship, is it reached, does it alter behaviour, does it touch what the claim rests on: one no ends it (design:
how a verdict is reached, step 4).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from kb.change import Change
from kb.conditions import AnyOf, Condition, Truth
from kb.evaluation import Impact, Review
from kb.inforce import InForce
from kb.lines import Choice, Line
from kb.loads import meets
from kb.registry import Flip, Interval
from kb.scene import ArmScene, Scene
from kb.setup import Setup
from kb.verdict import Place
from kb.vocabulary import ChangeKind, ChangeRelation, ImpactStatus, Phase, Ships

SILENT_KINDS = (ChangeKind.DOCS, ChangeKind.TESTS, ChangeKind.TYPES, ChangeKind.LOGGING, ChangeKind.REFACTOR)
"""Kinds that leave behaviour as it was."""

ONLY_IF_NAMED = frozenset({"observability", "correctness"})
"""Dimensions that no latency rests on: they touch a claim that names them; wrong results have a rule of their own."""


class Answers(NamedTuple):
    """The four questions about one change, answered for one arm."""

    flip: Flip
    component: str
    arm: str
    ships: Truth
    """Whether exactly one of the two builds carries it."""
    reached: Truth
    unmet: tuple[Condition | AnyOf, ...]
    """Guards that are not met, or, where none is, those that are not established."""
    phase: Truth
    behaves: Truth
    touches: Truth
    dimensions: tuple[str, ...]
    """Dimensions in which it meets what the claim rests on."""
    symbols: tuple[str, ...]
    """Anchors of the claim that it changes."""
    settled: Impact | Review | None
    """A person's statement that it does not matter for this claim."""
    stated: Impact | None
    """A person's statement that it does, or that it is being looked into."""

    @property
    def change(self) -> Change:
        return self.flip.change

    @property
    def speaks(self) -> bool:
        """Whether it is established, or stated by a person, that it touches the claim, and nobody has settled it."""
        if self.stated:
            return self.stated.status is ImpactStatus.AFFECTED
        of_rules = self.change.proposed_by == "scan" or self.change.kind is ChangeKind.HARNESS  # they have their own
        return self.all is Truth.YES and self.settled is None and not of_rules

    @property
    def all(self) -> Truth:
        """Whether it speaks against the claim, as far as no person has settled it."""
        return Truth.all((self.ships, self.reached, self.phase, self.behaves, self.touches))


@dataclass(frozen=True)
class Passage:
    """A line of an arm between the build that was measured and the build that is asked about."""

    scene: Scene
    arm: ArmScene
    line: Line
    choice: Choice

    @property
    def was(self) -> str | None:
        return self.choice.was

    @property
    def now(self) -> str | None:
        return self.choice.now

    @cached_property
    def before(self) -> InForce:
        """Facts in force where it was measured."""
        return self.arm.at_pin(self.line, self.choice)

    @cached_property
    def after(self) -> InForce:
        """Facts in force at the target."""
        return self.arm.at_target(self.line, self.choice)

    @property
    def likeness(self) -> tuple[Hashable, ...]:
        """Passages of one line and one likeness get the same answers from every rule but those about coverage."""
        registry = self.scene.registry
        return tuple(
            (
                tuple(registry.likeness(each, build) for each in self.line.components),
                tuple(registry.steps(each, build) for each in (*self.anchors, *self.read)),
            )
            if build
            else None
            for build in self.choice
        )

    @cached_property
    def measured(self) -> Setup:
        """The setup of the measured arm."""
        evaluation = self.scene.evaluation
        arm = evaluation.arm_table().get(self.arm.id)
        return evaluation.arm_setup(arm) if arm else evaluation.setup or Setup()

    def interval(self) -> str:
        """The two builds in words."""
        return f"{self.line.names()} {self.was or 'unknown'} -> {self.now or 'unknown'}"

    @cached_property
    def answers(self) -> tuple[Answers, ...]:
        """Every change that one of the builds carries and the other may not, and that could touch the claim."""
        return tuple(self._judge(flip, component) for component, flip in self._between(self._touching))

    def _between(self, choose: Callable[[Interval], Iterable[Flip]]) -> Iterator[tuple[str, Flip]]:
        """Differing changes of the line's components, each once. What was patched in has a rule of its own."""
        if self.was is None or self.now is None or self.was == self.now:  # what is unknown of one build differs nowhere
            return
        seen = set(self.line.was.carries)
        for component in self.line.components:
            for flip in choose(self.scene.registry.interval(component, self.was, self.now)):
                wanted = self.scene.only is None or flip.change.id in self.scene.only
                if flip.change.id not in seen and wanted:
                    seen.add(flip.change.id)
                    yield component, flip

    def _touching(self, interval: Interval) -> tuple[Flip, ...]:
        """Changes of an interval that could speak: by dimension, by symbol, undescribed, or named by a person."""
        scene = self.scene
        if not scene.rests_on:
            return interval.flips
        stated = {each.change for each in scene.evaluation.impacts if each.claim == scene.claim.id}
        found = [flip for each in scene.rests_on for flip in interval.by_dimension.get(each, ())]
        found += interval.undescribed
        found += interval.with_symbols if self.anchors else ()
        found += (flip for flip in interval.flips if flip.change.id in stated) if stated else ()
        once = {flip.change.id: flip for flip in found}
        return tuple(once[name] for name in sorted(once))

    @cached_property
    def outdone(self) -> Mapping[str, str]:
        """Change -> the one that replaces it and speaks: of such a chain the newest tells the rest."""
        speaking = [each for each in self.answers if each.speaks]
        return {
            relation.to: each.change.id
            for each in speaking
            for relation in each.change.relations
            if relation.relation is ChangeRelation.REPLACES
        }

    def differing(self) -> Iterator[Answers]:
        """The answers about every change that one of the builds carries and the other may not."""
        for component, flip in self._between(lambda interval: interval.flips):
            yield self._judge(flip, component)

    def if_shipped(self, change: Change, component: str) -> Answers:
        """The answers if the build asked about were the first to carry a change (kb.impact asks)."""
        return self._judge(Flip(change, Ships.NO, Ships.YES), component)

    def _judge(self, flip: Flip, component: str) -> Answers:
        change = flip.change
        stated = self.statement(change)
        settled = stated is not None and stated.status in {ImpactStatus.NOT_AFFECTED, ImpactStatus.REMEASURED}
        dimensions, symbols = self._met(change)
        touches = self._touches(change, dimensions, symbols)
        behaves = Truth.of(change.kind not in SILENT_KINDS)
        # guards are the dear question: not asked when another no has ended it
        asked = behaves is not Truth.NO and (touches is not Truth.NO or "correctness" in change.dimensions)
        reached, unmet = self._reached(flip) if asked else (Truth.UNKNOWN, ())
        return Answers(
            flip,
            component,
            self.arm.id,
            Truth.YES if flip.arrived or flip.gone else Truth.UNKNOWN,
            reached,
            unmet,
            self.felt(change),
            behaves,
            touches,
            dimensions,
            symbols,
            stated if settled else self._reviewed(flip, component),
            None if settled else stated,
        )

    def felt(self, change: Change) -> Truth:
        """Whether a change is felt in the claim's phase.

        Where a claim names none, what happens when transfers fail plays no part in a run without a recorded failure.
        """
        claim = self.scene.claim.phase
        if change.phase is Phase.FAILURE_PATH and claim is None and not self._failures:
            return Truth.NO
        return phase_meets(change.phase, claim)

    @cached_property
    def _failures(self) -> bool:
        """Whether any request of the arm is recorded as failed or computed again."""
        arm = self.scene.evaluation.arm_table().get(self.arm.id)
        counts = (arm.requests.failed, arm.requests.recomputed) if arm and arm.requests else ()
        return any(isinstance(each, int) and each > 0 for each in counts)

    def _reached(self, flip: Flip) -> tuple[Truth, tuple[Condition | AnyOf, ...]]:
        """Whether the guards are met, and those that are not, or not established."""
        key = (flip.change.id, flip.gone, self.line.name, self.choice)
        if self.scene.granted or any(_of_load(each) for each in flip.change.guards):
            return self._tested(flip)  # the claim plays a part in it
        if key not in self.arm.reaches:
            self.arm.reaches[key] = self._tested(flip)
        found: tuple[Truth, tuple[Condition | AnyOf, ...]] = self.arm.reaches[key]
        return found

    def _tested(self, flip: Flip) -> tuple[Truth, tuple[Condition | AnyOf, ...]]:
        facts = (self.before if flip.gone else self.after) | self.scene.granted
        setup = None if flip.gone else self.scene.target.setup
        load = setup or self.measured
        tested = [(guard, meets(guard, facts, load, self.scene.claim)) for guard in flip.change.guards]
        reached = Truth.all(truth for _, truth in tested)
        unmet = tuple(guard for guard, truth in tested if truth is reached and reached is not Truth.YES)
        return reached, unmet

    def _met(self, change: Change) -> tuple[tuple[str, ...], tuple[str, ...]]:
        rests, named = self.scene.rests_on, self.scene.claim.rests_on
        dimensions = tuple(
            each for each in change.dimensions if each in rests and (each not in ONLY_IF_NAMED or each in named)
        )
        return dimensions, tuple(dict.fromkeys(self.anchored(change)))

    def anchored(self, change: Change) -> Iterator[str]:
        """Anchors of the claim in code that a change names: one is the other, or part of it, under its name in either
        build."""
        for anchor, owner, names in self._anchors if change.symbols else ():
            if any(
                owner == component and any(_overlap(name, each) for each in names) for component, name in change.code
            ):
                yield anchor

    @cached_property
    def anchors(self) -> tuple[str, ...]:
        """The claim's anchors in this line's components, for this arm and for all."""
        named = self.scene.claim.anchors
        mine = (*named.get(self.arm.id, ()), *named.get("all", ()))
        return tuple(each for each in mine if each.partition(":")[0] in self.line.components)

    @cached_property
    def read(self) -> tuple[str, ...]:
        """Code of this line's components, and of what they ship in, that people's statements about the claim name."""
        scene, run = self.scene, {*self.line.components, self.line.distribution}
        about = (each.symbols for each in scene.evaluation.impacts if each.symbols and each.claim == scene.claim.id)
        named = dict.fromkeys(symbol for symbols in about for symbol in symbols)
        return tuple(symbol for symbol in named if symbol.partition(":")[0] in run)

    @cached_property
    def _anchors(self) -> tuple[tuple[str, str, frozenset[str]], ...]:
        """Each anchor with its component and the names of its code in the two builds."""
        registry = self.scene.registry
        found = []
        for anchor in self.anchors:
            owner, _, wanted = anchor.partition(":")
            at = (registry.symbol_at(owner, wanted, version) for version in (self.was, self.now) if version)
            found.append((anchor, owner, frozenset({wanted, *filter(None, at)})))
        return tuple(found)

    def _touches(self, change: Change, dimensions: tuple[str, ...], symbols: tuple[str, ...]) -> Truth:
        if self._judged_itself(change):
            return Truth.NO
        if dimensions or symbols:
            return Truth.YES
        speaks = bool(change.dimensions)
        rests = bool(self.scene.rests_on or self.scene.claim.anchors)
        return Truth.NO if speaks and rests else Truth.UNKNOWN

    def _judged_itself(self, change: Change) -> bool:
        """Whether a requirement moved and what is required is a line of the arm, judged from build to build."""
        library = {"transfer_library", "cache", "engine"}
        lines = (part.role for line in self.arm.lines if line.key != self.line.key for part in line.parts)
        only = set(change.dimensions) <= {"library-version"}
        return change.kind is ChangeKind.REQUIREMENT and only and bool(library & set(lines))

    def statement(self, change: Change) -> Impact | None:
        """The latest statement about a change and this claim; of one day the last written."""
        wanted = (change.id, self.scene.claim.id)
        about = [each for each in self.scene.evaluation.impacts if (each.change, each.claim) == wanted]
        return max(enumerate(about), key=lambda pair: (pair[1].date, pair[0]))[1] if about else None

    def _reviewed(self, flip: Flip, component: str) -> Review | None:
        """A review that saw the change and after which it did not move again."""
        for review in self.scene.evaluation.reviews:
            if flip.change.id not in review.seen or (review.claims and self.scene.claim.id not in review.claims):
                continue
            at = review.at.get(component) or review.at.get(self.line.distribution)
            if at and self.now and self.scene.registry.carried(flip.change, component, at) is flip.now:
                return review if flip.now is not Ships.NOT_ESTABLISHED else None
        return None

    def setting(self, key: str) -> tuple[str | int, ...]:
        """Where an option or variable of the arm is set."""
        kind, _, name = key.partition(".")
        for n, arm in enumerate(self.scene.evaluation.arms):
            if arm.id == self.arm.id and arm.setup and name in getattr(arm.setup, kind):
                return "arms", n, "setup", kind, name
        return "setup", kind, name

    def place(self, key: str = "version") -> Place:
        """Where the measured build is written."""
        evaluation = self.scene.evaluation
        role = self.line.parts[0].role
        for n, arm in enumerate(evaluation.arms):
            if arm.id == self.arm.id and arm.setup and role in arm.setup.pins():
                return Place(evaluation, ("arms", n, "setup", *role.split("."), key))
        return Place(evaluation, ("setup", *role.split("."), key))


def _of_load(guard: Condition | AnyOf) -> bool:
    single = guard.any_of if isinstance(guard, AnyOf) else (guard,)
    return any(each.key.startswith("workload.") for each in single)


def _overlap(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def phase_meets(change: Phase | None, claim: Phase | None) -> Truth:
    """Whether a change is felt in the phase that a claim speaks of.

    A change without a phase is felt in all. A claim without one was measured over a run, which is the steady state;
    whether first contact, churn or failures played a part in it is not established.
    """
    if change is None or change is claim or (change, claim) == (Phase.FIRST_CONTACT, Phase.CHURN):
        return Truth.YES
    if claim is None:
        return Truth.YES if change is Phase.STEADY_STATE else Truth.UNKNOWN
    return Truth.NO
