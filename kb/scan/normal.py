"""The normal form of Python code: one line for each statement, equal when only form differs.

Left out: docstrings, comments, layout, imports, function annotations, `cast`, local names of imported things.
Fields of a class keep their annotation, which is behaviour in a dataclass. Grammar: https://docs.python.org/3/library/ast.html
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

Def = ast.FunctionDef | ast.AsyncFunctionDef
MARK = "\N{SECTION SIGN}"
"""Stands around a local name that is to be numbered."""


class Leaf(NamedTuple):
    """One statement, or the head of a compound one, without what is below it."""

    depth: int
    text: str
    node: ast.AST | None = None

    @property
    def key(self) -> tuple[int, str]:
        return self.depth, self.text


@dataclass
class Form:
    """How far normalising goes."""

    names: Mapping[str, str] = field(default_factory=dict)
    """Name in the code -> what it stands for (imports, renamed classes, locals)."""
    members: Mapping[str, str] = field(default_factory=dict)
    """Attribute -> what it is called now."""
    quiet: bool = False
    """Without statements that only log or count, and without the words of an error."""
    types: bool = False
    """With annotations: tells types from docs."""
    narrow: bool = False
    """Without assertions that only tell a type checker what is so."""
    inside: bool = False
    """Inside a function, where an annotation without a value does nothing."""
    marked: frozenset[str] = frozenset()
    """Local names, set apart so that they can be numbered."""
    nameless: bool = False
    """Without names of variables, functions and attributes: what differs even then is not equal under other names."""
    written: dict[ast.AST, str] = field(default_factory=dict)
    """Statements that are the same text in every form of these names, whether quiet, narrow or neither."""

    def function(self, node: Def) -> Iterator[Leaf]:
        """Head and body of a function, without its name."""
        kind = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        yield Leaf(0, f"{kind}{self._head(node)}", node)
        yield from self.inner(node.body, 1)

    def owner(self, node: ast.ClassDef) -> Iterator[Leaf]:
        """Bases, decorators and field names of a class, in order; its methods and the fields' values stand alone."""
        yield Leaf(0, f"class({self._all([*node.bases, *node.keywords])})[{self._all(node.decorator_list)}]", node)
        for each in node.body:
            if isinstance(each, Def | ast.ClassDef):
                continue
            fields = field_names(each)
            yield from (Leaf(1, f"field {name}", each) for name in fields)
            if not fields:
                yield from self.leaves([each], 1)

    def outside(self, node: ast.stmt) -> Iterator[Leaf]:
        """A statement at the top of a module; what is defined below it is a symbol of its own and only named."""
        yield from self._compound(node, 0, named=True) if blocks(node) else self.leaves([node], 0)

    def inner(self, body: list[ast.stmt], depth: int) -> Iterator[Leaf]:
        """Statements inside a function."""
        was, self.inside = self.inside, True
        yield from self.leaves(body, depth)
        self.inside = was

    def leaves(self, body: list[ast.stmt], depth: int, named: bool = False) -> Iterator[Leaf]:
        """Statements, those below compound ones one deeper."""
        for node in body:
            if self._dropped(node):
                continue
            if named and (names := field_names(node) or defined(node)):
                yield from (Leaf(depth, f"defines {name}", node) for name in names)
            elif isinstance(node, Def):
                yield Leaf(depth, f"{self._renamed(node.name)} = {type(node).__name__}{self._head(node)}", node)
                yield from self.inner(node.body, depth + 1)
            elif isinstance(node, ast.ClassDef):
                yield Leaf(depth, f"class {node.name}({self._all([*node.bases, *node.keywords])})", node)
                yield from self.leaves(node.body, depth + 1)
            elif blocks(node):
                yield from self._compound(node, depth, named)
            else:
                yield Leaf(depth, self._statement(node), node)

    def _compound(self, node: ast.stmt, depth: int, named: bool) -> Iterator[Leaf]:
        if self.quiet and isinstance(node, ast.If) and self._idle(node, depth, named) and harmless(node.test):
            return  # a condition around nothing but logging
        yield Leaf(depth, self._statement(node), node)
        for mark, body in blocks(node):
            lines = self.leaves(body, depth + 1, named)
            if mark and (first := next(lines, None)):
                yield Leaf(depth, self.dump(mark) if isinstance(mark, ast.AST) else mark)
                yield first
            yield from lines

    def _statement(self, node: ast.stmt) -> str:
        """A statement, or the head of a compound one; written once for all forms that leave it as it is."""
        if (known := self.written.get(node)) is not None:
            return known
        if isinstance(node, _COMPOUND_OR_MATCH):
            fields = ((name, value) for name, value in ast.iter_fields(node) if name not in _BLOCKS)
            text = f"{type(node).__name__}({','.join(self.dump(value) for _, value in fields if value is not None)})"
        else:
            text = self.dump(node)
        if not isinstance(node, _BY_FORM):
            self.written[node] = text
        return text

    def _idle(self, node: ast.If, depth: int, named: bool) -> bool:
        return not any(next(self.leaves(body, depth + 1, named), None) for _, body in blocks(node))

    def _dropped(self, node: ast.stmt) -> bool:
        if isinstance(node, _IDLE) or is_typing_block(node):
            return True
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return True  # a docstring, or a bare string or `...` that does nothing
        if (self.narrow or self.quiet) and isinstance(node, ast.Assert) and narrows(node.test):
            return True
        if isinstance(node, ast.AnnAssign) and node.value is None and self.inside:
            return not self.types
        return self.quiet and observes(node)

    def _head(self, node: Def) -> str:
        returns = f"->{self.dump(node.returns)}" if self.types and node.returns else ""
        return f"({self.dump(node.args)}){returns}[{self._all(node.decorator_list)}]"

    def _all(self, nodes: Iterable[ast.AST]) -> str:
        return ",".join(map(self.dump, nodes))

    def _renamed(self, name: str) -> str:
        if self.nameless:
            return ""
        if name in self.marked:
            return f"{MARK}{name}{MARK}"
        return self.names.get(name, name)

    def dump(self, node: object) -> str:
        """One node as text."""
        return (_WAYS.get(type(node)) or _way(type(node)))(self, node)

    def _list(self, nodes: list[object]) -> str:
        return f"[{','.join([self.dump(each) for each in nodes])}]"

    def _plain(self, node: ast.AST) -> str:
        said = []
        for name in _said(type(node)):  # type: ignore[arg-type]  # a class is hashable
            if (value := getattr(node, name, None)) is not None:
                said.append(self.dump(value))
        return f"{type(node).__name__}({','.join(said)})"

    def _repr(self, value: object) -> str:
        return repr(value)

    def _constant(self, node: ast.Constant) -> str:
        return "Constant()" if node.value is None else f"Constant({node.value!r})"

    def _name(self, node: ast.Name) -> str:
        return self._renamed(node.id)

    def _attribute(self, node: ast.Attribute) -> str:
        attribute = "" if self.nameless else self.members.get(node.attr, node.attr)
        return f"{self.dump(node.value)}.{attribute}"

    def _arg(self, node: ast.arg) -> str:
        return f"{node.arg}:{self.dump(node.annotation)}" if self.types and node.annotation else node.arg

    def _handler(self, node: ast.ExceptHandler) -> str:
        return f"except({self.dump(node.type)},{self._renamed(node.name) if node.name else None})"

    def _annotated(self, node: ast.AnnAssign) -> str:
        if self.types or not self.inside or node.value is None:
            return self._plain(node)
        return f"Assign([{self.dump(node.target)}],{self.dump(node.value)})"

    def _call(self, node: ast.Call) -> str:
        if len(node.args) == 2 and called(node) == "cast" and not self.types and _of_typing(node.func):
            return self.dump(node.args[1])
        return self._plain(node)

    def _raise(self, node: ast.Raise) -> str:
        if self.quiet and isinstance(node.exc, ast.Call) and all(map(_words, node.exc.args)):
            return f"Raise({self.dump(node.exc.func)})"
        return self._plain(node)

    def _assert(self, node: ast.Assert) -> str:
        return f"Assert({self.dump(node.test)})" if self.quiet else self._plain(node)


_WAYS: dict[type, Callable[[Form, Any], str]] = {
    list: Form._list,
    ast.Constant: Form._constant,
    ast.Name: Form._name,
    ast.Attribute: Form._attribute,
    ast.arg: Form._arg,
    ast.ExceptHandler: Form._handler,
    ast.AnnAssign: Form._annotated,
    ast.Call: Form._call,
    ast.Raise: Form._raise,
    ast.Assert: Form._assert,
}


def _way(kind: type) -> Callable[[Form, Any], str]:
    """How values of one type are written, kept for the next one."""
    _WAYS[kind] = way = Form._plain if issubclass(kind, ast.AST) else Form._repr
    return way


_FORM_ONLY = frozenset({"ctx", "type_comment", "kind", "type_params", "simple"})


@cache
def _said(kind: type[ast.AST]) -> tuple[str, ...]:
    """Fields of a node that say what it does."""
    return tuple(name for name in kind._fields if name not in _FORM_ONLY)


_IDLE = (ast.Pass, ast.Import, ast.ImportFrom)
_BLOCKS = frozenset({"body", "orelse", "finalbody", "handlers", "cases", "type_comment"})


def nodes(tree: ast.AST) -> list[ast.AST]:
    """All nodes but contexts, as `ast.walk` has them, in half the time."""
    found: list[ast.AST] = [tree]
    for node in found:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                found += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST) and name != "ctx":
                found.append(value)
    return found


def blocks(node: ast.AST) -> list[tuple[ast.AST | str, list[ast.stmt]]]:
    """Bodies below a compound statement, each with what stands before it (`else`, an except clause, a case)."""
    if isinstance(node, ast.Match):
        return [(_case(each), each.body) for each in node.cases]
    if not isinstance(node, _COMPOUND):
        return []
    found: list[tuple[ast.AST | str, list[ast.stmt]]] = [("", node.body)]
    found += [(each, each.body) for each in getattr(node, "handlers", [])]
    ends = (("else", getattr(node, "orelse", [])), ("finally", getattr(node, "finalbody", [])))
    return found + [(mark, body) for mark, body in ends if body]


_COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar)
_COMPOUND_OR_MATCH = (*_COMPOUND, ast.Match)
_BY_FORM = (ast.Raise, ast.Assert, ast.AnnAssign)
"""Statements of which a quiet form leaves something out, or that are another inside of a function."""


def _case(case: ast.match_case) -> ast.AST:
    return ast.Tuple([case.pattern, *([case.guard] if case.guard else [])])  # type: ignore[list-item]


def is_typing_block(node: ast.AST) -> bool:
    """`if TYPE_CHECKING:` never runs."""
    if not isinstance(node, ast.If):
        return False
    test = node.test
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def _of_typing(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) or ast.unparse(function) in {"typing.cast", "t.cast"}


def field_names(node: ast.stmt) -> list[str]:
    """Names a plain assignment gives a value (or, with an annotation, a place)."""
    if isinstance(node, ast.Assign):
        return [each.id for each in node.targets if isinstance(each, ast.Name)]
    return [node.target.id] if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else []


def defined(node: ast.stmt) -> list[str]:
    """Name of the function or class that a statement defines."""
    return [node.name] if isinstance(node, Def | ast.ClassDef) else []


_LOGGER = re.compile(r"^_?(logger|log|logging|LOG|LOGGER|warnings)$")
_SAYS = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "log", "trace"})
_COUNTER = re.compile(r"(^|_)(stats?|metrics?|prometheus|prom|counters?|gauges?|histograms?)$")
_ACTS = frozenset(
    {
        "pop",
        "popleft",
        "popitem",
        "get_nowait",
        "put",
        "next",
        "acquire",
        "release",
        "append",
        "add",
        "remove",
        "update",
    }
)


def observes(node: ast.AST) -> bool:
    """A statement that only logs or counts: a bare call of a logger or of a metric."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    *owners, last = re.findall(r"\w+", ast.unparse(node.value.func))
    says = any(map(_LOGGER.match, owners)) and last.removesuffix("_once") in _SAYS
    counts = any(map(_COUNTER.search, owners)) or ("labels" in owners and last in {"inc", "set", "observe"})
    return (says or counts) and all(map(harmless, [*node.value.args, *(each.value for each in node.value.keywords)]))


def harmless(node: ast.AST) -> bool:
    """Whether reading an expression leaves everything as it was, as far as names tell."""
    for each in ast.walk(node):
        if isinstance(each, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            return False
        if (
            isinstance(each, ast.Call)
            and re.findall(r"\w+", ast.unparse(each.func))[-1:]
            and (re.findall(r"\w+", ast.unparse(each.func))[-1] in _ACTS)
        ):
            return False
    return True


def narrows(test: ast.expr) -> bool:
    """`isinstance(x, T)` and `x is not None`, alone or joined by `and`."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return all(map(narrows, test.values))
    if isinstance(test, ast.Call):
        return called(test) == "isinstance" and all(map(harmless, test.args))
    return isinstance(test, ast.Compare) and ast.unparse(test).endswith(" is not None") and harmless(test)


def called(call: ast.Call) -> str:
    """Last name of what is called; nothing when it has none."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def bare_call(node: ast.AST | None) -> ast.Call | None:
    """The call that is all there is to a statement, its value kept or not."""
    if not isinstance(node, _BARE):
        return None
    value = node.value.value if isinstance(node.value, ast.Await) else node.value
    return value if isinstance(value, ast.Call) else None


_BARE = (ast.Expr, ast.Assign, ast.Return)


def _words(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr | ast.Constant) and harmless(node)
