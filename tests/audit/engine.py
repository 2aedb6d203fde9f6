"""What the table asks of kb.audit: the one place that knows how it is called and how its verdicts are read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kb.audit import audit, claims_of
from kb.library import Library
from kb.registry import Registry
from kb.scene import Scene, scene
from kb.target import Target

from .table import Case, Fields, library, several


@dataclass(frozen=True)
class Said:
    """A finding of a rule."""

    rule: str
    outcome: str
    change: str
    message: str


@dataclass(frozen=True)
class Silent:
    """Something that was looked at and did not fire."""

    records: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Answer:
    """A verdict in the words of the table."""

    outcome: str
    confirm: str
    findings: tuple[Said, ...]
    checked: tuple[Silent, ...]
    candidates: tuple[dict[str, str], ...]
    at: dict[str, str]
    """Distribution -> the version asked about, in words."""

    def without_checked(self) -> Answer:
        """The answer without the list of what was silent."""
        return replace(self, checked=())


def answer(case: Case, records: Library) -> Answer:
    """The verdict on the case's claim."""
    claim = f"{case.evaluation}/{case.claim}"
    [verdict] = audit(records, _target(case, records), (claim,), case.changes or None, case.today).verdicts
    return Answer(
        verdict.outcome.value,
        "yes" if verdict.confirm else "no",
        tuple(Said(each.rule, _text(each.outcome), _text(each.change), each.message) for each in verdict.rulings),
        tuple(
            Silent((_text(each.change), _text(each.evaluation), _text(each.symbol)), each.why.value)
            for each in verdict.checked
        ),
        tuple(_candidate(each) for each in verdict.candidates),
        dict(verdict.target),
    )


def laid_out(case: Case) -> Scene:
    """The scene of the case's claim."""
    records = library(case)
    [(evaluation, claim)] = claims_of(records, (f"{case.evaluation}/{case.claim}",))
    only = frozenset(case.changes) if case.changes else None
    return scene(evaluation, claim, _target(case, records), Registry(records), case.today, only)


def _target(case: Case, records: Library) -> Target:
    deployment = records.deployments[case.deployment].setup if case.deployment else None
    return Target(case.deployment, deployment, {_side(name): version for name, version in case.at.items()})


def _side(name: str) -> tuple[str | None, str]:
    side, _, component = name.rpartition(":")
    return side or None, component


def _candidate(candidate: Any) -> dict[str, str]:
    """`pin` is the build in words; its version comes last."""
    version, outcome = candidate.pin.split()[-1], candidate.outcome.value
    return {"version": version, "outcome": outcome} | ({"change": candidate.change} if candidate.change else {})


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def differences(case: Case, found: Answer) -> list[str]:
    """What of the expectation is not so, in words."""
    expect, heard = case.expect, {each.rule for each in found.findings}
    wrong = [
        f"{key}: {expect[key]} expected, {getattr(found, key)} found"
        for key in ("outcome", "confirm")
        if key in expect and getattr(found, key) not in several(expect[key])
    ]
    deciding = [each for each in found.findings if each.outcome == found.outcome]
    if "rule" in expect and not any(_is(expect, each) for each in deciding):
        wanted = [expect.get(key) for key in ("rule", "change", "names")]
        wrong.append(f"decided by {deciding}, not by {wanted}")
    wrong += [f"{want} does not speak" for want in expect.get("also", ()) if not _says(want, found)]
    wrong += [f"{rule} speaks" for rule in expect.get("absent", ()) if rule in heard]
    wrong += [f"{want} is not in {found.checked}" for want in expect.get("checked", ()) if not _silent(want, found)]
    wrong += [f"{want} is not in {found.candidates}" for want in expect.get("candidates", ()) if not _held(want, found)]
    asked = expect.get("at", {}).items()
    wrong += [f"asked at {name} {found.at.get(name)}, not {want}" for name, want in asked if found.at.get(name) != want]
    return wrong


def _is(want: Fields, said: Said) -> bool:
    named = all(word in said.message for word in want.get("names", ()))
    return named and said.rule in several(want["rule"]) and want.get("change") in {None, said.change}


def _says(want: Fields, found: Answer) -> bool:
    return any(_is(want, each) for each in found.findings)


def _silent(want: Fields, found: Answer) -> bool:
    record = want.get("change") or want.get("evaluation") or want.get("symbol")
    return any(record in each.records and each.why in several(want["why"]) for each in found.checked)


def _held(want: Fields, found: Answer) -> bool:
    return any(all(each.get(key) == want[key] for key in want) for each in found.candidates)
