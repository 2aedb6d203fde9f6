"""An evaluation: a question, a setup, arms, points, claims, limits and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from kb.conditions import Conditions
from kb.evidence import Effect, Number, Point
from kb.model import Id, Model, Name, Names, Part, PartialDate, RecordModel, SchemaVersion, Text, Unknown, Url
from kb.once import once
from kb.setup import Setup
from kb.versions import PinText, VersionText, parse
from kb.vocabulary import (
    ArmRole,
    ClaimKind,
    EffectForm,
    EvaluationKind,
    ImpactStatus,
    Justification,
    Phase,
    Relation,
    SourceDepth,
    SourceRelation,
    Stage,
)

Tally = Annotated[int, Field(ge=0)] | Unknown

Anchor = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.\-]*:[A-Za-z_][\w.]*$")]
"""`component:symbol`, e.g. `vllm-nixl-pull:NixlConnectorWorker._read_blocks`."""

ClaimRef = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.\-]*/[a-z0-9][a-z0-9.\-]*$")]
"""`evaluation/claim`."""


class Source(Part):
    """Where the facts come from and how much of it could be read."""

    relation: SourceRelation | None = None
    """vendor (who made the thing), maintainer, independent, own, unknown."""
    depth: SourceDepth | None = None
    """full, table, excerpt, second-hand: how much of it could be read."""
    url: Url | None = None
    """Address of the source itself, or `unknown`."""
    title: Name | None = None
    """Title of the source."""
    by: Name | None = None
    """Who measured, as far as stated."""
    date: PartialDate | None = None
    """Day it was published."""
    language: Name | None = None
    """Language of the source."""
    via: Names = ()
    """Reports through which it was read, when it was not read itself."""


class Requests(Model):
    """What became of an arm's requests."""

    sent: Tally | None = None
    """Requests sent."""
    completed: Tally | None = None
    """Requests that completed."""
    failed: Tally | None = None
    """Requests that failed."""
    recomputed: Tally | None = None
    """Requests whose KV was recomputed after a failed load."""
    rejected: Tally | None = None
    """Requests refused by the server."""


class Arm(Part):
    """One compared configuration: what differs from the common setup."""

    id: Id
    """Short name, e.g. `pull`."""
    title: Name | None = None
    """One line for tables."""
    role: ArmRole | None = None
    """baseline, candidate or reference."""
    setup: Setup | None = None
    """What differs from the common setup, the version included."""
    requests: Requests | None = None
    """Completed, failed and recomputed requests."""


class Claim(Part):
    """One sentence the evaluation concludes."""

    ALONE = True

    id: Id
    """Short name, unique in the evaluation."""
    kind: ClaimKind
    """measured, mechanism (explains) or hypothesis (not shown)."""
    says: Text
    """The sentence, in our words."""
    effect: Effect | None = None
    """What the numbers show; measured claims have one."""
    explains: Names = ()
    """For a mechanism: ids of the claims it explains."""
    arms: Names = ()
    """Of a claim without an effect: the arms it is about, where it is not about all arms of what it explains."""
    phase: Phase | None = None
    """first-contact, steady-state, idle-eviction, churn, failure-path; where it matters."""
    conditions: Conditions = ()
    """What must be so for it to apply."""
    rests_on: Names = ()
    """Dimensions (vocabulary) it rests on, beyond what its metric implies."""
    anchors: dict[Id, tuple[Anchor, ...]] = Field(default_factory=dict)
    """Per arm (`all` for shared code): the code it rests on, as `component:symbol`."""

    @model_validator(mode="after")
    def _arms_once(self) -> Self:
        if self.arms and self.effect is not None:
            raise ValueError("a claim with an effect names its arms there")
        return self


class StageNote(Model):
    """What a stage of the wait is in this evaluation."""

    stage: Stage
    """Which stage."""
    says: Text
    """What happens there, per arm where it differs."""
    points: Names = ()
    """Points measured in it."""


class Noise(Part):
    """The difference below which the source calls two numbers equal."""

    stated: Literal["yes", "no", "unknown"]
    """Whether the source states one."""
    value: Number | None = None
    """The floor."""
    unit: Name | None = None
    """Its unit, usually %."""


class Watch(Model):
    """What a signal looks at, so that its state can be computed from the records."""

    change: Id | None = None
    """A change record that must get somewhere."""
    reaches: Literal["merged", "released", "measured"] | None = None
    """How far it must get."""
    question: Id | None = None
    """A further evaluation of this question..."""
    relation: Relation | None = None
    """...that stands in this relation to this one..."""
    conditions: Conditions = ()
    """...on a setup like this."""


class Signal(Model):
    """What would change the conclusion, and by when one should know."""

    id: Id
    """Short name."""
    what: Text
    """What to look for."""
    until: PartialDate | None = None
    """Horizon: overdue after this day when it has not fired."""
    claims: Names = ()
    """Claims it would change; without it, all."""
    watches: Watch | None = None
    """How its state is computed; without it a person looks."""


class Decision(Model):
    """What was chosen on this evidence; adopting what fits today is not loyalty to a direction."""

    chose: Text
    """What to do now."""
    because: Text
    """Why, on this evidence."""
    steps: tuple[Text, ...] = ()
    """How to go about it."""
    reopened_by: Names = ()
    """Signals that reopen it."""


class RelationTo(Model):
    """How this evaluation stands to an earlier one."""

    relation: Relation
    """replicates, fails-to-replicate, narrows, contradicts, supersedes, inapplicable, related, same-source."""
    to: Id
    """The earlier evaluation."""
    claims: Names = ()
    """Claims of the earlier one it speaks to; without it, the whole."""
    because: Text | None = None
    """Which conditions separate or join them."""


class Impact(Model):
    """A person's finding about one change, or about code that was read between two releases, and one claim."""

    change: Id | None = None
    """The change; or else `symbols` with `since` and `until`."""
    symbols: tuple[Anchor, ...] = ()
    """Code that was read, as `component:symbol`; a class stands for its members."""
    since: VersionText | None = None
    """Release from which it was read; what this release has already is no part of it."""
    until: VersionText | None = None
    """Release up to which it was read, included; what changes later speaks again."""
    claim: Id
    """The claim."""
    status: ImpactStatus
    """not-affected, affected, under-investigation, remeasured."""
    justification: Justification | None = None
    """Why not affected, from the closed list."""
    because: Text
    """The reason in a sentence."""
    date: PartialDate
    """Day of the finding."""
    by: Name | None = None
    """Who."""

    @model_validator(mode="after")
    def _justified(self) -> Self:
        if self.status is ImpactStatus.NOT_AFFECTED and self.justification is None:
            raise ValueError("not-affected needs a justification")
        return self

    @model_validator(mode="after")
    def _about_one_thing(self) -> Self:
        if (self.change is None) == (not self.symbols):
            raise ValueError("a statement is about a change or about symbols, and about one of the two")
        if self.change is not None and (self.since or self.until):
            raise ValueError("since and until belong to symbols; where a change ships stands in its record")
        if self.symbols:
            since, until = parse(self.since or ""), parse(self.until or "")
            if since is None or until is None:
                raise ValueError("symbols were read between two releases: write since and until")
            if since >= until:
                raise ValueError(f"until {self.until} is not after since {self.since}")
        return self

    @property
    def about(self) -> str:
        """What it is about in words: the change, or the code and the releases between which it was read."""
        return self.change or f"{', '.join(self.symbols)} ({self.since} -> {self.until})"


class Review(Model):
    """A dated sign-off that a claim was looked at up to named versions."""

    claims: Names = ()
    """Claims reviewed; without it, all."""
    date: PartialDate
    """Day."""
    by: Name | None = None
    """Who."""
    at: dict[Id, PinText]
    """Component -> version it was looked at up to."""
    because: Text
    """Reason; a review without one is refused."""
    seen: Names = ()
    """Changes looked at."""
    code: dict[Name, tuple[VersionText, ...]] = Field(default_factory=dict)
    """Anchored code that was shown to differ and looked at, `component:symbol` -> the releases in which it does. What
    differs in a later release, or in one that was not shown, speaks again."""

    @model_validator(mode="after")
    def _up_to_there(self) -> Self:
        for symbol, releases in self.code.items():
            at = parse(self.at.get(symbol.partition(":")[0], ""))
            if at is None:
                raise ValueError(f"code of {symbol.partition(':')[0]} was looked at, and `at` names no release of it")
            late = next((each for each in releases if (parse(each) or at) > at), None)
            if late:
                raise ValueError(f"{symbol} in {late} lies after {at}, up to which it was looked at")
        return self


class Evaluation(RecordModel):
    """One evaluation: setup, result and conclusion side by side."""

    kind: EvaluationKind = EvaluationKind.CONTROLLED
    """controlled, production-like, or reference (documentation or architecture, without arms and points)."""
    question: Id | None = None
    """The question it set out to answer, from the vocabulary; rivals share one."""
    date: PartialDate | None = None
    """Day of the result or of its publication."""
    language: Name = "en"
    """Language this file is written in."""
    owner: Name | None = None
    """Who looks after this record."""
    source: Source | None = None
    """Where it comes from."""
    setup: Setup | None = None
    """What all arms have in common."""
    arms: tuple[Arm, ...] = ()
    """Compared configurations."""
    points: tuple[Point, ...] = ()
    """Numbers."""
    results: Literal["results.csv"] | None = None
    """`results.csv` in the record's own folder: its rows are further points, after those written here."""
    claims: tuple[Claim, ...] = ()
    """What it concludes."""
    stages: tuple[StageNote, ...] = ()
    """Where the wait is."""
    noise: Noise | None = None
    """Noise floor."""
    limits: tuple[Text, ...] = ()
    """What narrows it and what it does not establish."""
    decision: Decision | None = None
    """What was chosen on it."""
    signals: tuple[Signal, ...] = ()
    """What would change it."""
    relations: tuple[RelationTo, ...] = ()
    """How it stands to earlier evaluations."""
    impacts: tuple[Impact, ...] = ()
    """Impact statements (written by `kb state`)."""
    reviews: tuple[Review, ...] = ()
    """Reviews (written by `kb review`)."""
    not_stated: Names = ()
    """Setup keys that were looked for in the source and are not there; same as writing `unknown` at the key.
    `points.stat`, `points.where` and `points.n` say it of every point at once."""

    @once
    def point_table(self) -> Mapping[str, Point]:
        """Points by id."""
        return {point.id: point for point in self.points if point.id}

    @once
    def arm_table(self) -> Mapping[str, Arm]:
        """Arms by id."""
        return {arm.id: arm for arm in self.arms}

    def arm_setup(self, arm: Arm) -> Setup:
        """The arm's whole setup: common part with its own facts laid over."""
        if self.arm_table().get(arm.id) is not arm:
            return self._over_common(arm)
        known = self._setups()
        if arm.id not in known:
            known[arm.id] = self._over_common(arm)
        return known[arm.id]

    def _over_common(self, arm: Arm) -> Setup:
        common = self.setup or Setup()
        return common.over(arm.setup) if arm.setup else common

    @once
    def _setups(self) -> dict[str, Setup]:
        return {}

    def cited_arms(self, claim: Claim) -> tuple[Arm, ...]:
        """The arms a claim names, or that its effect speaks of; all arms when it names none."""
        effect = claim.effect
        named = {effect.arm, effect.against, effect.better} if effect else set(claim.arms)
        cited = tuple(arm for arm in self.arms if arm.id in named)
        return cited or self.arms

    def number_of(self, claim: Claim) -> int:
        """Which of its claims it is."""
        for number, each in enumerate(self.claims):
            if each is claim:
                return number
        return self.claims.index(claim)


COMPARISONS = frozenset({EffectForm.RATIO, EffectForm.DIFFERENCE, EffectForm.PARITY, EffectForm.ORDER})
"""Effect forms that need two arms."""


class ClaimText(Model):
    """A claim's sentence in another language."""

    id: Id
    """The claim in the original."""
    says: Text
    """The sentence."""


class Translation(Model):
    """`<id>.<lang>.md`: title, sentences and body in another language; the facts stay in the original."""

    schema_version: SchemaVersion = 1
    """Version of the record format."""
    translates: Id
    """Id of the original."""
    language: Name
    """Language of this file."""
    title: Name
    """Title in that language."""
    claims: tuple[ClaimText, ...] = ()
    """Claims' sentences."""
    limits: tuple[Text, ...] = ()
    """Limits in the original's order."""
    tags: tuple[Name, ...] = ()
    """Further words to find it by in that language."""
    of: Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")] | None = None
    """Digest of the original's text that was translated (`kb lint` says when it is behind)."""
