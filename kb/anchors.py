"""Anchors of claims in the code: the builds that ran it, and what became of it since, by the tables of symbols."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kb.component import Component
from kb.digests import Between, Outcome, Table
from kb.evaluation import Claim, Evaluation
from kb.finding import Loc
from kb.library import Library
from kb.setup import Pin, Setup
from kb.versions import parse
from kb.vocabulary import UNKNOWN


@dataclass(frozen=True, slots=True)
class Anchored:
    """One anchor of a claim."""

    loc: Loc
    claim: str
    arm: str
    """Arm whose code it is, or `all`."""
    component: str
    symbol: str
    pins: tuple[str, ...]
    """Releases in which its arms ran it, oldest first; none when one of them is unknown, a range or a build of one's
    own."""


def anchors(record: Evaluation, library: Library) -> Iterator[Anchored]:
    """Every anchor of every claim, in order."""
    for n, claim in enumerate(record.claims):
        for arm, names in claim.anchors.items():
            for m, name in enumerate(names):
                component, _, symbol = name.partition(":")
                pins = _pins(record, claim, arm, library.components.get(component))
                yield Anchored(("claims", n, "anchors", arm, m), claim.id, arm, component, symbol, pins)


def _pins(record: Evaluation, claim: Claim, arm: str, component: Component | None) -> tuple[str, ...]:
    if component is None:
        return ()
    arms = [each for each in record.arms if each.id == arm] or list(record.cited_arms(claim))
    setups = [record.arm_setup(each) for each in arms] or [record.setup or Setup()]
    found = {version for setup in setups for version in _releases(setup, component)}
    known = {parsed: text for text in found if text and (parsed := parse(text))}
    return tuple(known[version] for version in sorted(known)) if len(known) == len(found) else ()


def _releases(setup: Setup, component: Component) -> set[str | None]:
    """Releases of a component in a setup: its own pins, else those of what it ships in; None is no release."""
    pins = list(setup.pins().values())
    own = [pin for pin in pins if pin.component == component.id]
    hosts = [pin for pin in pins if pin.component == component.ships_in]
    if any(map(_is_own_build, (*own, *hosts))):
        return {None}
    versions = {pin.version for pin in own if _stated(pin)} or {pin.version for pin in hosts if _stated(pin)}
    return set(versions) or {None}


def _stated(pin: Pin) -> bool:
    return pin.version not in {None, UNKNOWN}


def _is_own_build(pin: Pin) -> bool:
    named = (pin.commit, pin.image, pin.branch, pin.fork, pin.as_of, *pin.patches)
    return any(each not in {None, UNKNOWN} for each in named)


@dataclass(frozen=True, slots=True)
class Since:
    """What became of an anchor's code up to the newest scanned release."""

    anchor: Anchored
    newest: str
    pin: str | None
    """The oldest release it was run in, when all of them were scanned."""
    between: Between | None
    """From the pin to the newest; None without a pin."""
    last_changed: str | None
    """The last scanned release in which it behaves differently from the one before."""
    span: tuple[str, str] | None
    """The first and the last scanned release that have it."""

    def as_dict(self) -> dict[str, Any]:
        """For `kb show --json`; `outcome` is one of kb.digests.Outcome, or `pin unknown`."""
        found = self.between
        return {
            "claim": self.anchor.claim,
            "arm": self.anchor.arm,
            "anchor": f"{self.anchor.component}:{self.anchor.symbol}",
            "pin": self.pin,
            "newest": self.newest,
            "outcome": found.outcome.value if found else "pin unknown",
            "name_at_pin": found.first_name if found else None,
            "name_now": found.second_name if found else None,
            "changed_in": list(found.changed_in) if found else [],
            "touched_in": list(found.touched_in) if found else [],
            "last_changed": self.last_changed,
            "first_seen": self.span[0] if self.span else None,
            "last_seen": self.span[1] if self.span else None,
        }


def since(record: Evaluation, library: Library) -> tuple[Since, ...]:
    """What became of every anchor whose component has a table that knows the symbol."""
    found = ((each, library.digests.table(each.component)) for each in anchors(record, library))
    return tuple(_since(each, table) for each, table in found if table and table.exists(each.symbol))


def _since(anchor: Anchored, table: Table) -> Since:
    newest = table.releases[-1]
    pin = anchor.pins[0] if anchor.pins and all(table.position(each) is not None for each in anchor.pins) else None
    return Since(
        anchor,
        newest,
        pin,
        table.between(anchor.symbol, pin, newest) if pin else None,
        table.last_changed(anchor.symbol),
        table.span(anchor.symbol),
    )


def in_words(since: Since) -> str:
    """What became of it in a few words."""
    found = since.between
    if found is None:
        return _over_all(since)
    if found.outcome is Outcome.ABSENT_AT_FIRST:
        return f"not in {since.pin}"
    if found.outcome is Outcome.ABSENT_AT_SECOND:
        return f"not in {since.newest}"
    now = f", now {found.second_name}" if found.second_name != since.anchor.symbol else ""
    if found.outcome is Outcome.CHANGED:
        return f"changed in {', '.join(found.changed_in)}{now}"
    return f"unchanged {since.pin}..{since.newest}{now}"


def _over_all(since: Since) -> str:
    """Without a pin: when it last changed, and whether it is still there."""
    first, last = since.span or (since.newest, since.newest)
    gone = f", not in {since.newest}" if last != since.newest else ""
    return (f"last changed in {since.last_changed}" if since.last_changed else f"unchanged {first}..{last}") + gone
