"""What changed in an evaluation's components since the builds it pins."""

from __future__ import annotations

from collections.abc import Iterable

from kb.change import Change
from kb.evaluation import Evaluation
from kb.library import Library
from kb.present.text import Page, heading, table, wrap
from kb.since import ChangeSince, ComponentSince, since
from kb.vocabulary import UNKNOWN, ChangeStatus, Ships


def section(record: Evaluation, library: Library, page: Page) -> list[str]:
    """The pins; the changes that touch what a claim rests on, in full; the others by id."""
    found = since(record, library)
    if not found:
        return []
    lines = heading("Changes in its components since the pins", page)
    lines += table([[each.component, _pinned(each)] for each in found], page.width)
    changes = _each_once(found)
    if not changes:
        return [*lines, "  No later change is known."]
    touching = [each for each in changes if each[1].touches]
    others = [each for each in changes if not each[1].touches]
    if touching:
        lines += ["", "  touching what a claim rests on"]
        lines += [line for newest, change in touching for line in _full(change, newest, page)]
    if others:
        lines += ["", "  touching nothing that a claim names" if touching else "  none touches what a claim names"]
        lines += _by_state(others, page)
    return lines


def _pinned(each: ComponentSince) -> str:
    counted = f"; {each.already} known changes are in it" if each.already else ""
    newest = f"; newest known {each.newest}" if each.newest else ""
    return f"{pin_words(each.pins)}{counted}{newest}"


def pin_words(pins: tuple[str, ...]) -> str:
    """How far the pins tell what came after them."""
    known = [pin for pin in pins if pin != UNKNOWN]
    if not known:
        return "pin unknown: every change may be after it"
    return f"pinned at {' and '.join(known)}" + (", on one arm unknown" if UNKNOWN in pins else "")


def _each_once(found: Iterable[ComponentSince]) -> list[tuple[str | None, ChangeSince]]:
    """Changes with the newest release of their component; one that changes two components comes once."""
    once: dict[str, tuple[str | None, ChangeSince]] = {}
    for component in found:
        for change in component.changes:
            once.setdefault(change.change.id, (component.newest, change))
    return list(once.values())


def _by_state(changes: Iterable[tuple[str | None, ChangeSince]], page: Page) -> list[str]:
    groups: dict[str, list[str]] = {}
    for newest, change in changes:
        groups.setdefault(state(change, newest), []).append(change.change.id)
    return table([[name, ", ".join(ids)] for name, ids in groups.items()], page.width, indent="    ")


def _full(each: ChangeSince, newest: str | None, page: Page) -> list[str]:
    about = f"{each.change.id}: {state(each, newest)}; touches {', '.join(each.touches)}"
    return [*wrap(about, page.width, "    "), *map(page.style.dim, wrap(each.change.title, page.width, "      "))]


def state(each: ChangeSince, newest: str | None) -> str:
    """How far a change has got: merged is not released."""
    if each.change.status is not ChangeStatus.MERGED:
        return each.change.status.value
    if each.seen_in == newest and newest is not None:
        return f"in {newest}"
    if each.seen_in is not None:
        return f"in {each.seen_in}, {'not in' if each.newest is Ships.NO else 'not established for'} {newest}"
    return f"merged, not in {newest}" if each.newest is Ships.NO else "merged, not established in a release"


def shipping(change: Change) -> str:
    """Where a change is known to ship, in a few words."""
    carried = [f"{fact.distribution} {fact.versions}" for fact in change.ships if fact.ships is Ships.YES]
    return ", ".join(dict.fromkeys(carried)) or "not established"
