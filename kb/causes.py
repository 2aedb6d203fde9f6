"""Verdicts by what led to them: a change that speaks against twelve claims is one cause with twelve claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple

from kb.rules import anchor_changed, not_looked_at, open_pin
from kb.verdict import Ruling, Verdict
from kb.vocabulary import Outcome

NOTHING = "nothing speaks against it"
"""Said of claims that hold and of which a person need confirm nothing."""

Key = tuple[str, str]
"""The rule that says it, and what it says it of: a change, a component, an open pin; else its sentence."""


class Cause(NamedTuple):
    """One reason and every claim of an outcome that has it."""

    says: str
    change: str | None
    """Id of the change that it is, where it is one."""
    verdicts: tuple[Verdict, ...]
    alone: int
    """Claims that have no other cause."""

    @property
    def told(self) -> str:
        """The reason; of a change with its id first, by which other commands know it."""
        return f"{self.change}: {self.says}" if self.change and self.change not in self.says else self.says


def causes(verdicts: Iterable[Verdict]) -> list[Cause]:
    """The causes of verdicts with one outcome, those with most claims first; a claim stands under each of its own."""
    return _grouped((each, list(deciding(each))) for each in verdicts)


def first_causes(verdicts: Iterable[Verdict]) -> list[Cause]:
    """The same by the one reason that decided: a claim stands under a single one."""
    return _grouped((each, list(deciding(each))[:1]) for each in verdicts)


def _grouped(told: Iterable[tuple[Verdict, list[Ruling]]]) -> list[Cause]:
    found: dict[Key, dict[int, list[Ruling]]] = {}
    listed: list[Verdict] = []
    for number, (verdict, rulings) in enumerate(told):
        listed.append(verdict)
        for ruling in rulings:
            found.setdefault(_key(ruling), {}).setdefault(number, []).append(ruling)
        if not rulings:
            found.setdefault(("", NOTHING), {})[number] = []
    having = Counter(number for claims in found.values() for number in claims)
    made = [
        Cause(
            _says(key, [ruling for rulings in claims.values() for ruling in rulings]),
            next((ruling.change for rulings in claims.values() for ruling in rulings), None),
            tuple(listed[number] for number in claims),
            sum(having[number] == 1 for number in claims),
        )
        for key, claims in found.items()
    ]
    return sorted(made, key=lambda each: (-len(each.verdicts), -each.alone))


def deciding(verdict: Verdict) -> Iterator[Ruling]:
    """The rulings that made the outcome. Of a `holds` what a person must confirm first: nobody shall take it for more
    than it is."""
    holds = verdict.outcome is Outcome.HOLDS
    return (each for each in verdict.rulings if (each.confirm if holds else each.outcome is verdict.outcome))


def _key(ruling: Ruling) -> Key:
    if ruling.change:
        return ruling.rule, ruling.change
    if _is_code(ruling):
        return ruling.rule, str(ruling.symbol).partition(":")[0]
    if ruling.rule == not_looked_at.NAME and ruling.place:
        return ruling.rule, ruling.place.record.id
    if ruling.rule == open_pin.NAME and ruling.settles:
        return ruling.rule, ruling.settles
    return ruling.rule, ruling.message


def _is_code(ruling: Ruling) -> bool:
    """Whether it is anchored code that differs, and no person said what that means."""
    read = ruling.place is not None and ruling.place.loc[:1] == ("impacts",)
    return ruling.rule == anchor_changed.NAME and bool(ruling.symbol) and not read


def _says(key: Key, rulings: list[Ruling]) -> str:
    """The message, or as much of it as is the same for all claims."""
    messages = list(dict.fromkeys(each.message for each in rulings))
    if len(messages) < 2:
        return messages[0] if messages else key[1]
    if _is_code(rulings[0]):
        return f"code of {key[1]} that it is anchored to differs, and no change record says why"
    if key[0] == not_looked_at.NAME:
        return f"not every change of {key[1]} in between was looked at"
    return _shared(messages)


def _shared(messages: list[str]) -> str:
    """The clauses with which all begin."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*messages, strict=False))
    prefix = "".join(letters[0] for letters in alike)
    whole = [prefix.rfind(end) for end in (": ", "; ", ", ", " (")]
    return prefix[: max(whole)] if max(whole) > 0 else messages[0]
