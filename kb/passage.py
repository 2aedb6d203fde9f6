"""One line of one arm between two builds, and the four questions about every change in between.

Does it ship, is it reached, does it alter behaviour, does it touch what the claim rests on: one no ends it (design:
how a verdict is reached, step 4).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kb.bearings import Bearing, Moved, has_own_rule
from kb.change import Change
from kb.conditions import AnyOf, Condition, Conditions, Truth, single
from kb.evaluation import Impact, Review
from kb.flips import Flip, Interval
from kb.inforce import InForce
from kb.lines import Choice, Line
from kb.loads import meets
from kb.once import kept, once
from kb.registry import speaks_of_versions
from kb.scene import ArmScene, Scene
from kb.setup import Setup
from kb.stake import Names, Stake
from kb.verdict import Place
from kb.vocabulary import ChangeRelation, ImpactStatus, Ships

SETTLING = (ImpactStatus.NOT_AFFECTED, ImpactStatus.REMEASURED)
"""What a person says of a change that does not matter, or no longer."""


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

    all: Truth
    """Whether it speaks against the claim, as far as no person has settled it."""

    @property
    def change(self) -> Change:
        return self.flip.change

    @property
    def speaks(self) -> bool:
        """Whether it is established, or stated by a person, that it touches the claim, and nobody has settled it."""
        if self.stated:  # what it means a person can say, that it ships only an artifact
            return self.stated.status is ImpactStatus.AFFECTED and self.ships is Truth.YES
        if self.all is not Truth.YES or self.settled is not None:
            return False
        return not has_own_rule(self.change)


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

    @kept
    def before(self) -> InForce:
        """Facts in force where it was measured."""
        return self.arm.at_pin(self.line, self.choice)

    @kept
    def after(self) -> InForce:
        """Facts in force at the target."""
        return self.arm.at_target(self.line, self.choice)

    @property
    def likeness(self) -> tuple[Hashable, ...]:
        """Passages of one line and one likeness get the same answers from every rule but those about coverage. One
        build has nothing that is not established beside itself; two that are alike may."""
        return self.stake.likeness(self.was), self.stake.likeness(self.now), self._moves

    @kept
    def stake(self) -> Stake:
        """What the claim has at stake in the line, whatever the builds."""
        known: dict[object, Stake] = self.scene.stakes
        key = (self.arm.id, self.line.name)
        if key not in known:
            known[key] = Stake(self.scene, self.arm, self.line)
        return known[key]

    @property
    def measured(self) -> Setup:
        """The setup of the measured arm."""
        return self.stake.measured

    @property
    def anchors(self) -> tuple[str, ...]:
        """The claim's anchors in this line's components, for this arm and for all."""
        return self.stake.anchors

    @property
    def read(self) -> tuple[str, ...]:
        """Code of this line's components that people's statements about the claim name."""
        return self.stake.read

    @kept
    def measured_build(self) -> str:
        """The build that was measured, in words."""
        return f"{self.line.names()} {self.was}"

    @kept
    def asked_build(self) -> str:
        """The build that is asked about, in words."""
        return f"{self.line.names()} {self.now}"

    def interval(self) -> str:
        """The two builds in words."""
        return f"{self.line.names()} {self.was or 'unknown'} -> {self.now or 'unknown'}"

    def stating(self, about: str, code: bool = False) -> str:
        """The command with which a person says what a change, or code between the two builds, means for the claim."""
        read = f" --from {self.was} --to {self.now}" if code else ""
        claim = f"{self.scene.evaluation.id}/{self.scene.claim.id}"
        return f'`kb state {about}{read} --claim {claim} --status STATUS --because "…"`'

    @kept
    def answers(self) -> tuple[Answers, ...]:
        """Every change that one of the builds carries and the other may not, that could touch the claim and that no
        answer has ended; and those of which a person has said something."""
        alive = ((component, flip, bearing) for component, flip, bearing in self.moved if self._alive(flip, bearing))
        found = (self._judge(flip, component, bearing) for component, flip, bearing in alive)
        return tuple(each for each in found if each.all is not Truth.NO or each.stated)

    def first(self) -> Answers | None:
        """Of the changes that speak the first by id, without asking what comes after it."""
        found: Answers | None = None
        before: list[Interval] = []
        for component in self.line.components if self._moves else ():
            interval = self.scene.registry.interval(component, self.was or "", self.now or "")
            found = self._first(component, interval, before, found) or found
            before.append(interval)
        return found

    def _first(
        self, component: str, interval: Interval, before: Sequence[Interval], than: Answers | None
    ) -> Answers | None:
        """The first of one component that goes before another's; what an earlier component has is that one's."""
        aside = self.line.was.carries
        for flip, bearing in self._able(interval):
            change = flip.change
            if than and change.id >= than.change.id:
                return None
            if change.id in aside or any(change.id in each.names for each in before) or not self._asked(change):
                continue
            answers = self._judge(flip, component, bearing) if self._alive(flip, bearing) else None
            if answers and answers.speaks and not self._is_outdone(change):
                return answers
        return None

    def _able(self, interval: Interval) -> Iterable[tuple[Flip, Bearing]]:
        """Changes that may speak; of an open pin other choices ask for the same ones."""
        if self.stake.statements:
            return self._touching(interval)
        of = self.stake.bearings
        return (of.speaking if self.line.open else of.able)(interval, bool(self.anchors))

    def _asked(self, change: Change) -> bool:
        return self.scene.only is None or change.id in self.scene.only

    def _is_outdone(self, change: Change) -> bool:
        return self.scene.registry.is_replaced(change.id) and change.id in self.outdone

    @property
    def _moves(self) -> bool:
        """Whether the builds are known and differ: what is unknown of one build differs nowhere."""
        return self.was is not None and self.now is not None and self.was != self.now

    @kept
    def moved(self) -> tuple[tuple[str, Flip, Bearing], ...]:
        """Changes between the builds that could speak: by dimension, by symbol, undescribed, or named by a person."""
        return tuple(self._between(self._touching))

    def _alive(self, flip: Flip, bearing: Bearing) -> bool:
        """Whether a change may still speak, as far as it is told before all answers are laid out."""
        if bearing.change.id in self.stake.statements:
            return True
        if bearing.so_far is Truth.NO:
            return bool(bearing.change.symbols and self.anchors)
        return self.line.open or not bearing.asked or self._reached(flip)[0] is not Truth.NO

    def _between(self, choose: Callable[[Interval], Moved]) -> Iterator[tuple[str, Flip, Bearing]]:
        """Differing changes of the line's components, each once. What was patched in has a rule of its own."""
        seen = set(self.line.was.carries)
        for component in self.line.components if self._moves else ():
            for flip, bearing in choose(self.scene.registry.interval(component, self.was or "", self.now or "")):
                name = flip.change.id
                if name not in seen and self._asked(flip.change):
                    seen.add(name)
                    yield component, flip, bearing

    def _touching(self, interval: Interval) -> Moved:
        bearings = self.stake.bearings
        moved = bearings.moved(interval, bool(self.anchors))
        if stated := self.stake.statements:
            beside = {flip.change.id: (flip, bearing) for flip, bearing in moved}
            beside |= {f.change.id: (f, bearings.of(f.change)) for f in interval.flips if f.change.id in stated}
            return tuple(beside[name] for name in sorted(beside))
        return moved

    @kept
    def outdone(self) -> Mapping[str, str]:
        """Change -> the one that replaces it and speaks: of such a chain the newest tells the rest."""
        speaking = [each for each in self.answers if each.speaks]
        return {
            relation.to: each.change.id
            for each in speaking
            for relation in each.change.relations
            if relation.relation is ChangeRelation.REPLACES
        }

    def differing(self, beside: Container[str] = ()) -> Iterator[Answers]:
        """The answers about every change that one of the builds carries and the other may not, without some."""
        bearings = self.stake.bearings
        for component, flip, bearing in self._between(bearings.all):
            if flip.change.id not in beside:
                yield self._judge(flip, component, bearing)

    def if_shipped(self, change: Change, component: str) -> Answers:
        """The answers if the build asked about were the first to carry a change (kb.effects asks)."""
        return self._judge(Flip(change, Ships.NO, Ships.YES), component, self.stake.bearings.of(change))

    def _judge(self, flip: Flip, component: str, bearing: Bearing) -> Answers:
        """The answers about one change; what two choices of builds have in common is asked once."""
        if not self.line.open or is_of_versions(flip.change):
            return self._judged(flip, component, bearing)
        facts = self.before if flip.gone else self.after
        now = self.now if self.scene.evaluation.reviews else None
        key = (id(flip), component, id(self._names), id(facts.defaults), now)
        known = self.stake.answers.get(key)
        if known is None:
            known = self.stake.answers[key] = (self._judged(flip, component, bearing), facts)  # so that ids stay taken
        found: Answers = known[0]
        return found

    def _judged(self, flip: Flip, component: str, bearing: Bearing) -> Answers:
        stake, change = self.stake, flip.change
        touches, so_far, asked = bearing.touches, bearing.so_far, bearing.asked
        symbols = stake.anchored(change, self._names)
        if symbols and touches is not Truth.YES and not bearing.itself:
            touches, asked = Truth.YES, bearing.behaves is not Truth.NO
            so_far = Truth.all((bearing.phase, bearing.behaves, touches))
        stated = stake.statements.get(change.id)
        settled = stated is not None and stated.status in SETTLING
        ships = Truth.YES if flip.arrived or flip.gone else Truth.UNKNOWN
        reached, unmet = self._reached(flip) if asked else (Truth.UNKNOWN, ())
        return Answers(
            flip,
            component,
            self.arm.id,
            ships,
            reached,
            unmet,
            bearing.phase,
            bearing.behaves,
            touches,
            bearing.dimensions,
            symbols,
            stated if settled else stake.reviewed(flip, component, self.now),
            None if settled else stated,
            Truth.all((ships, reached, so_far)),
        )

    def felt(self, change: Change) -> Truth:
        """Whether a change is felt in the claim's phase."""
        return self.stake.bearings.of(change).phase

    def _reached(self, flip: Flip) -> tuple[Truth, tuple[Condition | AnyOf, ...]]:
        """Whether the guards are met, and those that are not, or not established; changes share guards."""
        if not flip.change.guards:
            return Truth.YES, ()
        key = (in_words(flip.change), flip.gone)
        found = self._tested.get(key)
        if found is None:
            found = self._tested[key] = self._test(flip.change.guards, flip.gone)
        return found

    @kept
    def _tested(self) -> dict[tuple[str, bool], tuple[Truth, tuple[Condition | AnyOf, ...]]]:
        return {}

    def _test(self, guards: Conditions, gone: bool) -> tuple[Truth, tuple[Condition | AnyOf, ...]]:
        facts = self._left if gone else self._there
        load = (None if gone else self.scene.target.setup) or self.measured
        tested = [(guard, meets(guard, facts, load, self.scene.claim)) for guard in guards]
        reached = Truth.all(truth for _, truth in tested)
        unmet = tuple(guard for guard, truth in tested if truth is reached and reached is not Truth.YES)
        return reached, unmet

    @kept
    def _left(self) -> InForce:
        """Facts by which a guard of something that went is tested."""
        return self.before | self.scene.granted

    @kept
    def _there(self) -> InForce:
        """Facts by which the guard of a change that is there is tested."""
        return self.after | self.scene.granted

    @kept
    def _names(self) -> Names:
        return self.stake.names(self.was, self.now)

    def anchored(self, change: Change) -> tuple[str, ...]:
        """Anchors of the claim in code that a change names, under its name in either build."""
        return self.stake.anchored(change, self._names)

    def statement(self, change: Change) -> Impact | None:
        """The latest statement about a change and this claim."""
        return self.stake.statements.get(change.id)

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


def passage_of(scene: Scene, arm: ArmScene, line: Line, choice: Choice) -> Passage:
    """One passage of a line. The only one of a line that is not open stays with the scene, with what was asked of it;
    an open pin may have thousands."""
    if line.open:
        return Passage(scene, arm, line, choice)
    key = (arm.id, line.name)
    if key not in scene.passages:
        scene.passages[key] = Passage(scene, arm, line, choice)
    found: Passage = scene.passages[key]
    return found


@once
def in_words(change: Change) -> str:
    """The guards of a change, by which changes of the same guards are known."""
    return repr(change.guards)


@once
def is_of_versions(change: Change) -> bool:
    """Whether a guard of a change speaks of a version: then no two builds answer alike."""
    return any(speaks_of_versions(each) for _, each in single(change.guards))
