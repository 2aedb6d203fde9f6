"""What changes mean to claims of one interest: the answers in which no build plays a part.

A base asks the same of the same changes for hundreds of claims, builds and targets. Whether a change alters behaviour,
is felt in the claim's phase and meets what the claim rests on follows from the change and from few facts of the claim;
claims that share these (an Interest) share the answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kb.change import Change
from kb.conditions import Truth
from kb.flips import Flip, Interval
from kb.once import once
from kb.registry import Registry
from kb.vocabulary import ChangeKind, Phase

SILENT_KINDS = (ChangeKind.DOCS, ChangeKind.TESTS, ChangeKind.TYPES, ChangeKind.LOGGING, ChangeKind.REFACTOR)
"""Kinds that leave behaviour as it was."""

ONLY_IF_NAMED = frozenset({"observability", "correctness"})
"""Dimensions that no latency rests on: they touch a claim that names them; wrong results have a rule of their own."""

MOST_INTERESTS = 1024
"""Interests whose answers are kept: the claims of a large base have thousands, and neighbours share most."""


class Interest(NamedTuple):
    """What of a claim decides which changes could matter to it, builds and guards aside."""

    rests_on: frozenset[str]
    """Dimensions that it names and those that its metric implies."""
    named: frozenset[str]
    """Of these, those that it names."""
    placed: bool
    """Whether it says what it rests on, by dimensions that somebody knows or by anchors."""
    phase: Phase | None
    failures: bool
    """Whether a failed request is recorded of the arm."""
    required: bool
    """Whether what a component requires is a line of the arm, judged from build to build."""


class Bearing(NamedTuple):
    """What one change means to claims of one interest."""

    change: Change
    phase: Truth
    behaves: Truth
    touches: Truth
    dimensions: tuple[str, ...]
    """Dimensions in which it meets what the claim rests on."""
    itself: bool
    """Whether what it says is judged by a line of its own, so that it touches nothing."""
    so_far: Truth
    """All of these together."""
    asked: bool
    """Whether its guards play a part: not when another no has ended it."""


Moved = tuple[tuple[Flip, Bearing], ...]


class Bearings:
    """What changes mean to claims of one interest; each is asked once."""

    def __init__(self, interest: Interest) -> None:
        self.interest = interest
        self._known: dict[int, Bearing] = {}
        self._moved: dict[tuple[int, bool | None], tuple[Interval, Moved]] = {}
        self._speaking: dict[tuple[int, bool], tuple[Interval, Moved]] = {}

    def of(self, change: Change) -> Bearing:
        """What one change means."""
        found = self._known.get(id(change))
        if found is None:  # it is kept with what was found, so that no other takes its place
            found = self._known[id(change)] = self._asked(change)
        return found

    def moved(self, interval: Interval, symbols: bool) -> Moved:
        """Changes of an interval that could speak: by dimension, undescribed, or (`symbols`) because they name code."""
        return self._with(interval, symbols)

    def able(self, interval: Interval, symbols: bool) -> Iterator[tuple[Flip, Bearing]]:
        """Of `moved` those that can speak without a person's word, one by one: one no, or one open answer that no guard
        and no anchor closes, is enough for a change not to."""
        rests_on = self.interest.rests_on if self.interest.placed else None
        for flip in interval.flips:  # by name; of all that a claim rests on most find their first after a few
            change = flip.change
            named = symbols and bool(change.symbols)
            if rests_on and change.dimensions and not named and rests_on.isdisjoint(change.dimensions):
                continue
            if (flip.arrived or flip.gone) and not has_own_rule(change):
                bearing = self.of(change)
                if named or bearing.so_far is Truth.YES:
                    yield flip, bearing

    def speaking(self, interval: Interval, symbols: bool) -> Moved:
        """All of these, for whoever asks of one interval again and again."""
        key = (id(interval), symbols)
        if key not in self._speaking:
            self._speaking[key] = (interval, tuple(self.able(interval, symbols)))
        return self._speaking[key][1]

    def all(self, interval: Interval) -> Moved:
        """Every change of an interval."""
        return self._with(interval, None)

    def _with(self, interval: Interval, symbols: bool | None) -> Moved:
        key = (id(interval), symbols)
        if key not in self._moved:
            chosen = interval.flips if symbols is None else self._chosen(interval, symbols)
            self._moved[key] = (interval, tuple((flip, self.of(flip.change)) for flip in chosen))
        return self._moved[key][1]

    def _chosen(self, interval: Interval, symbols: bool) -> tuple[Flip, ...]:
        if not self.interest.rests_on or not self.interest.placed:
            return interval.flips
        found = [flip for each in self.interest.rests_on for flip in interval.by_dimension.get(each, ())]
        found += interval.undescribed
        found += interval.with_symbols if symbols else ()
        by_name = {flip.change.id: flip for flip in found}
        return tuple(by_name[name] for name in sorted(by_name))

    def _asked(self, change: Change) -> Bearing:
        rests, named = self.interest.rests_on, self.interest.named
        dimensions = tuple(
            each for each in change.dimensions if each in rests and (each not in ONLY_IF_NAMED or each in named)
        )
        itself = self._judged_itself(change)
        behaves = Truth.of(change.kind not in SILENT_KINDS)
        phase, touches = self.felt(change), self._touches(change, dimensions, itself)
        asked = behaves is not Truth.NO and (touches is not Truth.NO or "correctness" in change.dimensions)
        so_far = Truth.all((phase, behaves, touches))
        return Bearing(change, phase, behaves, touches, dimensions, itself, so_far, asked)

    def _touches(self, change: Change, dimensions: tuple[str, ...], itself: bool) -> Truth:
        if itself:
            return Truth.NO
        if dimensions:
            return Truth.YES
        return Truth.NO if change.dimensions and self.interest.placed else Truth.UNKNOWN

    def _judged_itself(self, change: Change) -> bool:
        """Whether a requirement moved and what is required is a line of the arm, judged from build to build."""
        if not self.interest.required or change.kind is not ChangeKind.REQUIREMENT:
            return False
        return set(change.dimensions) <= {"library-version"}

    def felt(self, change: Change) -> Truth:
        """Whether a change is felt in the claim's phase.

        Where a claim names none, what happens when transfers fail plays no part in a run without a recorded failure.
        """
        claim = self.interest.phase
        if change.phase is Phase.FAILURE_PATH and claim is None and not self.interest.failures:
            return Truth.NO
        return phase_meets(change.phase, claim)


def has_own_rule(change: Change) -> bool:
    """Whether a rule of its own speaks of it: of a draft by scan, and of a change of the harness."""
    return change.proposed_by == "scan" or change.kind is ChangeKind.HARNESS


def bearings(registry: Registry, interest: Interest) -> Bearings:
    """What changes mean to claims of an interest; those asked last are kept with the registry."""
    kept = _kept(registry)
    found = kept.get(interest)
    if found is None:
        if len(kept) >= MOST_INTERESTS:
            kept.pop(next(iter(kept)))
        found = kept[interest] = Bearings(interest)
    return found


@once
def _kept(_registry: Registry) -> dict[Interest, Bearings]:
    return {}


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
