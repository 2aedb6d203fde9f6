"""What kind of difference it is, as far as a syntax tree can tell: never how large or of which sign its effect is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
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


Formed = tuple[str, frozenset[str]]
"""Why a difference is one of form, if it is, and the helpers that were put in or taken out."""


def undecided(matches: Iterable[Match], world: World) -> list[Match]:
    """Changed symbols that may differ in form only: their trees have to be compared once more, which takes long."""
    return [each for each in matches if each.status is Status.CHANGED and _may_be_form(each, world)]


def formed(match: Match, world: World) -> Formed:
    """Whether an undecided symbol differs in form only."""
    old, new = match.old, match.new
    assert old is not None
    assert new is not None
    for quiet, shapes in enumerate(beside(old, new).shapes):
        why, used = _same_but_for_form(old, new, world, bool(quiet), shapes)
        if why:
            return why + (", and what it logs" if quiet else ""), used
    return "", frozenset()


def judge_all(matches: Iterable[Match], world: World, known: Mapping[int, Formed] | None = None) -> list[Judged]:
    """Kinds of all differences; changed symbols are judged first: they show which helpers are a refactoring's.

    `known` has what was found of the undecided ones, by the id of their match, where that was done elsewhere.
    """
    matches = list(matches)
    if known is None:
        known = {id(each): formed(each, world) for each in undecided(matches, world)}
    for _, used in known.values():
        world.used.update(used)
    changed = (each for each in matches if each.status is Status.CHANGED)
    first = {id(each): _changed(each, world, known) for each in sorted(changed, key=lambda each: each.symbol.path)}
    return [first.get(id(each)) or _judge(each, world) for each in matches]


def _judge(match: Match, world: World) -> Judged:
    if match.old and match.new:
        return _kept(match.old, match.new, match.status)
    return _alone(match.symbol, world)


def _kept(old: Symbol, new: Symbol, status: Status) -> Judged:
    if status is Status.MOVED:
        return Judged(Kind.REFACTOR, "the same body in another place")
    if old.text == new.text:
        return Judged(None)
    return beside(old, new).judged or Judged(None)


def _changed(match: Match, world: World, known: Mapping[int, Formed]) -> Judged:
    assert match.old is not None
    assert match.new is not None
    look = beside(match.old, match.new)
    if look.judged:
        return look.judged
    why, _ = known.get(id(match), ("", None))
    if why or (look.bases and (why := _split(*look.bases, world))):
        return Judged(Kind.REFACTOR, why)
    return Judged(Kind.BEHAVIOUR)


def _may_be_form(match: Match, world: World) -> bool:
    look = beside(match.old, match.new) if match.old and match.new else None
    return look is not None and not look.judged and any(_may_be(each, world) for each in look.shapes)


def _may_be(shapes: Shapes, world: World) -> bool:
    called = not shapes.new_calls.isdisjoint(world.come) or not shapes.old_calls.isdisjoint(world.gone)
    return shapes.alike or called


def _same_but_for_form(old: Symbol, new: Symbol, world: World, quiet: bool, shapes: Shapes) -> Formed:
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
        said = f"equal after following {', '.join(followed)}" if followed else "equal but for the names of its locals"
        return said, frozenset()
    put_in = after(came)
    if shapes.new_calls & came.keys() and before().equals(put_in) and put_in.used:
        helpers = frozenset(came[name].plain for name in put_in.used)
        return f"its old body is in {', '.join(sorted(put_in.used))}", helpers
    taken_out = before(went)
    if shapes.old_calls & went.keys() and taken_out.equals(after()) and taken_out.used:
        helpers = frozenset(went[name].plain for name in taken_out.used)
        return f"{', '.join(sorted(taken_out.used))} was put into its place", helpers
    return "", frozenset()


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
