"""Statements of people about claims: what a change means for one, and that one was looked at up to named releases.

Made here as values, with what a person has to see before signing: the old conclusion beside what changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import ValidationError

from kb.audit import judge
from kb.change import Change
from kb.effects import Effect, effects
from kb.errors import KbError
from kb.evaluation import Claim, Evaluation, Impact, Review
from kb.library import Library
from kb.registry import Registry
from kb.scene import scene
from kb.suggest import nearest
from kb.target import Target
from kb.verdict import Ruling, Verdict
from kb.vocabulary import ImpactStatus, Justification, Outcome

M = TypeVar("M", Impact, Review)


@dataclass(frozen=True)
class Signed:
    """By whom, when and why."""

    because: str
    date: str
    by: str | None = None

    def stored(self) -> dict[str, Any]:
        """The fields of a record. Raises KbError without a reason."""
        reason = " ".join(self.because.split())
        if not reason:
            raise KbError("a statement needs a reason", "--because TEXT, in a sentence that holds without you")
        by = " ".join((self.by or "").split())  # a name is one line, as a reason is
        return {"because": reason, "date": self.date} | ({"by": by} if by else {})


@dataclass(frozen=True)
class Statement:
    """A record for an evaluation's list, and what its author saw."""

    evaluation: Evaluation
    claims: tuple[Claim, ...]
    list: str
    """Field of the evaluation that it is appended to: impacts or reviews."""
    record: Mapping[str, Any]
    effects: tuple[Effect, ...]
    """Changes since the measured builds, for each claim: those that speak and those that are silent."""
    seen: tuple[str, ...]
    verdicts: Mapping[str, tuple[Verdict, Verdict]] = field(default_factory=dict)
    """Claim -> the verdict without it and with it, at the newest known releases or those reviewed."""
    later: str | None = None
    """Day of a statement that goes before this one because it is younger."""
    turns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Code that was read -> the releases of the interval in which it differs from the one before."""

    @property
    def outcomes(self) -> dict[str, tuple[Outcome, Outcome]]:
        """Claim -> outcome without and with it."""
        return {claim: (was.outcome, now.outcome) for claim, (was, now) in self.verdicts.items()}

    def as_dict(self) -> dict[str, Any]:
        """For JSON, without the path."""
        return {
            "record": dict(self.record),
            "seen": list(self.seen),
            "symbols": {symbol: list(releases) for symbol, releases in self.turns.items()},
            "claims": {each.id: each.says for each in self.claims},
            "changes": [each.as_dict() for each in self.effects],
            "outcomes": {
                claim: {
                    "before": a.outcome.value,
                    "after": b.outcome.value,
                    "because": [_why(each) for each in b.decided],
                }
                for claim, (a, b) in self.verdicts.items()
            },
        }


def _why(ruling: Ruling) -> dict[str, Any]:
    return {"code": ruling.code, "name": ruling.rule, "message": ruling.message, "hint": ruling.hint}


def state(
    change: Change,
    evaluation: Evaluation,
    claim: Claim,
    status: str,
    justification: str | None,
    signed: Signed,
    registry: Registry,
) -> Statement:
    """A person's finding about one change and one claim. Raises KbError for what is not on the closed lists."""
    found = status_of(status)
    why = justified(found, justification)
    record = {"change": change.id, "claim": claim.id, "status": found.value} | why | signed.stored()
    impact = made(Impact, record)
    changed = evaluation.model_copy(update={"impacts": (*evaluation.impacts, impact)})
    looked_at = effects(scene(evaluation, claim, Target(), registry, None, frozenset({change.id})))
    younger = [
        e.date for e in evaluation.impacts if (e.change, e.claim) == (change.id, claim.id) and e.date > impact.date
    ]
    return Statement(
        evaluation,
        (claim,),
        "impacts",
        record,
        tuple(each for id_, each in looked_at.items() if id_ == change.id),
        (change.id,),
        verdicts_of(evaluation, changed, (claim,), Target(), registry),
        max(younger, default=None),
    )


def status_of(word: str) -> ImpactStatus:
    """A status. Raises KbError for what is not on the closed list."""
    return ImpactStatus(_listed(word, [each.value for each in ImpactStatus], "status"))


def justified(status: ImpactStatus, justification: str | None) -> dict[str, str]:
    """The justification as a field of the record. Raises KbError where one lacks, or is out of place."""
    known = [each.value for each in Justification]
    if status is ImpactStatus.NOT_AFFECTED:
        if justification is None:
            raise KbError("not-affected needs a justification", f"--justification, one of {', '.join(known)}")
        return {"justification": _listed(justification, known, "justification")}
    if justification is not None:
        raise KbError(
            f"a justification says why a claim is not affected, and {status} says it otherwise", "leave it out"
        )
    return {}


def _listed(word: str, known: list[str], what: str) -> str:
    if word in known:
        return word
    near = nearest(word, known)
    raise KbError(f'"{word}" is no {what}', f"did you mean {near}?" if near else f"one of {', '.join(known)}")


def made(model: type[M], record: Mapping[str, Any]) -> M:
    """A record of a kind. Raises KbError with what is wrong with it."""
    try:
        return model.model_validate(dict(record))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise KbError(f"{place}: {first['msg'].lower()}", "nothing was written") from None


def verdicts_of(
    was: Evaluation, now: Evaluation, claims: Iterable[Claim], target: Target, registry: Registry
) -> dict[str, tuple[Verdict, Verdict]]:
    """What the audit says of each claim without the statement and with it."""
    with_it = Registry(_with(now, registry.library))
    return {
        claim.id: (judge(scene(was, claim, target, registry)), judge(scene(now, claim, target, with_it)))
        for claim in claims
    }


def _with(evaluation: Evaluation, library: Library) -> Library:
    """A library with another state of an evaluation."""
    old = library.evaluations[evaluation.id]
    loaded = tuple(replace(each, record=evaluation) if each.record is old else each for each in library.loaded)
    return replace(library, loaded=loaded)
