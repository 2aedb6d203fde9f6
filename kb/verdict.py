"""A verdict on one claim at one target: an outcome, the rulings that led to it, and what is silent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from kb.finding import Loc
from kb.model import RecordModel
from kb.once import once
from kb.versions import parse
from kb.vocabulary import Outcome

ORDER = (
    Outcome.NOT_APPLICABLE,
    Outcome.SUPERSEDED,
    Outcome.NARROWED,
    Outcome.RECHECK,
    Outcome.UNKNOWN,
    Outcome.HOLDS,
)
"""The winner among what was found: the first; a record that cannot be right goes before all of them, as unknown."""


class Why(StrEnum):
    """Why something that was looked at is silent."""

    DOES_NOT_SHIP = "does-not-ship"
    ALREADY_THERE = "already-there"
    NOT_REACHED = "not-reached"
    OTHER_PHASE = "other-phase"
    NO_BEHAVIOUR = "no-behaviour"
    REPLACED = "replaced"
    NOT_TOUCHED = "not-touched"
    ARM_NOT_INVOLVED = "arm-not-involved"
    SETTLED = "settled"
    NOT_COMPARABLE = "not-comparable"
    UNRELEASED_BUILD = "unreleased-build"
    STATED_ALREADY = "stated-already"


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where the reason of a ruling is written; two places are one when they name the same record and loc."""

    record: RecordModel
    loc: Loc = ()

    @property
    def _name(self) -> tuple[type[RecordModel], str, Loc]:
        return type(self.record), self.record.id, self.loc

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self._name == other._name

    def __hash__(self) -> int:
        return hash(self._name)


@once
def whole(record: RecordModel) -> Place:
    """The record itself as a place; hundreds of rulings name one change."""
    return Place(record)


class Ruling(NamedTuple):
    """What a rule says of a claim. Without an outcome it only tells, or asks a person to confirm."""

    message: str
    outcome: Outcome | None = None
    confirm: bool = False
    """A person must settle it: the tool assembled evidence for a judgement that it must not make alone."""
    place: Place | None = None
    """Without one it is the claim itself."""
    hint: str | None = None
    change: str | None = None
    symbol: str | None = None
    condition: str | None = None
    expected: str | None = None
    found: str | None = None
    arm: str | None = None
    """Arm it speaks of, where it is one."""
    settles: str | None = None
    """What would settle it: the fact to look up, for an unknown."""
    impossible: bool = False
    """The record cannot be right: goes before every other ruling."""
    lines: tuple[str, ...] = ()
    """The message of an open pin in lines: that it decides, and what each of its builds would mean."""
    of_some: bool = False
    """It speaks for some of the builds that an open pin can be, and not whichever it was."""
    code: str = ""
    """Code of the rule, filled in by the driver."""
    rule: str = ""
    """Name of the rule, filled in by the driver."""

    def signed(self, code: str, rule: str) -> Ruling:
        """The same with the rule that says it."""
        return Ruling(*self[:-2], code, rule)  # a fifth of the time of _replace, for every ruling

    @property
    def rank(self) -> int:
        """Position in the order of winners; smaller wins."""
        return rank(self.outcome, self.impossible)


WEAKEST = len(ORDER)
"""The rank of what only tells."""


def rank(outcome: Outcome | None, impossible: bool = False) -> int:
    """Position of an outcome in the order of winners; what only tells comes last, what cannot be right first."""
    return -1 if impossible else ORDER.index(outcome) if outcome is not None else WEAKEST


class Silent(NamedTuple):
    """Something that was looked at and does not speak against the claim."""

    why: Why
    reason: str
    change: str | None = None
    evaluation: str | None = None
    component: str | None = None
    arm: str | None = None
    symbol: str | None = None
    """Code that a person read, `component:symbol`."""

    def as_dict(self) -> dict[str, Any]:
        """With the keys that are filled."""
        why, reason, change, evaluation, component, arm, symbol = self
        found = (("change", change), ("symbol", symbol), ("evaluation", evaluation))
        named = {key: value for key, value in (*found, ("component", component), ("arm", arm)) if value}
        return named | {"why": why.value, "reason": reason}


Said = Ruling | Silent
"""What a rule yields."""


class Build(NamedTuple):
    """Builds that a line can be about: what was measured and what is asked about, each where it is open."""

    names: str
    was: str | None
    now: str | None

    def __str__(self) -> str:
        """A version last: `vllm 0.24.0, asked at vllm 0.33.0`."""
        was = f"{self.names} {self.was}" if self.was else ""
        now = f"asked at {self.names} {self.now}" if self.now else ""
        return ", ".join(filter(None, (was, now)))


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the verdict would be if an open pin were this."""

    build: Build
    outcome: Outcome
    change: str | None
    """The change that decides it, if one does."""
    because: str
    """The deciding ruling in words."""
    rule: str = ""
    """Name of the deciding rule."""

    @property
    def pin(self) -> str:
        """Distribution and version, the version last."""
        return str(self.build)

    def as_dict(self) -> dict[str, Any]:
        """With the keys of cli.md."""
        return {"pin": self.pin, "outcome": self.outcome.value, "change": self.change, "because": self.because}


def grouped(rows: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Neighbouring candidates with one answer as one row, `0.24.0..0.27.1`."""
    return tuple(_joined(list(group)) for _, group in groupby(rows, key=_answer))


def _answer(row: Candidate) -> tuple[str | None, ...]:
    names, was, now = row.build
    return names, was if now else None, row.outcome.value, row.change, row.rule


def _joined(alike: Sequence[Candidate]) -> Candidate:
    first, last = alike[0], alike[-1]
    if first is last:
        return first
    if first.build.now:
        return replace(first, build=first.build._replace(now=f"{first.build.now}..{last.build.now}"))
    return replace(first, build=first.build._replace(was=f"{first.build.was}..{last.build.was}"))


@dataclass(frozen=True, slots=True)
class Covers:
    """Which part of the target the claim was about."""

    envelope: str
    """inside, partly, outside or unknown, against what was tested; `same` for the evaluation's own setup."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """Per load key: inside, partly, outside or unknown, in words."""
    differs: tuple[str, ...] = ()
    """Setup keys in which the target differs and that no condition names."""
    note: str | None = None
    """What was left out of the judgement."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "envelope": self.envelope,
            "parts": dict(self.parts),
            "differs": list(self.differs),
            "note": self.note,
        }


@dataclass(frozen=True)
class Verdict:
    """The answer for one claim."""

    evaluation: str
    claim: str
    outcome: Outcome
    confirm: bool
    covers: Covers
    candidates: tuple[Candidate, ...]
    rulings: tuple[Ruling, ...]
    """The deciding ones first, then the secondary ones."""
    quiet: Callable[[], tuple[Silent, ...]] = field(compare=False, repr=False)
    """Works out what was looked at and is silent; only who reads it pays for it."""
    target: Mapping[str, str]
    """Component -> the version asked about, in words."""
    verified_at: Mapping[str, str]
    """Component -> the version up to which the claim was measured or reviewed."""
    measured_at: Mapping[str, str] = field(default_factory=dict)
    """Component -> the version that was measured, as far as it is stated."""

    @cached_property
    def checked(self) -> tuple[Silent, ...]:
        """What was looked at and does not speak against the claim, with the reason."""
        return self.quiet()

    @property
    def deciding(self) -> Ruling | None:
        """The ruling that made the outcome; none for `holds`."""
        return self.rulings[0] if self.rulings and self.rulings[0].outcome else None

    @property
    def decided(self) -> tuple[Ruling, ...]:
        """Every ruling that alone would have made the outcome."""
        return tuple(each for each in self.rulings if each.outcome is self.outcome)


AND = " and "
"""Between versions of one distribution that arms or claims are asked at, where what goes with them differs."""


def asked_at(targets: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Distribution -> every version that any of these was asked at, in words."""
    found: dict[str, dict[str, None]] = {}
    for target in targets:
        for name, words in target.items():
            found.setdefault(name, {}).update(dict.fromkeys(words.split(AND)))
    return {name: AND.join(words) for name, words in found.items()}


def newest_of(words: str) -> str:
    """The newest of several versions in words; where one is no version, the words as they are."""
    versions = {each: parse(each) for each in words.split(AND)}
    known = [(version, each) for each, version in versions.items() if version is not None]
    return max(known)[1] if len(known) == len(versions) else words


def strongest(rulings: Iterable[Ruling]) -> Ruling | None:
    """The ruling that wins; of equals the first. None when no ruling has an outcome."""
    decisive = [each for each in rulings if each.outcome]
    return min(decisive, key=lambda each: each.rank, default=None)
