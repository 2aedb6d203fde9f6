"""Facts in the text of one Python module: what it reads, registers and declares."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from kb.scan.facts import NONE, REQUIRED, UNKNOWN, Fact, What
from kb.scan.grafting import Parsed
from kb.scan.normal import nodes
from kb.scan.relevant import matters, relevant
from kb.scan.symbols import parsed

_VERSIONS = ("VERSION", "PROTOCOL", "WIRE", "MAGIC")
_WORDS = ("environ", "getenv", "envs.", "extra_config", "add_argument", "get_extra")
_SHAPES = (
    ("register_", re.compile(r"\bregister_\w+\(\s*[\"']")),
    ("class ", re.compile(r"\n[ \t]*class \w*(?:Config|Args|Options|Settings)\b")),
    ("Env", re.compile(r"= *_?Env[A-Z]\w*\(")),
    *((word, re.compile(rf"\n[ \t]*\w*{word}\w*[ \t]*[:=]")) for word in _VERSIONS),
)


def speaks(text: str) -> bool:
    """Whether a module may state a fact that is looked for; most do not and need not be parsed."""
    text = f"\n{text}"
    return any(word in text for word in _WORDS) or any(word in text and shape.search(text) for word, shape in _SHAPES)


CONFIG = re.compile(r"(Config|Args|Options|Settings)$")
WIRE = re.compile(r"^(?!__)_?(?:[A-Z0-9]+_)*(?:VERSION|PROTOCOL|WIRE|MAGIC)(?:_[A-Z0-9]+)*$")
_GETTER = re.compile(r"get\w*extra_config|extra_config\w*get|get_extra\w*config")
ENV_NAME = re.compile(r"^[A-Z][A-Z0-9_]*$")
TABLE = re.compile(r"env", re.IGNORECASE)

Constants = Mapping[str, ast.expr]


@dataclass(frozen=True)
class Read:
    """A fact whose value is still an expression."""

    what: What
    name: ast.expr | str
    value: ast.expr | str
    line: int
    path: str = ""


@dataclass
class Reading:
    """Everything of interest in one module."""

    reads: list[Read] = field(default_factory=list)
    constants: dict[str, ast.expr] = field(default_factory=dict)
    """Module and class constants with a literal value, as far as reads and the table speak of them."""
    table: dict[str, ast.expr | str] = field(default_factory=dict)
    """Environment variable -> default, where the module lists variables for others."""
    loops: dict[str, list[str]] = field(default_factory=dict)
    """Loop variable -> the texts it goes through."""


@lru_cache(maxsize=4096)
def constants(text: str) -> Constants:
    """Constants of a module with a literal value."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    return {name: value for name, value in map(_assigned, body) if name and value is not None and _literal(value)}


@lru_cache(maxsize=8192)
def read(text: str) -> Reading:
    """What one module states; nothing for text that is no Python or has none of the words looked for."""
    if not speaks(text):
        return Reading()
    try:
        return read_in(Parsed(parsed(text)), text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Reading()


def read_in(found: Parsed, text: str) -> Reading:
    """What a module states that was parsed already. Raises RecursionError."""
    if not speaks(text):
        return Reading()
    words: frozenset[str] = frozenset()
    while True:
        if words and found.grafted:  # one of them may stand in a function whose lines are not known here
            found = Parsed(parsed(text))
        reader = _Reader(relevant(found.tree, text, words), found.tree)
        if reader.words <= words:
            return reader.reading
        words |= reader.words


class _Reader:
    def __init__(self, every: list[ast.AST], tree: ast.Module) -> None:
        self.reading = Reading()
        self.extra = _extra_names(every)
        self.assigned: list[tuple[str, ast.expr]] = []
        self._body(tree)
        for owner in (node for node in every if isinstance(node, ast.ClassDef)):
            self._body(owner)
        for node in every:
            if look := _LOOK.get(type(node)):
                look(self, node)
        spoken = self._spoken()
        for name, value in self.assigned:
            if name in spoken and name not in self.reading.constants and _literal(value):
                self.reading.constants[name] = value

    @property
    def words(self) -> frozenset[str]:
        """Names by which lines without any of the words looked for can matter."""
        variables = (each.name.id for each in self.reading.reads if isinstance(each.name, ast.Name))
        return frozenset(name for name in self.extra.union(variables) if not matters(name))

    def _spoken(self) -> set[str]:
        """Names in what was read: a module's other constants, often long lists, tell nothing."""
        said = [part for each in self.reading.reads for part in (each.name, each.value)]
        return {
            last_name(node)
            for each in (*said, *self.reading.table.values())
            if isinstance(each, ast.expr)
            for node in nodes(each)
        }

    def add(self, what: What, name: ast.expr | str, value: ast.expr | str, node: ast.expr | ast.stmt) -> None:
        self.reading.reads.append(Read(what, name, value, node.lineno))

    def _body(self, owner: ast.Module | ast.ClassDef) -> None:
        """Constants of a module or class, and the fields of a configuration class."""
        config = isinstance(owner, ast.ClassDef) and CONFIG.search(owner.name)
        for node in owner.body:
            name, value = _assigned(node)
            if name and value is not None:
                self.assigned.append((name, value))
                if WIRE.match(name) and isinstance(value, ast.Constant):
                    self.add(What.CONSTANT, name, value, node)
            if name and isinstance(owner, ast.ClassDef) and isinstance(node, ast.AnnAssign) and config:
                self._field(owner.name, name, node)
            if name and isinstance(owner, ast.ClassDef) and isinstance(value, ast.Call) and _is_env_class(value):
                self.reading.table[name] = value.args[0] if value.args else NONE

    def _field(self, owner: str, name: str, node: ast.AnnAssign) -> None:
        if not name.startswith("_") and "ClassVar" not in ast.unparse(node.annotation):
            self.add(What.FIELD, f"{owner}.{name}", _field_default(node.value), node)

    def call(self, node: ast.Call) -> None:
        called = last_name(node.func)
        if called == "add_argument":
            self._argument(node)
        elif called.startswith("register_"):
            words = [_text(each) for each in node.args]
            if len(words) > 1 and all(words):
                self.add(What.REGISTERED, words[0], ":".join(words[1:]), node)
        elif node.args and (what := self._read_by(node, called)):
            self.add(what, node.args[0], _second(node), node)

    def _read_by(self, node: ast.Call, called: str) -> What | None:
        """What a call reads, if it reads anything by name."""
        if called == "getenv":
            return What.ENV
        if called in {"get", "setdefault", "pop"} and isinstance(node.func, ast.Attribute):
            on = node.func.value
            return What.ENV if _is_environ(on) else What.OPTION if self._is_extra(on) else None
        return What.OPTION if _GETTER.search(called) and _text(node.args[0]) else None

    def _argument(self, node: ast.Call) -> None:
        flags = [text for each in node.args if (text := _text(each)).startswith("-")]
        said = {each.arg: each.value for each in node.keywords}
        if flags:
            name = next((each for each in flags if each.startswith("--")), flags[0])
            self.add(What.ARGUMENT, name, _argument_default(said, None in said), node)

    def subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice):
            if _is_environ(node.value):
                self.add(What.ENV, node.slice, REQUIRED, node)
            elif self._is_extra(node.value) and _text(node.slice):
                self.add(What.OPTION, node.slice, REQUIRED, node)

    def compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
            if _is_environ(node.comparators[0]):
                self.add(What.ENV, node.left, NONE, node)
            elif self._is_extra(node.comparators[0]) and _text(node.left):
                self.add(What.OPTION, node.left, NONE, node)

    def attribute(self, node: ast.Attribute) -> None:
        if ENV_NAME.match(node.attr) and last_name(node.value) == "envs":
            self.add(What.ENV, node.attr, "", node)

    def loop(self, node: ast.For | ast.comprehension) -> None:
        if isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Tuple | ast.List | ast.Set):
            self.reading.loops.setdefault(node.target.id, []).extend(filter(None, map(_text, node.iter.elts)))

    def assign(self, node: ast.Assign | ast.AnnAssign) -> None:
        name, value = _assigned(node)
        if isinstance(value, ast.Dict) and name and TABLE.search(name):
            for key, default in zip(value.keys, value.values, strict=True):
                if key is not None and ENV_NAME.match(_text(key)):
                    self.reading.table[_text(key)] = _table_default(_text(key), default)

    def _is_extra(self, node: ast.expr) -> bool:
        return _is_extra(node, self.extra)


_LOOK: dict[type[ast.AST], Callable[..., None]] = {
    ast.Call: _Reader.call,
    ast.Subscript: _Reader.subscript,
    ast.Compare: _Reader.compare,
    ast.Attribute: _Reader.attribute,
    ast.For: _Reader.loop,
    ast.comprehension: _Reader.loop,
    ast.Assign: _Reader.assign,
    ast.AnnAssign: _Reader.assign,
}


def _extra_names(nodes: list[ast.AST]) -> frozenset[str]:
    """Names and attributes that hold a connector's free-form configuration under another name."""
    found: frozenset[str] = frozenset()
    for node in nodes:
        value = getattr(node, "value", None)
        if (
            isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr)
            and value is not None
            and _is_extra(value, found)
        ):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {name for each in targets if (name := last_name(each))}
    return found


def _is_extra(node: ast.expr, known: frozenset[str]) -> bool:
    if isinstance(node, ast.BoolOp):
        return any(_is_extra(each, known) for each in node.values)
    if isinstance(node, ast.IfExp):
        return _is_extra(node.body, known) or _is_extra(node.orelse, known)
    if isinstance(node, ast.Call):
        copies = last_name(node.func) in {"dict", "copy", "deepcopy"}
        return copies and any(_is_extra(each, known) for each in (*node.args, *_receiver(node.func)))
    name = last_name(node)
    return name.endswith("extra_config") or name in known


def _receiver(node: ast.expr) -> list[ast.expr]:
    return [node.value] if isinstance(node, ast.Attribute) else []


def _is_environ(node: ast.expr) -> bool:
    return last_name(node) == "environ"


def _is_env_class(call: ast.Call) -> bool:
    return bool(re.match(r"_?Env[A-Z]", last_name(call.func)))


def last_name(node: ast.AST) -> str:
    """Last name of a dotted one."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _second(call: ast.Call) -> ast.expr | str:
    said = {each.arg: each.value for each in call.keywords}
    return call.args[1] if len(call.args) > 1 else said.get("default", NONE)


def _assigned(node: ast.AST) -> tuple[str, ast.expr | None]:
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, node.value
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id, node.value
    return "", None


def _literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return isinstance(node, ast.BinOp) and _literal(node.left) and _literal(node.right)
    return True


def _field_default(value: ast.expr | None) -> ast.expr | str:
    if not isinstance(value, ast.Call) or last_name(value.func) not in {"field", "Field", "attrib", "ib"}:
        return REQUIRED if value is None else value
    said = {each.arg: each.value for each in value.keywords}
    if made := said.get("default_factory", said.get("factory")):
        return {"list": "[]", "dict": "{}", "tuple": "[]", "set": "[]"}.get(last_name(made), f"{ast.unparse(made)}()")
    default = said.get("default", value.args[0] if value.args else None)
    return REQUIRED if default is None or ast.unparse(default) == "..." else default


def _argument_default(said: Mapping[str | None, ast.expr], more: bool) -> ast.expr | str:
    if "default" in said:
        return said["default"]
    if more:
        return UNKNOWN  # **options: stated elsewhere
    action = _text(said["action"]) if "action" in said else ""
    if action in {"store_true", "store_false"}:
        return "false" if action == "store_true" else "true"
    return REQUIRED if "required" in said and ast.unparse(said["required"]) == "True" else NONE


def _table_default(name: str, node: ast.expr) -> ast.expr | str:
    """Default of a variable in a table of what reads it: the one given where its own name is read."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and each.args and _text(each.args[0]) == name:
            return _second(each)
        if isinstance(each, ast.Subscript) and _text(each.slice) == name:
            return REQUIRED
    return UNKNOWN


def spell(value: ast.expr | str, constants: Constants, depth: int = 0) -> str:
    """A default as records spell it; what no literal states stays an expression."""
    if isinstance(value, str):
        return value
    if isinstance(value, ast.Name) and value.id in constants and depth < 4:
        return spell(constants[value.id], constants, depth + 1)
    if isinstance(value, ast.List | ast.Tuple | ast.Set):
        return f"[{', '.join(spell(each, constants, depth) for each in value.elts)}]"
    if isinstance(value, ast.Constant):
        return _constant(value.value)
    return re.sub(r"\s+", " ", ast.unparse(value))


def _constant(value: object) -> str:
    if isinstance(value, str):
        return value or '""'
    return NONE if value is None else str(value).lower() if isinstance(value, bool) else repr(value)


def resolved(
    reading: Reading, path: str, constants: Constants, table: Callable[[str], ast.expr | str | None]
) -> Iterator[Fact]:
    """Facts of one module, with names and defaults looked up in constants and in the table of variables."""
    known = {**constants, **reading.constants}
    for each in reading.reads:
        for name in _names(each.name, known, reading):
            value = each.value
            if each.what is What.ENV and value == "":
                listed = table(name)
                value = UNKNOWN if listed is None else listed
            yield Fact(each.what, name, spell(value, known), path, each.line)


def _names(node: ast.expr | str, constants: Constants, reading: Reading) -> Iterable[str]:
    """What a read is of: a text, or a constant or loop variable that stands for texts; nothing when it is computed."""
    if isinstance(node, str):
        return [node]
    if text := _text(node):
        return [text]
    name = last_name(node)
    if name in constants and (text := _text(constants[name])):
        return [text]
    return reading.loops.get(name, []) if isinstance(node, ast.Name) else []
