"""Requirement pins wherever a release declares them: requirement files, pyproject.toml, setup.py, package metadata.

Formats: https://pip.pypa.io/en/stable/reference/requirements-file-format/ and
https://packaging.python.org/specifications/core-metadata/
"""

from __future__ import annotations

import ast
import posixpath
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from email.parser import HeaderParser
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from kb.scan.facts import Fact, What
from kb.scan.poetry import poetry, setup_cfg
from kb.scan.texts import lines
from kb.scan.tree import Tree

_FILE = re.compile(r"(^|/)([\w.-]*requirements[\w.-]*\.(txt|in)|requirements/(.*/)?[\w.-]+\.(txt|in))$")
_METADATA = re.compile(r"^(PKG-INFO|[^/]+\.dist-info/METADATA)$")
_INCLUDE = re.compile(r"^(?:-r|--requirement|-c|--constraint)[ =]*(\S+)")
_ENDS = (".txt", ".in", "PKG-INFO", "METADATA", "pyproject.toml", "setup.py", "setup.cfg")
_OWN = re.compile(r"(^|[/_.-])(tests?|lint|docs?|dev|build|examples|benchmarks)([/_.-])")
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_ORDER = ("===", "==", "~=", ">=", ">", "!=", "<", "<=")
METADATA = "metadata"
ANY = "any"
"""Range of a requirement without one."""


def declares(path: str) -> bool:
    """Whether a file may declare requirements."""
    if not path.endswith(_ENDS):
        return False  # most files, without a search
    return bool(_FILE.search(path) or _METADATA.match(path)) or path in {"pyproject.toml", "setup.py", "setup.cfg"}


def is_wheel(tree: Tree) -> bool:
    """A wheel has its requirements in its metadata only, whatever files its project keeps them in."""
    return any(path.endswith(".dist-info/METADATA") and path.count("/") == 1 for path in tree.paths)


def comparable(facts: Iterable[Fact], old: Tree, new: Tree) -> list[Fact]:
    """Pins that both artifacts can state: those of metadata, where only one of them is a wheel."""
    apart = is_wheel(old) != is_wheel(new)
    return [each for each in facts if not apart or each.what is not What.REQUIREMENT or each.scope.startswith(METADATA)]


def pins(tree: Tree, paths: Iterable[str] | None = None, names: Collection[str] | None = None) -> tuple[Fact, ...]:
    """Requirements that files declare, what those include too; of these names only where given.

    Without paths every file of the release is looked at but those for its own tests, documents and development.
    """
    todo = [path for path in (tree.paths if paths is None else paths) if declares(path)]
    if paths is None:
        todo = [path for path in todo if not _OWN.search(path)]
    seen: set[str] = set()
    found: list[Fact] = []
    while todo:
        path = todo.pop(0)
        if path not in seen:
            seen.add(path)
            text = tree.text(path)
            found += [fact for each in _declared(path, text) for fact in _pin(path, each, names)]
            todo += [each for each in _included(path, text) if each in tree.paths]
    return tuple(sorted(found))


Declared = tuple[int, str, str]
"""Line, requirement as written, and the extra or section it stands under."""


def _declared(path: str, text: str) -> Iterator[Declared]:
    if _METADATA.match(path):
        yield from _metadata(text)
    elif path == "pyproject.toml":
        yield from _pyproject(text)
    elif path == "setup.py":
        yield from _setup(text)
    elif path == "setup.cfg":
        yield from ((_line_of(text, each), each, under) for each, under in setup_cfg(text))
    elif _FILE.search(path):
        yield from ((line, words, "") for line, words in _lines(text))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines of a requirement file without comments, options and continuations."""
    joined, start = "", 0
    for number, line in _numbered(text):
        start = start if joined else number
        joined += re.sub(r"(^|\s)#.*$", "", line)
        if joined.endswith("\\"):
            joined = joined[:-1] + " "
            continue
        words = re.sub(r"\s--hash[= ]\S+", "", joined).strip()
        joined = ""
        if words and not words.startswith("-"):
            yield start, words


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    """Lines as pip takes them, for which a form feed ends one too; numbers are those of the file."""
    for number, line in enumerate(lines(text), 1):
        yield from ((number, each) for each in line.splitlines() or [""])


def _included(path: str, text: str) -> Iterator[str]:
    if _FILE.search(path):
        for _, line in _numbered(text):
            if found := _INCLUDE.match(line.strip()):
                yield posixpath.normpath(posixpath.join(posixpath.dirname(path), found[1]))


def _metadata(text: str) -> Iterator[Declared]:
    head = HeaderParser().parsestr(text.split("\n\n", 1)[0])
    for value in head.get_all("Requires-Dist", []):
        yield _line_of(text, value), value, METADATA


def _pyproject(text: str) -> Iterator[Declared]:
    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    project = _inside(found, "project")
    groups = {"": project.get("dependencies"), **_inside(project, "optional-dependencies")}
    for extra, words in groups.items():
        for each in words if isinstance(words, list) else ():
            if isinstance(each, str):
                yield _line_of(text, each), each, f"extra {extra}" if extra else ""
    for each, under in poetry(_inside(found, "tool").get("poetry")):
        yield _key_line(text, each), each, under


def _inside(table: Any, key: str) -> dict[str, Any]:
    """A table within a table; an empty one where something else stands."""
    found = table.get(key)
    return found if isinstance(found, dict) else {}


def _line_of(text: str, words: str) -> int:
    return text.count("\n", 0, max(text.find(words), 0)) + 1


def _key_line(text: str, requirement: str) -> int:
    """The line that has the name of a requirement as its key."""
    name = _NAME.match(requirement)
    found = re.search(rf"^[ \t]*\"?{re.escape(name[0] if name else requirement)}\"?[ \t]*[=.]", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _setup(text: str) -> Iterator[Declared]:
    """Literal requirements in setup.py; lists that a function reads from files are those files' matter."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        for name, value in _named(node):
            if name == "install_requires":
                yield from ((each.lineno, str(each.value), "") for each in _texts(value))
            elif name == "extras_require" and isinstance(value, ast.Dict):
                for key, words in zip(value.keys, value.values, strict=True):
                    extra = f"extra {key.value!s}" if isinstance(key, ast.Constant) else "extra"
                    yield from ((each.lineno, str(each.value), extra) for each in _texts(words))


def _named(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.keyword) and node.arg:
        yield node.arg, node.value
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        yield node.targets[0].id, node.value


def _texts(node: ast.expr) -> Iterator[ast.Constant]:
    if isinstance(node, ast.List | ast.Tuple | ast.BinOp | ast.Set):
        for each in ast.walk(node):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each


def _pin(path: str, declared: Declared, names: Collection[str] | None) -> Iterator[Fact]:
    """One requirement as a fact; its scope is the file, the extra it belongs to and the marker under which it holds."""
    line, words, under = declared
    start = _NAME.match(words)
    name = canonicalize_name(start[0]) if start else ""
    if not name or (names is not None and name not in names):
        return
    try:
        found = Requirement(words)
    except InvalidRequirement:
        return
    scope = [under if under == METADATA else path, "" if under == METADATA else under, str(found.marker or "")]
    yield Fact(What.REQUIREMENT, name, _range(found), path, line, "; ".join(filter(None, scope)))


def _range(found: Requirement) -> str:
    extras = f"[{','.join(sorted(found.extras))}] " if found.extras else ""
    specs = sorted(found.specifier, key=lambda each: (_ORDER.index(each.operator), each.version))
    return extras + (found.url or ",".join(map(str, specs)) or ANY)
