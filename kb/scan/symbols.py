"""Functions, methods, class bodies and module constants of Python text, each with a digest of what it does.

The digest is taken from the syntax tree without docstrings, function annotations, formatting, import order and local names
for imported things. Fields of a class keep their annotation: in a dataclass it is behaviour.
Grammar: https://docs.python.org/3/library/ast.html
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

Def = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, eq=False)
class Symbol:
    """One named piece of a module. `name` is qualified within the module, e.g. `Worker.start_load_kv`."""

    name: str
    kind: str
    """function, class (its bases, decorators and fields, not its methods) or constant."""
    path: str
    line: int
    text: str
    """Source, decorators included."""
    node: ast.AST = field(repr=False)
    aliases: dict[str, str] = field(repr=False)
    """Local name of an imported thing -> its name where it comes from."""

    @property
    def last(self) -> str:
        """Name without its class."""
        return self.name.rpartition(".")[2]

    @cached_property
    def digest(self) -> str:
        """Digest of what it does: equal when only form differs."""
        return _digest(self.steps)

    @cached_property
    def quiet_digest(self) -> str:
        """The digest without statements that only log or count."""
        return _digest(normal(self.node, self.aliases, quiet=True))

    @cached_property
    def typed_digest(self) -> str:
        """The digest with annotations and without docstrings: tells types from docs."""
        return _digest(normal(self.node, self.aliases, types=True))

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """Head and statements in normal form; similarity is counted over them."""
        return normal(self.node, self.aliases)


@dataclass(frozen=True)
class Module:
    """What one file defines."""

    path: str
    symbols: tuple[Symbol, ...]
    exports: dict[str, str]
    """Name -> dotted origin, for names that are only passed on (imports, plain aliases)."""
    bases: dict[str, tuple[str, ...]]
    """Class -> names of its bases."""
    broken: str | None = None
    """Why it could not be parsed; such a file is compared by lines."""


def module(path: str, text: str) -> Module:
    """The symbols of one file."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        return Module(path, (), {}, {}, broken=str(error))
    aliases = dict(_imports(tree))
    local = {name: origin.rpartition(".")[2] for name, origin in aliases.items()}
    lines = text.splitlines(keepends=True)
    found = tuple(
        Symbol(name, kind, path, line, source, node, local) for name, kind, line, source, node in _walk(tree, lines, "")
    )
    bases = {node.name: tuple(map(_dotted, node.bases)) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    return Module(path, found, aliases | _plain_aliases(tree), bases)


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            prefix = "." * node.level + (node.module or "")
            yield from ((each.asname or each.name, f"{prefix}.{each.name}") for each in node.names)
        elif isinstance(node, ast.Import):
            yield from ((each.asname, each.name) for each in node.names if each.asname)


def _plain_aliases(tree: ast.Module) -> dict[str, str]:
    pairs = [(n.targets[0], n.value) for n in tree.body if isinstance(n, ast.Assign) and len(n.targets) == 1]
    return {t.id: v.id for t, v in pairs if isinstance(t, ast.Name) and isinstance(v, ast.Name)}


def _dotted(node: ast.expr) -> str:
    return ast.unparse(node)


Found = tuple[str, str, int, str, ast.AST]


def _walk(tree: ast.Module | ast.ClassDef, lines: list[str], prefix: str) -> Iterator[Found]:
    seen: dict[str, int] = {}
    for node in _statements(tree.body):
        for name, kind in _names(node):
            again = seen[name] = seen.get(name, 0) + 1
            # Several definitions of one name (overloads, if/else branches, property setters) stay apart by their count.
            full = prefix + name + (f"#{again}" if again > 1 else "")
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            yield full, kind, first, "".join(lines[first - 1 : node.end_lineno]), node
            if isinstance(node, ast.ClassDef):
                yield from _walk(node, lines, full + ".")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a body, those below if, try and with included: what is defined there is defined."""
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody", "handlers"):
            if isinstance(node, ast.If | ast.Try | ast.With):
                for below in getattr(node, part, []):
                    yield from _statements(below.body if isinstance(below, ast.ExceptHandler) else [below])


def _names(node: ast.stmt) -> list[tuple[str, str]]:
    if isinstance(node, Def):
        return [(node.name, "function")]
    if isinstance(node, ast.ClassDef):
        return [(node.name, "class")]
    if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Name):
        return [(target.id, "constant") for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [(node.target.id, "constant")]
    return []


def normal(node: ast.AST, aliases: dict[str, str], *, quiet: bool = False, types: bool = False) -> tuple[str, ...]:
    """Normal form of a symbol: its head, then each statement. `quiet` drops logging, `types` keeps annotations."""
    form = _Form(aliases, quiet=quiet, types=types)
    if isinstance(node, Def):
        return (form.head(node), *form.inner(node.body))
    if isinstance(node, ast.ClassDef):
        own = [each for each in node.body if not isinstance(each, Def | ast.ClassDef)]
        return (form.bases(node), *form.body(own))
    return (form.dump(node),)


class _Form:
    def __init__(self, aliases: dict[str, str], *, quiet: bool, types: bool) -> None:
        self.aliases = aliases
        self.quiet = quiet
        self.types = types

    def head(self, node: Def) -> str:
        kind = "async" if isinstance(node, ast.AsyncFunctionDef) else "def"
        returns = self.dump(node.returns) if self.types and node.returns else ""
        return f"{kind}({self.dump(node.args)}){returns}[{','.join(map(self.dump, node.decorator_list))}]"

    def bases(self, node: ast.ClassDef) -> str:
        parts = [*node.bases, *node.keywords, *node.decorator_list]
        return f"class({','.join(map(self.dump, parts))})"

    def body(self, body: list[ast.stmt]) -> list[str]:
        kept = [each for each in body if not self.dropped(each)]
        return [self.dump(each) for each in kept]

    def dropped(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return True  # a docstring, or a bare string or `...` that does nothing
        if isinstance(node, ast.Pass | ast.Import | ast.ImportFrom):
            return True
        if isinstance(node, ast.AnnAssign) and node.value is None and not self.types:
            return self.inside
        return self.quiet and observes(node)

    inside = False
    """Inside a function, where an annotation without a value does nothing."""

    def dump(self, node: object) -> str:
        if isinstance(node, ast.AST):
            return self._node(node)
        if isinstance(node, list):
            return f"[{','.join(map(self.dump, node))}]"
        return repr(node)

    def _node(self, node: ast.AST) -> str:
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id, node.id)
        if isinstance(node, Def):
            return f"{node.name}:{self.head(node)}{{{';'.join(self.inner(node.body))}}}"
        if isinstance(node, ast.AnnAssign) and self.inside and not self.types and node.value is not None:
            return f"Assign([{self.dump(node.target)}],{self.dump(node.value)})"
        if isinstance(node, ast.arg):
            return f"{node.arg}:{self.dump(node.annotation)}" if self.types and node.annotation else node.arg
        return f"{type(node).__name__}({','.join(self._fields(node))})"

    def inner(self, body: list[ast.stmt]) -> list[str]:
        was, self.inside = self.inside, True
        try:
            return self.body(body)
        finally:
            self.inside = was

    def _fields(self, node: ast.AST) -> Iterator[str]:
        for name in node._fields:
            value = getattr(node, name, None)
            if name in _FORM_ONLY or value is None:
                continue
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield "{" + ";".join(self.body(value)) + "}"
            else:
                yield self.dump(value)


_FORM_ONLY = frozenset({"ctx", "type_comment", "kind", "type_params"})
_LOGS = ("logger.", "logging.", "log.", "_logger.", "self.logger.", "warnings.warn")
_COUNTS = ("stats", "metric", "record_", "prometheus", "observe(", "labels(")


def observes(node: ast.stmt) -> bool:
    """A statement that only logs or counts: a bare call of a logger or of a metric."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    callee = ast.unparse(node.value.func)
    return callee.startswith(_LOGS) or any(word in callee for word in _COUNTS)


def _digest(steps: tuple[str, ...]) -> str:
    return hashlib.blake2b("\n".join(steps).encode(), digest_size=10).hexdigest()
