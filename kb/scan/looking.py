"""Looks at the trees of symbols: of one by itself, and of one beside another. What is seen is kept with the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import islice

from kb.scan.alike import equal
from kb.scan.guards import around
from kb.scan.hunks import compared
from kb.scan.normal import Form, bare_call
from kb.scan.normal import called as last_called
from kb.scan.seen import Alone, Judged, Kind, Look, Shapes
from kb.scan.symbols import CLASS, CONSTANT, FUNCTION, Symbol


def alone(symbol: Symbol) -> Alone:
    """What a symbol shows by itself."""
    if symbol.code.alone is None:
        symbol.code.alone = Alone(_only_seen(symbol), _only_observes(symbol))
    return symbol.code.alone


def beside(old: Symbol, new: Symbol) -> Look:
    """What two symbols show beside each other."""
    if known := looked(old, new):
        return known
    found = _look(old, new)
    old.code.beside = (new.code, found)
    return found


def looked(old: Symbol, new: Symbol) -> Look | None:
    """What they showed when they were looked at, if they were."""
    known = old.code.beside
    return known[1] if known and known[0] is new.code else None


Written = tuple[dict[ast.AST, str], dict[ast.AST, str]]
"""Statements of two symbols that were written already, in forms of the same names."""


def _look(old: Symbol, new: Symbol) -> Look:
    written: Written = ({}, {})
    if _equal(old, new, written):
        return Look(True, _form_only(old, new))
    judged = alone(old).judged or alone(new).judged or _quiet(old, new, written)
    lines = compared(old, new)
    conditions = around(old, new, lines)
    if judged:
        return Look(False, judged, around=conditions, hunk=lines.hunk)
    nameless: Written = ({}, {})
    forms = (False, True) if _speak(old, new) else (False,)
    shapes = tuple(_shapes(old, new, quiet, nameless) for quiet in forms)
    return Look(False, None, shapes, _bases(old, new), conditions, lines.hunk)


def _form_only(old: Symbol, new: Symbol) -> Judged | None:
    if old.text == new.text:
        return None
    if _equal(old, new, ({}, {}), types=True):
        return Judged(Kind.DOCS, "only comments, docstrings or layout differ")
    return Judged(Kind.TYPES, "only annotations differ")


def _quiet(old: Symbol, new: Symbol, written: Written) -> Judged | None:
    """Kinds by what a form that leaves more out does not see."""
    if (_ASSERTS in old.text or _ASSERTS in new.text) and _equal(old, new, written, narrow=True):
        return Judged(Kind.TYPES, "only what it asserts of types differs")
    if _speak(old, new) and _equal(old, new, written, quiet=True):
        return Judged(Kind.LOGGING, "only what it logs, counts or says in an error differs")
    return None


_ASSERTS = "assert"
_SPOKEN = re.compile(r"log|warn|stat|metric|prom|counter|gauge|hist|labels|raise|assert")
"""Without any of these in its text, in any case, a function has nothing that quiet form leaves out."""


def _speak(*symbols: Symbol) -> bool:
    return any(_SPOKEN.search(each.text.lower()) for each in symbols)


def _equal(
    old: Symbol, new: Symbol, written: Written, quiet: bool = False, types: bool = False, narrow: bool = False
) -> bool:
    """Whether two symbols are the same in a form that leaves more out, or less."""
    sides = zip((old, new), written, strict=True)
    forms = [Form(each.aliases, quiet=quiet, types=types, narrow=narrow, written=known) for each, known in sides]
    try:
        return equal(*(_keys(each, form) for each, form in zip((old, new), forms, strict=True)))
    except RecursionError:
        return old.text == new.text


def _shapes(old: Symbol, new: Symbol, quiet: bool, written: Written) -> Shapes:
    """Both without names: what differs even then will not be equal under other names."""
    called: tuple[set[str], set[str]] = (set(), set())
    sides = zip((old, new), called, written, strict=True)
    try:
        alike = equal(*(_calling(*each, quiet) for each in sides))
    except RecursionError:
        return Shapes(True, old.calls, new.calls)
    return Shapes(alike, *map(frozenset, called))


def _calling(symbol: Symbol, called: set[str], written: dict[ast.AST, str], quiet: bool) -> Iterator[tuple[int, str]]:
    for leaf in symbol.walk(Form(quiet=quiet, nameless=True, written=written)):
        if call := bare_call(leaf.node):
            called.add(last_called(call))
        yield leaf.key


def _keys(symbol: Symbol, form: Form) -> Iterator[tuple[int, str]]:
    return (leaf.key for leaf in symbol.walk(form))


def _bases(old: Symbol, new: Symbol) -> tuple[frozenset[str], frozenset[str]] | None:
    a, b = old.node, new.node
    if isinstance(a, ast.ClassDef) and isinstance(b, ast.ClassDef) and old.steps[1:] == new.steps[1:]:
        return frozenset(map(ast.unparse, a.bases)), frozenset(map(ast.unparse, b.bases))
    return None


def _only_observes(symbol: Symbol) -> bool:
    """Whether quiet form leaves nothing of a function but its head."""
    if symbol.kind != FUNCTION or not _speak(symbol):
        return False
    try:
        left = list(islice(symbol.walk(Form(symbol.aliases, quiet=True)), 2))
        return len(left) == 1 < sum(1 for _ in islice(symbol.walk(Form(symbol.aliases)), 2))
    except RecursionError:
        return False


_SEEN = re.compile(r"(Stats|Metrics?|Telemetry|StatsLogger)$")
_TYPE_MAKERS = {"TypeVar", "ParamSpec", "NewType", "TypeAliasType"}


def _only_seen(symbol: Symbol) -> Judged | None:
    """Kinds that a symbol has by what it is: a logger, a metric's class, a name of a type."""
    if _SEEN.search(symbol.owner or symbol.plain) and symbol.kind in {CLASS, FUNCTION, CONSTANT}:
        return Judged(Kind.LOGGING, f"{(symbol.owner or symbol.plain)} only counts")
    if symbol.kind != CONSTANT or symbol.owner or (value := getattr(symbol.node, "value", None)) is None:
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
