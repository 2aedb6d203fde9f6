"""What kind of difference it is, as far as a syntax tree can tell: never how large or of which sign its effect is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from kb.scan.inline import Helpers, Inlined
from kb.scan.lineage import Hierarchy
from kb.scan.looking import alone, beside
from kb.scan.match import Match, Matched, Status
from kb.scan.seen import Judged, Kind, Shapes
from kb.scan.symbols import CLASS, FUNCTION, Module, Symbol


@dataclass
class World:
    """What is known of both releases when one symbol is judged."""

    renamed: dict[str, str]
    """Old last name -> new one."""
    come: dict[str, list[Symbol]]
    """Functions of the new release only, by last name."""
    gone: dict[str, list[Symbol]]
    """Functions of the old release only, by last name."""
    classes: frozenset[str]
    """Classes of the new release that the old one did not have under that name."""
    old: Hierarchy
    new: Hierarchy
    used: set[str] = field(default_factory=set)
    """Helpers and base classes that a refactoring put in or took out."""


def world(matched: Matched, old: Iterable[Module], new: Iterable[Module]) -> World:
    """What is needed to judge the symbols of two releases."""
    before, after = Hierarchy.of(old), Hierarchy.of(new)
    come, gone = (_functions(matched, status) for status in (Status.ADDED, Status.REMOVED))
    fresh = frozenset(after.bases.keys() - before.bases.keys())
    return World(matched.renamed(), come, gone, fresh, before, after)


def _functions(matched: Matched, status: Status) -> dict[str, list[Symbol]]:
    found: dict[str, list[Symbol]] = defaultdict(list)
    for each in matched.matches:
        if each.symbol.kind == FUNCTION and each.status is status:
            found[each.symbol.last].append(each.symbol)
    return found


def judge_all(matches: Iterable[Match], world: World) -> list[Judged]:
    """Kinds of all differences; changed symbols are judged first: they show which helpers are a refactoring's."""
    matches = list(matches)
    changed = (each for each in matches if each.status is Status.CHANGED)
    first = {id(each): judge(each, world) for each in sorted(changed, key=lambda each: each.symbol.path)}
    return [first.get(id(each)) or judge(each, world) for each in matches]


def judge(match: Match, world: World) -> Judged:
    """The kind of one difference."""
    if match.old and match.new:
        if match.status is Status.CHANGED:
            return _changed(match.old, match.new, world)
        return _kept(match.old, match.new, match.status)
    return _alone(match.symbol, world)


def _kept(old: Symbol, new: Symbol, status: Status) -> Judged:
    if status is Status.MOVED:
        return Judged(Kind.REFACTOR, "the same body in another place")
    if old.text == new.text:
        return Judged(None)
    return beside(old, new).judged or Judged(None)


def _changed(old: Symbol, new: Symbol, world: World) -> Judged:
    look = beside(old, new)
    if look.judged:
        return look.judged
    for quiet, shapes in enumerate(look.shapes):
        if why := _same_but_for_form(old, new, world, bool(quiet), shapes):
            return Judged(Kind.REFACTOR, why + (", and what it logs" if quiet else ""))
    if look.bases and (why := _split(*look.bases, world)):
        return Judged(Kind.REFACTOR, why)
    return Judged(Kind.BEHAVIOUR)


def _same_but_for_form(old: Symbol, new: Symbol, world: World, quiet: bool, shapes: Shapes) -> str:
    """Equal after following new names, and with helpers that came or went put in their place; why, or nothing.

    What differs before any helper is called differs with its body in place, too.
    """
    came = _called(new, world.come, world.new) if shapes.new_calls & world.come.keys() else {}
    went = _called(old, world.gone, world.old) if shapes.old_calls & world.gone.keys() else {}

    def before(helpers: Helpers | None = None) -> Inlined:
        return Inlined(old, helpers or {}, world.renamed, quiet)

    def after(helpers: Helpers | None = None) -> Inlined:
        return Inlined(new, helpers or {}, {}, quiet)

    if shapes.alike and before().equals(after()):
        followed = sorted(set(re.findall(r"\w+", old.text)) & world.renamed.keys())
        return f"equal after following {', '.join(followed)}" if followed else "equal but for the names of its locals"
    put_in = after(came)
    if shapes.new_calls & came.keys() and before().equals(put_in) and put_in.used:
        world.used.update(came[name].plain for name in put_in.used)
        return f"its old body is in {', '.join(sorted(put_in.used))}"
    taken_out = before(went)
    if shapes.old_calls & went.keys() and taken_out.equals(after()) and taken_out.used:
        world.used.update(went[name].plain for name in taken_out.used)
        return f"{', '.join(sorted(taken_out.used))} was put into its place"
    return ""


def _called(symbol: Symbol, helpers: dict[str, list[Symbol]], classes: Hierarchy) -> Helpers:
    """Helpers that a function can mean when it calls them: of its own class and its bases, or of the module."""
    words = symbol.calls & helpers.keys()
    near = {"", *classes.lineage(symbol.owner)} if symbol.owner else {""}
    found = {
        name: [each for each in helpers[name] if each.owner in near and each.plain != symbol.plain] for name in words
    }
    return {name: each[0] for name, each in found.items() if len(each) == 1}


def _split(before: frozenset[str], after: frozenset[str], world: World) -> str:
    """A class that only handed members to bases that are new."""
    fresh = {each for each in after - before if world.new.resolve(each.rpartition(".")[2]) in world.classes}
    kept = {base for each in fresh for base in world.new.lineage(each)} | after
    inherited = {base for each in kept for base in world.new.bases.get(each, ())}
    if fresh and after - before == fresh and before <= after | inherited:
        world.used.update(fresh)
        return f"split: {', '.join(sorted(fresh))} took over"
    return ""


def _alone(symbol: Symbol, world: World) -> Judged:
    seen = alone(symbol)
    if seen.judged:
        return seen.judged
    if symbol.plain in world.used and symbol.kind in {FUNCTION, CLASS}:
        said = (
            "its body was and is part of what calls it"
            if symbol.kind == FUNCTION
            else "its members came from elsewhere"
        )
        return Judged(Kind.REFACTOR, said)
    if symbol.kind == FUNCTION and _declares(symbol):
        return Judged(Kind.TYPES, "it only declares what a subclass has")
    if seen.observes:
        return Judged(Kind.LOGGING, "it only logs or counts")
    return Judged(Kind.BEHAVIOUR)


def _declares(symbol: Symbol) -> bool:
    """Whether all it does is say that a subclass must have it."""
    body = symbol.steps[1:]
    return len(body) == 1 and body[0].startswith(("Raise(NotImplementedError", "Raise(Call(NotImplementedError"))
