"""Conditions around the code that differs, as suggestions for when it is reached.

A guard is said only when all that differs in a symbol stands below it. What a condition of the code means in a setup's
words is known for a few; others that speak of platform, topology or switches are given as written, for a person.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kb.scan.hunks import Compared
from kb.scan.match import Match
from kb.scan.normal import Def, blocks
from kb.scan.seen import Condition
from kb.scan.symbols import FUNCTION, Symbol
from kb.scan.texts import lines


@dataclass(frozen=True)
class Guard:
    """A condition of the code, whether it must hold, and what that means in a setup's words if we know."""

    code: str
    holds: bool = True
    key: str | None = None
    op: str | None = None
    value: str | None = None

    def __str__(self) -> str:
        return self.code if self.holds else f"not ({self.code})"

    def as_dict(self) -> dict[str, Any]:
        return {"code": self.code, "holds": self.holds, "key": self.key, "op": self.op, "value": self.value}


Options = dict[str, str]
"""Attribute or variable -> the option it was read from."""


def around(old: Symbol, new: Symbol, found: Compared) -> frozenset[Condition]:
    """Conditions that all of a difference between two functions stands below, as written."""
    if new.kind != FUNCTION:
        return frozenset()
    sides = ((old, found.gone), (new, found.come))
    return frozenset(_common(each for symbol, lines in sides for each in _around(symbol, lines)))


def guards(match: Match, options: Options, conditions: Iterable[Condition]) -> tuple[Guard, ...]:
    """What the conditions mean that all of a difference stands below."""
    found: list[Guard] = []
    if match.old and match.new:
        meant = [_meant(code, holds, options) for code, holds in sorted(conditions)]
        found += [each for each in meant if each.key or _WORTH.search(each.code)]
    elif match.symbol.kind == FUNCTION:
        found += _platform_decorators(match.symbol)
    return (*_mode(match.symbol), *found)


def _common(around: Iterable[Iterable[Test]]) -> set[Condition]:
    """Conditions that stand around every line, as written."""
    common: set[Condition] | None = None
    known: dict[ast.expr, str] = {}
    for tests in around:
        here = {(_written(test, known), holds) for test, holds in tests}
        common = here if common is None else common & here
        if not common:
            return set()  # no later line brings one back
    return common or set()


def _written(test: ast.expr, known: dict[ast.expr, str]) -> str:
    """A test stands around many lines, and is written once."""
    if test not in known:
        known[test] = ast.unparse(test)
    return known[test]


def _around(symbol: Symbol, changed: Iterable[int]) -> Iterator[Iterator[Test]]:
    """Of every changed line that does anything: the conditions around it."""
    node, texts = symbol.node, lines(symbol.text)
    there = {each + symbol.line for each in changed}
    for each in changed:
        text = texts[each].strip()
        if text and not text.startswith("#"):
            yield _below(node.body, each + symbol.line, there) if isinstance(node, Def) else iter(())


Test = tuple[ast.expr, bool]
"""A condition and whether it must hold."""


def _below(body: list[ast.stmt], line: int, changed: Container[int]) -> Iterator[Test]:
    """Conditions on the way to a line of a file: those around it, and those that leave before it.

    A condition that came or went whole, with all that is below it, stands around itself.
    """
    for node in body:
        if (node.end_lineno or node.lineno) < line:
            if isinstance(node, ast.If) and not node.orelse and _leaves(node.body):
                yield from _parts(node.test, False)
            continue
        if node.lineno > line:
            return
        if isinstance(node, ast.If) and line < node.body[0].lineno and _whole(node, changed):
            yield from _parts(node.test, True)
        for mark, inner in _inner(node):
            if inner and inner[0].lineno <= line <= (inner[-1].end_lineno or 0):
                if isinstance(node, ast.If):
                    yield from _parts(node.test, mark == "")
                yield from _below(inner, line, changed)
        return


def _whole(node: ast.If, changed: Container[int]) -> bool:
    last = node.end_lineno or node.lineno
    return not node.orelse and all(line in changed for line in range(node.lineno, last + 1))


def _inner(node: ast.stmt) -> Iterable[tuple[object, list[ast.stmt]]]:
    return [("", node.body)] if isinstance(node, Def) else blocks(node)


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def _parts(test: ast.expr, holds: bool) -> Iterator[Test]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _parts(test.operand, not holds)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == holds:
        for each in test.values:
            yield from _parts(each, holds)
    else:
        yield test, holds


_MEANINGS: tuple[tuple[str, str, str], ...] = (
    (r"(use|is)_(deepseek_)?mla$", "kv_form", "mla"),
    (r"(has_mamba|is_hybrid|is_mamba|mamba_enabled)$", "family", "hybrid-ssm"),
)
_WORTH = re.compile(
    r"platform|is_(cuda|rocm|tpu|xpu|cpu)|tp_size|pp_size|tp_ratio|world_size|block_size_ratio|use_|enable|backend|device|"
    r"layout|cross_layer|is_(producer|kv_producer|consumer)|kv_role|spec_config|speculative|mamba|hma"
)
_READ = re.compile(r"""(?:get_from_extra_config|extra_config\.get)\(\s*['"]([\w.\-]+)['"]""")
_MAY_READ = re.compile(r"get_from_extra_config|extra_config\s*\.\s*get\b")
_ENV = re.compile(r"(?:\benvs\.|environ(?:\.get\(|\[)['\"]|getenv\(['\"])([A-Z][A-Z0-9_]+)")
_DEVICE = re.compile(r"(?:kv_buffer_device|buffer_device) == '(\w+)'$")


def _meant(code: str, holds: bool, options: Options) -> Guard:
    is_, name = ("is" if holds else "is-not"), re.split(r"\W", code.removesuffix("()"))[-1]
    for pattern, key, value in _MEANINGS:
        if re.search(pattern, code.removesuffix("()")):
            return Guard(code, holds, key, is_, value)
    if found := _DEVICE.search(code):
        return Guard(code, holds, "options.kv_buffer_device", is_, found[1])
    if found := _ENV.search(code):
        return Guard(code, holds, f"env.{found[1]}", "set" if holds else "not-set")
    option = found[1] if (found := _READ.search(code)) else options.get(name) if re.fullmatch(r"[\w.]+", code) else None
    if option:
        return Guard(code, holds, f"options.{option}", "is", "true" if holds else "false")
    return Guard(code, holds)


def _mode(symbol: Symbol) -> Iterator[Guard]:
    """Code of classes or files that are named for one direction."""
    for mode in ("pull", "push"):
        if re.search(rf"(?i:{mode})(?![a-z])", symbol.owner or symbol.plain) or f"/{mode}_" in symbol.path:
            yield Guard(f"in {symbol.owner or symbol.path}", True, "connector.mode", "is", mode)
            return


def _platform_decorators(symbol: Symbol) -> list[Guard]:
    if "platform" not in symbol.text or not symbol.text.lstrip().startswith("@"):
        return []
    decorators = getattr(symbol.node, "decorator_list", [])
    return [Guard(text) for each in decorators if "platform" in (text := ast.unparse(each))]


def tells_options(symbol: Symbol) -> bool:
    """Whether a function may read an option into an attribute or variable."""
    return symbol.kind == FUNCTION and "extra_config" in symbol.text and bool(_MAY_READ.search(symbol.text))


def options_read(symbols: Iterable[Symbol]) -> Options:
    """Attributes and variables that hold the value of an option, over all of a component's functions."""
    return {
        name: option
        for symbol in symbols
        if tells_options(symbol)
        for node in ast.walk(symbol.node)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value
        for option in _READ.findall(ast.unparse(node.value))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in [ast.unparse(target).rpartition(".")[2]]
    }
