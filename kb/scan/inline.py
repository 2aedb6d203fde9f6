"""Putting a helper's body where it is called, and numbering local names: what tells a refactoring from a change."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from kb.scan.alike import equal
from kb.scan.normal import MARK, Def, Form, Leaf, bare_call, called, nodes
from kb.scan.symbols import Symbol

DEEPEST = 3
"""Calls that are followed into calls."""

Helpers = Mapping[str, Symbol]
"""Functions by last name that stand on one side only."""


@dataclass
class Inlined:
    """A symbol with helpers' bodies in place of their calls, and local names numbered in order of appearance."""

    symbol: Symbol
    helpers: Helpers
    members: Mapping[str, str]
    quiet: bool = False
    used: set[str] = field(default_factory=set)
    """Helpers that were put in, as far as it was walked."""

    def lines(self) -> Iterator[tuple[int, str]]:
        """Its statements. Raises RecursionError."""
        form = _form(self.symbol, self.members, self.quiet)
        return _numbered(_expanded(self.symbol.walk(form), self.helpers, form, DEEPEST, self.used))

    def equals(self, other: Inlined) -> bool:
        """Whether both do the same; the walk ends at the first difference."""
        try:
            return equal(self.lines(), other.lines())
        except RecursionError:
            return self.symbol.text == other.symbol.text


def _form(symbol: Symbol, members: Mapping[str, str], quiet: bool, names: Mapping[str, str] | None = None) -> Form:
    known = {**members, **symbol.aliases, **(names or {})}
    return Form(known, members, quiet=quiet, marked=local_names(symbol.node) - set(names or ()))


_OF_OTHERS = (ast.Global, ast.Nonlocal)


@lru_cache(maxsize=256)
def local_names(node: ast.AST) -> frozenset[str]:
    """Names that a function gives a value itself; its parameters are how it is called, and stay."""
    if not isinstance(node, Def):
        return frozenset()
    stored: set[str] = set()
    kept: set[str] = set()
    for each in nodes(node):
        if isinstance(each, ast.Name):
            if not isinstance(each.ctx, ast.Load):
                stored.add(each.id)
        elif isinstance(each, ast.ExceptHandler):
            stored.add(each.name or "")
        elif isinstance(each, _OF_OTHERS):
            kept.update(each.names)
        elif isinstance(each, ast.arg):
            kept.add(each.arg)
    return frozenset(stored - kept)


def _numbered(leaves: Iterable[Leaf]) -> Iterator[tuple[int, str]]:
    numbers: dict[str, str] = {}

    def number(found: re.Match[str]) -> str:
        return numbers.setdefault(found[1], f"{MARK}{len(numbers)}")

    return ((each.depth, _MARKED.sub(number, each.text) if MARK in each.text else each.text) for each in leaves)


_MARKED = re.compile(f"{MARK}(\\w+){MARK}")


def _expanded(leaves: Iterable[Leaf], helpers: Helpers, form: Form, depth: int, used: set[str]) -> Iterator[Leaf]:
    for leaf in leaves:
        body = _body(leaf, helpers, form) if depth else None
        if body is None:
            yield leaf
        else:
            if (call := bare_call(leaf.node)) is not None:
                used.add(called(call))
            yield from _expanded(body, helpers, form, depth - 1, used)


def _body(leaf: Leaf, helpers: Helpers, form: Form) -> list[Leaf] | None:
    """What stands there when the call of a helper is replaced by its body; None where it cannot be."""
    call = bare_call(leaf.node)
    helper = helpers.get(called(call)) if call else None
    if call is None or helper is None or not isinstance(helper.node, Def):
        return None
    given = _arguments(call, helper.node, form)
    if given is None:
        return None
    inner = _form(helper, form.members, form.quiet, given)
    body = [Leaf(each.depth + leaf.depth - 1, each.text, each.node) for each in helper.leaves(inner)[1:]]
    return _returning(leaf, body, inner, form)


def _arguments(call: ast.Call, function: Def, form: Form) -> dict[str, str] | None:
    """Parameter -> what is passed for it, in normal form."""
    spec = function.args
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)]
    if isinstance(call.func, ast.Attribute) and names[:1] in (["self"], ["cls"]):
        names = names[1:]
    starred = any(isinstance(each, ast.Starred) for each in call.args) or any(not each.arg for each in call.keywords)
    if spec.vararg or spec.kwarg or starred or len(call.args) > len(names):
        return None
    given = dict(zip(names, map(form.dump, call.args), strict=False))
    given |= {each.arg: form.dump(each.value) for each in call.keywords if each.arg}
    optional = dict(zip(reversed(names), map(form.dump, reversed(spec.defaults)), strict=False))
    wanted = {*names, *(each.arg for each in spec.kwonlyargs)}
    return {**optional, **given} if wanted <= {*optional, *given} else None


def _returning(leaf: Leaf, body: list[Leaf], inner: Form, form: Form) -> list[Leaf] | None:
    """The body with its return turned into what the caller does with the value."""
    returns = [each for each in body if isinstance(each.node, ast.Return)]
    if isinstance(leaf.node, ast.Return):
        return body
    if not returns:
        return body if isinstance(leaf.node, ast.Expr) else None
    last = body[-1]
    if len(returns) > 1 or returns[0] is not last or last.depth != leaf.depth or not isinstance(last.node, ast.Return):
        return None
    if isinstance(leaf.node, ast.Expr) or last.node.value is None:
        return body[:-1] if isinstance(leaf.node, ast.Expr) and last.node.value is None else None
    assert isinstance(leaf.node, ast.Assign)
    text = f"Assign({form.dump(leaf.node.targets)},{inner.dump(last.node.value)})"
    return body[:-1] if _to_itself(leaf.node, last.node) else [*body[:-1], Leaf(leaf.depth, text, None)]


def _to_itself(assign: ast.Assign, returned: ast.Return) -> bool:
    """`x = helper()` where the helper ends in `return x`."""
    return returned.value is not None and [ast.unparse(each) for each in assign.targets] == [
        ast.unparse(returned.value)
    ]
