"""What kind of difference it is, as far as a syntax tree can tell: never how large or of which sign its effect is."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from kb.scan.alike import equal
from kb.scan.inline import Helpers, Inlined
from kb.scan.lineage import Hierarchy
from kb.scan.match import Match, Matched, Status
from kb.scan.normal import Form
from kb.scan.symbols import CLASS, CONSTANT, FUNCTION, Module, Symbol


class Kind(StrEnum):
    """Kinds of difference, the quietest first."""

    DOCS = "docs"
    TYPES = "types"
    LOGGING = "logging"
    REFACTOR = "refactor"
    BEHAVIOUR = "behaviour"


@dataclass(frozen=True)
class Judged:
    """The kind of a difference and why; no kind for what is untouched."""

    kind: Kind | None
    why: str = ""


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
    first = {id(each): judge(each, world) for each in matches if each.status is Status.CHANGED}
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
    if _equal(old, new, types=True):
        return Judged(Kind.DOCS, "only comments, docstrings or layout differ")
    return Judged(Kind.TYPES, "only annotations differ")


def _equal(old: Symbol, new: Symbol, quiet: bool = False, types: bool = False, narrow: bool = False) -> bool:
    """Whether two symbols are the same in a form that leaves more out, or less."""
    forms = (Form(each.aliases, quiet=quiet, types=types, narrow=narrow) for each in (old, new))
    walks = ((each.key for each in symbol.walk(form)) for symbol, form in zip((old, new), forms, strict=True))
    try:
        return equal(*walks)
    except RecursionError:
        return old.text == new.text


def _changed(old: Symbol, new: Symbol, world: World) -> Judged:
    if found := _only_seen(old) or _only_seen(new):
        return found
    if _either(_ASSERTS, old, new) and _equal(old, new, narrow=True):
        return Judged(Kind.TYPES, "only what it asserts of types differs")
    speaks = _either(_SPEAKS, old, new)
    if speaks and _equal(old, new, quiet=True):
        return Judged(Kind.LOGGING, "only what it logs, counts or says in an error differs")
    for quiet in (False, True) if speaks else (False,):
        if why := _same_but_for_form(old, new, world, quiet):
            return Judged(Kind.REFACTOR, why + (", and what it logs" if quiet else ""))
    if old.kind == CLASS and (why := _split(old, new, world)):
        return Judged(Kind.REFACTOR, why)
    return Judged(Kind.BEHAVIOUR)


_ASSERTS = re.compile(r"\bassert\b")
_SPEAKS = re.compile(r"log|warn|stat|metric|prom|counter|gauge|hist|labels|\braise\b|\bassert\b", re.IGNORECASE)
"""Without any of these words in its text, a function has nothing that quiet form leaves out."""


def _either(words: re.Pattern[str], old: Symbol, new: Symbol) -> bool:
    return bool(words.search(old.text) or words.search(new.text))


def _same_but_for_form(old: Symbol, new: Symbol, world: World, quiet: bool) -> str:
    """Equal after following new names, and with helpers that came or went put in their place; why, or nothing."""
    came, went = _called(new, world.come, world.new), _called(old, world.gone, world.old)

    def before(helpers: Helpers | None = None) -> Inlined:
        return Inlined(old, helpers or {}, world.renamed, quiet)

    def after(helpers: Helpers | None = None) -> Inlined:
        return Inlined(new, helpers or {}, {}, quiet)

    if before().equals(after()):
        followed = sorted(set(re.findall(r"\w+", old.text)) & world.renamed.keys())
        return f"equal after following {', '.join(followed)}" if followed else "equal but for the names of its locals"
    put_in = after(came)
    if came and before().equals(put_in) and put_in.used:
        world.used.update(came[name].plain for name in put_in.used)
        return f"its old body is in {', '.join(sorted(put_in.used))}"
    taken_out = before(went)
    if went and taken_out.equals(after()) and taken_out.used:
        world.used.update(went[name].plain for name in taken_out.used)
        return f"{', '.join(sorted(taken_out.used))} was put into its place"
    return ""


def _called(symbol: Symbol, helpers: dict[str, list[Symbol]], classes: Hierarchy) -> Helpers:
    """Helpers that a function can mean when it calls them: of its own class and its bases, or of the module."""
    words = set(re.findall(r"(\w+)\(", symbol.text)) & helpers.keys()
    near = {"", *classes.lineage(symbol.owner)} if symbol.owner else {""}
    found = {
        name: [each for each in helpers[name] if each.owner in near and each.plain != symbol.plain] for name in words
    }
    return {name: each[0] for name, each in found.items() if len(each) == 1}


def _split(old: Symbol, new: Symbol, world: World) -> str:
    """A class that only handed members to bases that are new."""
    assert isinstance(old.node, ast.ClassDef)
    assert isinstance(new.node, ast.ClassDef)
    before, after = ({ast.unparse(each) for each in node.bases} for node in (old.node, new.node))
    fresh = {each for each in after - before if world.new.resolve(each.rpartition(".")[2]) in world.classes}
    kept = {base for each in fresh for base in world.new.lineage(each)} | after
    inherited = {base for each in kept for base in world.new.bases.get(each, ())}
    if fresh and after - before == fresh and before <= after | inherited and old.steps[1:] == new.steps[1:]:
        world.used.update(fresh)
        return f"split: {', '.join(sorted(fresh))} took over"
    return ""


def _alone(symbol: Symbol, world: World) -> Judged:
    if found := _only_seen(symbol):
        return found
    if symbol.plain in world.used and symbol.kind in {FUNCTION, CLASS}:
        said = (
            "its body was and is part of what calls it"
            if symbol.kind == FUNCTION
            else "its members came from elsewhere"
        )
        return Judged(Kind.REFACTOR, said)
    if symbol.kind == FUNCTION and _declares(symbol):
        return Judged(Kind.TYPES, "it only declares what a subclass has")
    if symbol.kind == FUNCTION and len(symbol.leaves(Form(symbol.aliases, quiet=True))) == 1 < len(symbol.normal):
        return Judged(Kind.LOGGING, "it only logs or counts")
    return Judged(Kind.BEHAVIOUR)


def _declares(symbol: Symbol) -> bool:
    """Whether all it does is say that a subclass must have it."""
    body = [each.text for each in symbol.normal[1:]]
    return len(body) == 1 and body[0].startswith(("Raise(NotImplementedError", "Raise(Call(NotImplementedError"))


_SEEN = re.compile(r"(Stats|Metrics?|Telemetry|StatsLogger)$")
_TYPE_MAKERS = {"TypeVar", "ParamSpec", "NewType", "TypeAliasType"}


def _only_seen(symbol: Symbol) -> Judged | None:
    """Kinds that a symbol has by what it is: a logger, a metric's class, a name of a type."""
    if _SEEN.search(symbol.owner or symbol.plain) and symbol.kind in {CLASS, FUNCTION, CONSTANT}:
        return Judged(Kind.LOGGING, f"{(symbol.owner or symbol.plain)} only counts")
    value = getattr(symbol.node, "value", None)
    if symbol.kind != CONSTANT or symbol.owner or value is None:
        return None
    if symbol.last.strip("_").lower() in {"logger", "log"}:
        return Judged(Kind.LOGGING, "a logger")
    if isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in _TYPE_MAKERS | {"cast"}:
        return Judged(Kind.TYPES, "a name of a type")
    return Judged(Kind.TYPES, "a name of a type") if _type(value) and not symbol.last.isupper() else None


def _type(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        return _type(node.value) or ast.unparse(node.value) in {"dict", "list", "tuple", "set"}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return True
    return ast.unparse(node).rpartition(".")[2] in {"Callable", "Union", "Optional", "Literal", "Annotated", "Any"}
