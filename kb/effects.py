"""What changes are to one claim, and why: touched, may be, will be once they ship, or not.

The answers are those of the audit: the same rules are asked of the same passages, only kept by change instead of being
weighed by claim. A test holds the two together.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from kb.change import Change
from kb.conditions import Truth
from kb.lines import Choice, Line
from kb.passage import Passage
from kb.rules import passage_rules
from kb.scene import ArmScene, Scene
from kb.silence import bystanders, quiet, silence
from kb.verdict import Ruling, Silent, Why, strongest
from kb.vocabulary import ClaimKind, Outcome, Ships


class Standing(StrEnum):
    """What a change is to a claim."""

    TOUCHED = "touched"
    """Yes to all four questions, for at least one of the builds that were measured."""
    OPEN = "open"
    """No answer is no, and one is not established."""
    AHEAD = "ahead"
    """The build asked about does not carry it; one that does will be touched."""
    UNTOUCHED = "untouched"
    """One answer is no."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One change and one claim."""

    change: str
    evaluation: str
    claim: str
    standing: Standing
    why: str
    """The path from the change to the claim, or the answer that ends it, in words."""
    outcome: Outcome | None = None
    """What the audit makes of it."""
    reason: Why | None = None
    """Why it is untouched."""
    arms: tuple[str, ...] = ()
    certain: bool = True
    """False where it depends on which build was measured, because that is not stated."""
    rule: str = ""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "evaluation": self.evaluation,
            "claim": self.claim,
            "change": self.change,
            "standing": self.standing.value,
            "outcome": self.outcome.value if self.outcome else None,
            "certain": self.certain,
            "arms": list(self.arms),
            "rule": self.rule or None,
            "reason": self.reason.value if self.reason else None,
            "why": self.why,
        }


def effects(scene: Scene, distributions: Collection[str] | None = None) -> dict[str, Effect]:
    """What every change that was looked at is to a claim at a target, by the change's id; with `distributions` only of
    what ships in these."""
    heard = _Heard()
    for arm in scene.arms if scene.claim.kind is not ClaimKind.HYPOTHESIS else ():  # nothing was measured that ages
        for line in arm.lines:
            if distributions is None or line.distribution in distributions:
                heard.listen(scene, arm, line)
    heard.silent += [each for each in bystanders(scene) if distributions is None]
    names = sorted({*heard.spoken, *(each.change for each in heard.silent if each.change)})
    return {name: _effect(name, heard, scene) for name in names}


@dataclass
class _Heard:
    """What the rules said of each change, by the lines and choices of builds for which they said it."""

    spoken: dict[str, dict[tuple[str, Hashable], dict[Choice, list[Ruling]]]] = field(default_factory=dict)
    choices: dict[tuple[str, Hashable], int] = field(default_factory=dict)
    silent: list[Silent] = field(default_factory=list)

    def about(self, change: str) -> list[Silent]:
        """What was said of a change that is silent."""
        return [each for each in self.silent if each.change == change]

    def listen(self, scene: Scene, arm: ArmScene, line: Line) -> None:
        """Ask about every choice of builds; of builds that are alike once."""
        place = (arm.id, line.key)
        self.choices[place] = len(line.choices)
        known: dict[Hashable, list[Ruling]] = {}
        for choice in line.choices:
            passage = Passage(scene, arm, line, choice)
            if (like := passage.likeness) not in known:
                known[like] = list(_ask(passage))
                self.silent += quiet(passage)
            for said in known[like]:
                self.spoken.setdefault(said.change or "", {}).setdefault(place, {}).setdefault(choice, []).append(said)


SPEAKING = frozenset(
    {
        "not-a-release",
        "correctness-defect",
        "change-touches",
        "change-not-established",
        "draft-change",
        "metric-changed-meaning",
        "component-removed",
    }
)
"""Rules that speak of changes: only these are asked."""


def _ask(passage: Passage) -> Iterator[Ruling]:
    """Rulings with an outcome that name a change."""
    for rule in passage_rules():
        for said in rule.judge_passage(passage) if rule.NAME in SPEAKING else ():
            if isinstance(said, Ruling) and said.change and said.outcome:
                yield said._replace(rule=rule.NAME)


def _effect(name: str, heard: _Heard, scene: Scene) -> Effect:
    places = heard.spoken.get(name, {})
    every = [each for choices in places.values() for said in choices.values() for each in said]
    rulings = [each for each in every if each.outcome is not Outcome.NOT_APPLICABLE]
    winner = strongest(rulings)
    if winner is None:
        return _branch(every[-1], scene) if every else _quiet(name, heard.about(name), scene)
    deciding = [each for each in rulings if each.outcome is winner.outcome]
    certain = any(
        sum(any(each.outcome is winner.outcome for each in said) for said in choices.values()) == heard.choices[place]
        for place, choices in places.items()
    )
    newest = deciding[-1]  # of several builds the newest
    return Effect(
        name,
        scene.evaluation.id,
        scene.claim.id,
        Standing.OPEN if winner.outcome is Outcome.UNKNOWN else Standing.TOUCHED,
        _path(newest, scene.library.changes.get(name)),
        winner.outcome,
        arms=tuple(dict.fromkeys(arm for each in deciding for arm in (each.arm or "").split(", ") if arm)),
        certain=certain,
        rule=newest.rule,
    )


def _branch(ruling: Ruling, scene: Scene) -> Effect:
    """What a claim about the change's own branch is, at builds that do not carry it."""
    name = ruling.change or ""
    silent = Silent(Why.UNRELEASED_BUILD, _path(ruling, scene.library.changes.get(name)), name, arm=ruling.arm)
    return replace(_quiet(name, [silent], scene), outcome=ruling.outcome, rule=ruling.rule)


def _path(ruling: Ruling, change: Change | None) -> str:
    """A ruling's words without the title of the change, which stands above it."""
    return ruling.message.removeprefix(f"{change.title}: ") if change else ruling.message


BY_BUILD = frozenset({Why.ALREADY_THERE, Why.DOES_NOT_SHIP})
"""Of what several builds say, that a build carries a change already or not at all says least."""


def _quiet(name: str, silent: list[Silent], scene: Scene) -> Effect:
    newest = max(reversed(silent), key=lambda each: each.why not in BY_BUILD)
    arms = tuple(dict.fromkeys(each.arm for each in silent if each.arm))
    made = Effect(name, scene.evaluation.id, scene.claim.id, Standing.UNTOUCHED, newest.reason, None, newest.why, arms)
    change = scene.library.changes.get(name)
    return _ahead(made, change, scene) if change and newest.why is Why.DOES_NOT_SHIP else made


def _ahead(made: Effect, change: Change, scene: Scene) -> Effect:
    """A change that does not ship, as if it did."""
    ended = made
    for passage, component in running(change, scene):
        answers = passage.if_shipped(change, component)
        said = silence(answers, passage)
        if said is None and answers.all is not Truth.NO:
            met = ", ".join((*answers.symbols, *answers.dimensions)) or "what it rests on, as far as is known"
            return replace(made, standing=Standing.AHEAD, why=f"{made.why}; one that does touches {met}")
        if said is not None:
            ended = replace(made, why=f"{made.why}, and if it did: {said.reason}")
    return ended


def running(change: Change, scene: Scene) -> Iterator[tuple[Passage, str]]:
    """The newest passage of every line that runs a component of a change, and that component."""
    for arm in scene.arms:
        for line in arm.lines:
            component = next((each for each in line.components if each in {change.component, *change.also}), None)
            if component is not None:
                yield Passage(scene, arm, line, line.choices[-1]), component


def of_claim(laid_out: Scene, near: Iterable[Change]) -> Iterator[Effect]:
    """Effects of the changes that can ship with what the evaluation ran."""
    found = effects(laid_out)
    for change in near:
        yield found[change.id] if change.id in found else _unheard(change, laid_out)


def _unheard(change: Change, scene: Scene) -> Effect:
    """A change that no rule had to speak of: hypotheses, arms that do not run it, and what concerns nothing."""
    made = Effect(
        change.id,
        scene.evaluation.id,
        scene.claim.id,
        Standing.UNTOUCHED,
        f"no arm of this claim runs {change.component}",
        reason=Why.ARM_NOT_INVOLVED,
    )
    if scene.claim.kind is ClaimKind.HYPOTHESIS:
        return replace(made, why="a hypothesis: nothing was measured that ages", reason=Why.NOT_TOUCHED)
    for passage, component in running(change, scene):
        made = _ended(made, change, passage, component)
    return made


def _ended(made: Effect, change: Change, passage: Passage, component: str) -> Effect:
    """With the answer that is no, of a change that both builds carry or neither does."""
    line, registry = passage.line, passage.scene.registry
    if change.id in line.was.carries:
        return replace(made, why="it was patched into what was measured", reason=Why.ALREADY_THERE)
    if passage.was is None or passage.now is None:
        why = f"no release of {line.names()} is known that was measured, or that is asked about"
        return replace(made, why=why, reason=Why.UNRELEASED_BUILD)
    carried = registry.carried(change, component, passage.now)
    if carried is Ships.NOT_ESTABLISHED:
        why = f"{line.names()} {passage.now} is the build that was measured"
        return replace(made, why=why, reason=Why.ALREADY_THERE)
    if carried is Ships.YES:
        return replace(made, why=f"{line.names()} {passage.was} carries it already", reason=Why.ALREADY_THERE)
    why = f"{line.names()} {passage.now} does not carry it"
    return _ahead(replace(made, why=why, reason=Why.DOES_NOT_SHIP), change, passage.scene)
