"""Functions, methods, class bodies, constants and other top-level statements of Python text, each with a digest."""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from kb.scan.grafting import Parsed, grafted
from kb.scan.normal import Def, Form, Leaf, blocks, defined, field_names, is_typing_block
from kb.scan.seen import Alone, Look
from kb.scan.texts import whole_lines

FUNCTION, CLASS, CONSTANT, STATEMENT = "function", "class", "constant", "statement"
_CALLED = re.compile(r"\b(\w++)\(")


@dataclass(eq=False, slots=True)
class Code:
    """The syntax tree of one symbol; let go where it is not likely to be needed, and made anew when it is."""

    file: str
    """Text of the file."""
    number: int
    """Which of the file's symbols it is."""
    kept: ast.stmt | None
    beside: tuple[Code, Look] | None = None
    """Code of the other release that it was looked at beside, and what was seen."""
    alone: Alone | None = None

    @property
    def node(self) -> ast.stmt:
        return self.kept or _nodes(self.file)[self.number]

    def let_go(self) -> None:
        """Trees are ten times the size of their text, and most of two releases is the same."""
        self.kept = None


@lru_cache(maxsize=8)
def parsed(text: str) -> ast.Module:
    """The syntax tree of a file; those who look at the same file in turn share it."""
    return ast.parse(text)


@lru_cache(maxsize=8)
def _nodes(text: str) -> list[ast.stmt]:
    return [node for _, _, node in _walk(parsed(text).body, "")]


@lru_cache(maxsize=64)
def _function(text: str, line: int, name: str) -> Def | None:
    """The tree of one function, with the lines of its file; None where its text is not all there is to it."""
    above = "\n" * (line - 2) + "if 1:\n" if line > 1 and text[:1].isspace() else "\n" * (line - 1)
    try:
        body = ast.parse(above + text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    inside = body[0].body if body and isinstance(body[0], ast.If) else body
    found = inside[0] if len(inside) == 1 else None
    return found if isinstance(found, Def) and found.name == name else None


@dataclass(frozen=True, eq=False)
class Symbol:
    """One named piece of a module. `name` is qualified within the module, e.g. `Worker.start_load_kv`."""

    name: str
    kind: str
    """function, class (bases, decorators, field names; methods and values stand alone), constant or statement."""
    path: str
    line: int
    text: str
    """Source, decorators included; of a class without its methods."""
    code: Code = field(repr=False)
    aliases: dict[str, str] = field(repr=False)
    """Local name of an imported thing -> its name where it comes from, where they differ."""

    @property
    def node(self) -> ast.stmt:
        """Its syntax tree; a function is parsed alone where the tree of its file was let go."""
        if self.code.kept is None and self.kind == FUNCTION and (node := _function(self.text, self.line, self.last)):
            return node
        return self.code.node

    @cached_property
    def plain(self) -> str:
        """Name without the count that tells several definitions of it apart."""
        return re.sub(r"#\d+", "", self.name) if "#" in self.name else self.name

    @property
    def last(self) -> str:
        """Name without its class."""
        return self.plain.rpartition(".")[2]

    @property
    def owner(self) -> str:
        """Its class, or nothing."""
        return self.plain.rpartition(".")[0] if self.kind != STATEMENT else ""

    def leaves(self, form: Form) -> list[Leaf]:
        """Its statements in a normal form; its text where it is nested too deep to be walked."""
        try:
            return list(self.walk(form))
        except RecursionError:
            return [Leaf(0, self.text)]

    def walk(self, form: Form) -> Iterator[Leaf]:
        """Its statements in a normal form, one after the other: who compares may stop. Raises RecursionError."""
        node = self.node
        if isinstance(node, Def):
            return form.function(node)
        if isinstance(node, ast.ClassDef):
            return form.owner(node)
        form.inside = self.kind == CONSTANT and not self.owner
        return form.outside(node)

    @cached_property
    def normal(self) -> list[tuple[int, str]]:
        """Depth and text of its statements; without their nodes, which would keep the whole tree."""
        return [each.key for each in self.leaves(Form(self.aliases))]

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """Head and statements in normal form, wherever they are nested; similarity is counted over them."""
        return tuple(text for _, text in self.normal)

    @cached_property
    def calls(self) -> frozenset[str]:
        """Names that stand before a parenthesis in its text."""
        return frozenset(_CALLED.findall(self.text))

    @cached_property
    def bag(self) -> Counter[str]:
        """Its statements without the head, counted."""
        return Counter(self.steps[1:])

    @cached_property
    def digest(self) -> str:
        """Digest of what it does: equal when only form differs."""
        return digest(self.normal)


def digest(normal: list[tuple[int, str]]) -> str:
    """Digest of statements in normal form."""
    text = "\n".join(f"{depth} {text}" for depth, text in normal)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=10).hexdigest()


@dataclass(frozen=True)
class Module:
    """What one file defines."""

    path: str
    symbols: tuple[Symbol, ...]
    exports: dict[str, str]
    """Name -> the last part of what it stands for, for names that are only passed on (imports, plain aliases)."""
    origins: dict[str, str]
    """Imported name -> the module it comes from, as written."""
    bases: dict[str, tuple[str, ...]]
    """Class -> names of its bases, without their modules."""
    broken: str | None = None
    """Why it could not be parsed; such a file is compared by lines."""


def module(path: str, text: str) -> Module:
    """The symbols of one file."""
    return taken_apart(path, text)[0]


def taken_apart(path: str, text: str, known: Mapping[str, Def] | None = None) -> tuple[Module, Parsed | None]:
    """The symbols of one file and its tree, if it has one; functions known of another release are not parsed again."""
    try:
        found = grafted(text, known or {}) or Parsed(parsed(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        # The parser says a MemoryError, without a word, of code that is nested beyond its stack.
        return Module(path, (), {}, {}, {}, broken=str(error) or "nested too deep"), None
    try:
        return _module(path, text, found), found
    except RecursionError:
        return Module(path, (), {}, {}, {}, broken="nested too deep"), None


def _module(path: str, text: str, found: Parsed) -> Module:
    walked, lines = list(_walk(found.tree.body, "")), whole_lines(text)
    texts = {id(node): _source(node, lines) for _, _, node in walked} | dict(found.grafted)
    silent = {key for key, each in texts.items() if "import" not in each and "class" not in each}
    everything = list(_everything(found.tree.body, silent))
    exports = dict(_imports(everything))
    local = {name: origin for name, origin in exports.items() if name != origin}
    symbols = tuple(
        Symbol(name, kind, path, _first_line(node), texts[id(node)], Code(text, number, kept), local)
        for number, (name, kind, node) in enumerate(walked)
        for kept in (None if id(node) in found.grafted else node,)
    )
    classes = [each for each in everything if isinstance(each, ast.ClassDef)]
    bases = {each.name: tuple(_last_part(base) for base in each.bases) for each in classes}
    return Module(path, symbols, exports | _plain_aliases(found.tree), dict(_origins(everything)), bases)


def _everything(body: list[ast.stmt], silent: Container[int] = ()) -> Iterator[ast.stmt]:
    """Every statement of a module, however deep, but for what is inside of those that have nothing to say here."""
    for node in body:
        yield node
        if id(node) in silent:
            continue
        if isinstance(node, Def | ast.ClassDef):
            yield from _everything(node.body, silent)
        else:
            for _, below in blocks(node):
                yield from _everything(below, silent)


def _imports(everything: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for node in everything:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for each in node.names:
                if each.asname or isinstance(node, ast.ImportFrom):
                    yield each.asname or each.name, each.name.rpartition(".")[2]


def _origins(everything: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for node in everything:
        if isinstance(node, ast.ImportFrom):
            yield from ((each.asname or each.name, "." * node.level + (node.module or "")) for each in node.names)


def _plain_aliases(tree: ast.Module) -> dict[str, str]:
    pairs = [(name, each.value) for each in tree.body if isinstance(each, ast.Assign) for name in field_names(each)]
    return {name: value.id for name, value in pairs if isinstance(value, ast.Name)}


def _last_part(base: ast.expr) -> str:
    return ast.unparse(base.value if isinstance(base, ast.Subscript) else base).rpartition(".")[2]


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, Def | ast.ClassDef) else []
    return min([node.lineno, *(each.lineno for each in decorators)])


def _source(node: ast.stmt, lines: list[str]) -> str:
    first = _first_line(node)
    last = node.end_lineno or first
    if not isinstance(node, ast.ClassDef):
        return "".join(lines[first - 1 : last])
    methods = [each for each in node.body if isinstance(each, Def | ast.ClassDef)]
    inside = {n for each in methods for n in range(_first_line(each), (each.end_lineno or 0) + 1)}
    return "".join(lines[n - 1] for n in range(first, last + 1) if n not in inside).rstrip() + "\n"


Found = tuple[str, str, ast.stmt]


def _walk(body: list[ast.stmt], prefix: str) -> Iterator[Found]:
    seen: dict[str, int] = {}
    for node, top in _statements(body):
        names = [(name, CONSTANT) for name in field_names(node) if name != "__all__"]
        names += [(name, CLASS if isinstance(node, ast.ClassDef) else FUNCTION) for name in defined(node)]
        if top and not prefix and not field_names(node) and not defined(node) and (title := _title(node)):
            names = [(title, STATEMENT)]
        for name, kind in names:
            again = seen[name] = seen.get(name, 0) + 1
            # Several definitions of one name (overloads, if/else branches, property setters) stay apart by their count.
            full = prefix + name + (f"#{again}" if again > 1 else "")
            yield full, kind, node
            if isinstance(node, ast.ClassDef):
                yield from _walk(node.body, full + ".")


def _statements(body: list[ast.stmt], top: bool = True) -> Iterator[tuple[ast.stmt, bool]]:
    """Statements of a body and whether they stand at its top; what is defined below if, try and with is defined."""
    for node in body:
        if is_typing_block(node):
            continue
        yield node, top
        for _, below in blocks(node) if isinstance(node, ast.If | ast.Try | ast.With) else ():
            yield from _statements(below, top=False)


def _title(node: ast.stmt) -> str:
    """What a nameless statement is called: the beginning of its first line; nothing for what does nothing."""
    if next(Form().outside(node), None) is None:
        return ""
    first = ast.unparse(_head(node)).split("\n")[0]
    if isinstance(node, ast.Try):
        first = f"try: {ast.unparse(_head(node.body[0])).split(chr(10))[0]}"
    if "__all__" in first[:8]:
        return ""
    return f"<{first if len(first) <= 60 else first[:59] + '…'}>"


def _head(node: ast.stmt) -> ast.stmt:
    """A statement without what is below it, which its first line does not show."""
    if not isinstance(node, ast.If | ast.For | ast.AsyncFor | ast.While | ast.With | ast.AsyncWith):
        return node
    head = copy(node)
    head.body = [ast.Pass()]
    if not isinstance(head, ast.With | ast.AsyncWith):
        head.orelse = []
    return head
