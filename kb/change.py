"""A change: one difference in a component, when it is reached, what it alters, and which artifacts carry it."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from kb.conditions import Conditions
from kb.evaluation import Anchor
from kb.model import Id, Model, Name, Names, PartialDate, RecordModel, Scalars, Text, Url
from kb.versions import RangeText, contains
from kb.vocabulary import Artifact, ChangeKind, ChangeRelation, ChangeStatus, Phase, Ships


class Shipped(Model):
    """Whether artifacts of one kind carry the change, over a range of versions."""

    distribution: Name
    """Distribution on the package index or image name, e.g. `vllm`, `nixl-cu12`."""
    artifact: Artifact
    """wheel, sdist, tag or image; one kind says nothing of another."""
    versions: RangeText
    """Range it speaks of, e.g. `>=1.2.0,<1.3.1`."""
    ships: Ships
    """yes, no or not-established."""
    marker: Text | None = None
    """What was looked for in the artifact: a function, a string, an option."""
    checked: Scalars = ()
    """Versions that were opened; the rest of the range follows from its ends."""


class ChangeRelationTo(Model):
    """How this change stands to another."""

    relation: ChangeRelation
    """reverts, re-lands, fixes, replaces, backports, requires, related."""
    to: Id
    """The other change."""


class Dates(Model):
    """Days of the proposal; none of them says that anything ships."""

    opened: PartialDate | None = None
    """Proposed."""
    merged: PartialDate | None = None
    """Merged into the main branch."""
    reverted: PartialDate | None = None
    """Taken back."""
    closed: PartialDate | None = None
    """Closed without merging."""


class Change(RecordModel):
    """One difference in a component."""

    component: Id
    """Component it changes."""
    also: Names = ()
    """Further components it changes in the same stroke."""
    kind: ChangeKind
    """What kind of difference it is."""
    status: ChangeStatus
    """State of the proposal: proposed, merged, reverted, closed."""
    dates: Dates | None = None
    """Days of the proposal."""
    url: Url | None = None
    """Where it was proposed or reported."""
    links: tuple[Url, ...] = ()
    """Further addresses."""
    summary: Text
    """What behaves differently, in our words."""
    ships: tuple[Shipped, ...] = ()
    """Which artifacts carry it."""
    guards: Conditions = ()
    """When it is reached; all must be so."""
    dimensions: Names = ()
    """What it alters (vocabulary)."""
    symbols: tuple[Anchor, ...] = ()
    """Functions and classes it touches, as `component:symbol`."""
    phase: Phase | None = None
    """Phase in which it is felt."""
    favours: Literal["pull", "push", "both", "neither", "unknown"] | None = None
    """Direction it favours, if the source says so."""
    relations: tuple[ChangeRelationTo, ...] = ()
    """Relations to other changes."""
    said_effect: Text | None = None
    """Effect that its author states, in our words; a measurement is an evaluation of its own."""
    proposed_by: Literal["person", "scan"] = "person"
    """Who drafted the record; a draft by scan needs a person's dimensions and guards."""

    @cached_property
    def code(self) -> tuple[tuple[str, str], ...]:
        """What it touches, as component and symbol."""
        parted = (each.partition(":") for each in self.symbols)
        return tuple((component, name) for component, _, name in parted)

    def ships_in(self, distribution: str, version: str, artifact: Artifact | None = None) -> Ships:
        """Whether a release carries the change, from artifact facts alone.

        Without `artifact` the kinds are asked in the order in which people run them (wheel, sdist, image, tag) and the
        first that is established answers: a tag may hold what the wheel of the same number does not. Facts of one kind
        that disagree, or no fact at all, are `not-established`.
        """
        for kind in (artifact,) if artifact else (Artifact.WHEEL, Artifact.SDIST, Artifact.IMAGE, Artifact.TAG):
            answers = {
                fact.ships
                for fact in self.ships
                if (fact.distribution, fact.artifact) == (distribution, kind) and contains(fact.versions, version)
            }
            if len(answers) == 1 and answers != {Ships.NOT_ESTABLISHED}:
                return answers.pop()
            if len(answers) > 1:
                return Ships.NOT_ESTABLISHED
        return Ships.NOT_ESTABLISHED
