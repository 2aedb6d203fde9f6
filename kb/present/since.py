"""What changed in an evaluation's components since the builds it pins."""

from __future__ import annotations

from collections.abc import Iterable

from kb.change import Change
from kb.evaluation import Evaluation
from kb.library import Library
from kb.present.text import Page, heading, table, wrap
from kb.since import ChangeSince, ComponentSince, Standing, since
from kb.verdict import Verdict, asked_at
from kb.vocabulary import UNKNOWN, Ships


def section(record: Evaluation, library: Library, page: Page, verdicts: Iterable[Verdict] = ()) -> list[str]:
    """The pins; the changes that touch what a claim rests on, in full; those that touch nothing by name."""
    found = since(record, library)
    if not found:
        return []
    judged = asked_at(each.target for each in verdicts)
    lines = heading("Changes in its components since the pins", page)
    lines += table([[each.component, _pinned(each, judged.get(each.ships_in))] for each in found], page.width)
    changes = _each_once(found)
    if not changes:
        return [*lines, "  No difference since the pins is known."]
    touching = [each for each in changes if each[1].touches]
    implied = [each for each in changes if each[1].implied and not each[1].touches]
    others = [each for each in changes if not each[1].touches and not each[1].implied]
    if touching:
        lines += ["", "  touching what a claim rests on"]
        lines += [line for component, change in touching for line in _full(component, change, page)]
    lines += _compact("touching only what its metrics imply", implied, page)
    named = any(claim.rests_on for claim in record.claims)
    rest = (
        "touching nothing that its claims rest on" if named else "its claims name nothing they rest on: any may matter"
    )
    return [*lines, *_compact(rest, others, page)]


def _compact(title: str, changes: list[Pair], page: Page) -> list[str]:
    return ["", *wrap(title, page.width, "  "), *_by_state(changes, page)] if changes else []


def _pinned(each: ComponentSince, judged: str | None) -> str:
    newest = f"; newest known {each.newest}" if each.newest else ""
    if newest and judged not in {None, each.newest}:  # a requirement of another component bounds it (kb.together)
        newest += f", judged at {judged}"
    many = "1 change makes" if each.same == 1 else f"{each.same} changes make"
    return f"{pin_words(each.pins)}{newest}" + (f" ({many} no difference)" if each.same else "")


def pin_words(pins: tuple[str, ...]) -> str:
    """How far the pins tell what came after them."""
    known = [pin for pin in pins if pin != UNKNOWN]
    if not known:
        return "pin unknown: every change may be after it"
    return f"pinned at {' and '.join(known)}" + (", on one arm unknown" if UNKNOWN in pins else "")


Pair = tuple[ComponentSince, ChangeSince]


def _each_once(found: Iterable[ComponentSince]) -> list[Pair]:
    """Changes with their component; one that changes two components comes once."""
    once: dict[str, Pair] = {}
    for component in found:
        for change in component.changes:
            once.setdefault(change.change.id, (component, change))
    return list(once.values())


def _by_state(changes: Iterable[Pair], page: Page) -> list[str]:
    groups: dict[str, list[str]] = {}
    for component, change in changes:
        groups.setdefault(state(component, change), []).append(change.change.id)
    # An id has a line of its own, so that it can be copied and grepped at any width.
    return [
        line for name, ids in groups.items() for line in [*wrap(name, page.width, "    "), *(f"      {i}" for i in ids)]
    ]


def _full(component: ComponentSince, each: ChangeSince, page: Page) -> list[str]:
    span = "; between the pinned builds" if each.between else ""
    about = f"{each.change.id}: {state(component, each)}{span}; touches {', '.join(each.touches)}"
    return [*wrap(about, page.width, "    "), *map(page.style.dim, wrap(each.change.title, page.width, "      "))]


def state(component: ComponentSince, each: ChangeSince) -> str:
    """How far a change has got, seen from the pins: merged is not released, and what was there may be gone."""
    carried = _since(component, each)
    newest = f"{component.ships_in} {component.newest}"
    if each.standing is Standing.NEW:
        return f"new, {carried}"
    if each.standing is Standing.GONE:
        return f"was in the pinned build, gone in {newest}"
    if each.standing is Standing.PASSED:
        return f"came and went between the pin and {newest}"
    if each.standing is Standing.PROPOSED:
        return "proposed"
    return _open(each, newest, carried)


def _since(component: ComponentSince, each: ChangeSince) -> str:
    """The first release that carries it, and whether an earlier one may."""
    return f"since {component.ships_in} {each.first}{'' if each.established else ' or earlier'}"


def _open(each: ChangeSince, newest: str, carried: str) -> str:
    if each.seen_in is None:
        return f"{each.change.status}, no release known"
    if each.newest is Ships.NO:
        return f"in releases up to {each.seen_in}, gone in {newest}"
    return carried if each.newest is Ships.YES else f"in releases up to {each.seen_in}, {newest} not established"


def shipping(change: Change) -> str:
    """Which artifacts are known to carry a change, over which versions."""
    carried: dict[str, list[str]] = {}
    for fact in change.ships:
        if fact.ships is Ships.YES:
            carried.setdefault(f"{fact.artifact} {fact.versions}", []).append(fact.distribution)
    return "; ".join(f"{', '.join(names)} {what}" for what, names in carried.items()) or "not established"
