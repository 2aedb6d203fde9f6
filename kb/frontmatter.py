"""Front matter: cut it off the Markdown, read it strictly, find the line of a key.

Scalars stay text until a model types them: YAML 1.1 would turn the version `0.10` into 0.1, `no` into false and
`12:30` into 750. Duplicate keys, aliases, tabs and explicit tags are errors. https://yaml.org/spec/1.1/
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import yaml

from kb import flow
from kb.finding import Loc
from kb.slips import slip

try:
    from yaml import CSafeLoader as FastLoader
except ImportError:  # PyYAML built without libyaml: the same rules, slower
    from yaml import SafeLoader as FastLoader  # type: ignore[assignment]

MAX_FRONT = 1 << 20
"""Bytes of front matter read; more belongs into results.csv beside the record."""

MAX_DEPTH = 32
"""Levels of nesting; records need eight."""


class FormError(Exception):
    """Text that is no record: a line (from 1, within the text given), a message, a hint."""

    def __init__(self, line: int, message: str, hint: str | None = None, code: str = "KB101") -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.hint = hint
        self.code = code


@dataclass(frozen=True, slots=True)
class Cut:
    """A Markdown record cut in two; lines count from 1 in the file."""

    front: str
    front_line: int
    body: str
    body_line: int


def cut(text: str) -> Cut:
    """Cut a record into front matter and body. Raises FormError when there is no front matter."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith("---\n"):
        raise FormError(
            1, "no front matter", "a record begins with a line of three hyphens, its fields, and three again"
        )
    end = text.find("\n---\n", 3)
    if end < 0 and text.endswith("\n---"):
        end = len(text) - 4
    if end < 0:
        raise FormError(1, "front matter is not closed", "put a line of three hyphens after the last field")
    front = text[4 : end + 1]
    after = front.count("\n") + 3
    return Cut(front, 2, text[end + 5 :], after)


_ALIAS = re.compile(r"(?:^|[\s\[{,:\-])[*&][^\s,\]}*&]", re.MULTILINE)
_TAB = re.compile(r"^[ ]*\t", re.MULTILINE)


def load(front: str) -> dict[str, Any]:
    """The fields as text, lists and tables. Raises FormError with the line in `front`."""
    _refuse_early(front)
    rest, word, lists = flow.parted(front)
    if lists:
        try:
            fields = _fields(rest)
        except FormError:
            return _fields(front)  # which tells the lines of the whole
        if all(fields.get(name) == word for name in lists):
            return fields | lists
    return _fields(front)


def _fields(front: str) -> dict[str, Any]:
    loader = _Strict(front)
    try:
        value = loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        raise _form_error(error, front) from None
    except yaml.YAMLError as error:
        if hidden := _HIDDEN.search(front):
            raise _hidden(hidden) from None
        raise FormError(1, f"not readable as YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise FormError(1, "nested too deeply") from None
    finally:
        loader.dispose()
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise FormError(1, "the record is not a table of fields", "each line is `key: value`")
    return value


_HIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that YAML takes only as an escape. https://yaml.org/spec/1.1/#c-printable"""


def _hidden(found: re.Match[str]) -> FormError:
    line = found.string.count("\n", 0, found.start()) + 1
    return FormError(line, f"a character that cannot be seen (U+{ord(found[0]):04X})", "delete it")


def _refuse_early(front: str) -> None:
    if len(front) > MAX_FRONT:
        raise FormError(
            1,
            f"front matter is {len(front) // 1024} KiB, more than {MAX_FRONT // 1024}",
            code="KB106",
            hint="put many points into results.csv in the record's folder",
        )
    if "\t" in front and (tab := _TAB.search(front)):
        raise FormError(front.count("\n", 0, tab.end()) + 1, "a tab in the indentation", "indent with spaces", "KB105")
    if ("&" in front or "*" in front) and _ALIAS.search(front):
        _refuse_aliases(front)


def _refuse_aliases(front: str) -> None:
    try:
        for event in yaml.parse(front, Loader=FastLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                line = (event.start_mark.line if event.start_mark else 0) + 1
                raise FormError(
                    line, "YAML anchors and aliases are not used in records", "quote the text, or write it out"
                )
    except yaml.YAMLError:
        return  # the loader words this better


class _Strict(FastLoader):
    """libyaml without implicit types."""

    yaml_implicit_resolvers = {}  # noqa: RUF012  shared by PyYAML's design
    depth = 0

    def resolve(self, kind: type, value: Any, implicit: Any) -> str:  # noqa: ARG002  signature of the base class
        """The tag of a node that has none: without implicit types there is nothing to look up."""
        return _TAGS[kind]

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        """Nor do places have types."""

    def ascend_resolver(self) -> None:
        """As above."""

    def construct_object(self, node: Any, deep: bool = False) -> Any:  # noqa: ARG002  signature of the base class
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise yaml.constructor.ConstructorError(None, None, "nested too deeply", node.start_mark)
        value = self._value(node)
        self.depth -= 1
        return value

    def _value(self, node: Any) -> Any:
        if node.tag not in _PLAIN_TAGS:
            raise yaml.constructor.ConstructorError(
                None, None, f"tag {node.tag} is not used in records", node.start_mark
            )
        if isinstance(node, yaml.ScalarNode):
            return None if not node.style and node.value in _NULLS else node.value
        if isinstance(node, yaml.SequenceNode):
            return [self.construct_object(item) for item in node.value]
        return self._table(node)

    def _table(self, node: Any) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key must be a word", key_node.start_mark)
            key = key_node.value
            if key in table:
                raise _DuplicateKey(None, None, f'"{key}" is given twice', key_node.start_mark)
            table[key] = self.construct_object(value_node)
        return table


class _DuplicateKey(yaml.constructor.ConstructorError):
    """Told apart from other errors by its code."""


_TAGS: dict[type, str] = {
    yaml.ScalarNode: "tag:yaml.org,2002:str",
    yaml.SequenceNode: "tag:yaml.org,2002:seq",
    yaml.MappingNode: "tag:yaml.org,2002:map",
}
_PLAIN_TAGS = frozenset({*_TAGS.values(), "!"})
"""Tags of text, lists and tables, as they are resolved when none is written."""
_NULLS = frozenset({"", "~", "null"})


def _form_error(error: yaml.MarkedYAMLError, front: str) -> FormError:
    mark = error.problem_mark or error.context_mark
    line = _in_file(front, min(mark.line + 1, max(1, len(front.splitlines()))) if mark else 1)
    if isinstance(error, _DuplicateKey):
        return FormError(line, error.problem or "", "keep one of the two", "KB104")
    if isinstance(error, yaml.constructor.ConstructorError):
        return FormError(line, error.problem or "not readable as YAML", _of_tag(error.problem or ""))
    found = slip(error, front)
    return FormError(_in_file(front, found.line), found.message, found.hint)


_BREAK = re.compile("\r?\n|[\r\x85\u2028\u2029]")


def _in_file(front: str, line: int) -> int:
    """A line as editors and version control count them: YAML ends lines at a few more characters."""
    return 1 + sum(found[0].endswith("\n") for found in islice(_BREAK.finditer(front), line - 1))


def _of_tag(problem: str) -> str | None:
    return "put text with a leading ! into quotes" if problem.startswith("tag ") else None


def comments(front: str) -> Counter[str]:
    """Comments, each with how often it is there: they lie between the tokens."""
    found: Counter[str] = Counter()
    end = 0
    for token in yaml.scan(front, Loader=FastLoader):
        found.update(each.rstrip() for each in _COMMENT.findall(front, end, token.start_mark.index))
        end = max(end, token.end_mark.index)
    return found


_COMMENT = re.compile(r"#[^\n]*")


def locate(front: str, loc: Loc) -> int:
    """Line (from 1, in `front`) of the place `loc`, or of the nearest place above it that exists."""
    if not loc:
        return 1
    start, field = _field(front, str(loc[0]))
    if field and len(loc) == 1:
        return start + 1
    return start + _in_file(field or front, _walk(_composed(field or front), loc))


def _walk(node: Any, loc: Loc) -> int:
    line = 1
    for part in loc:
        step = _step(node, part)
        if step is None:
            continue  # pydantic's loc also names union members, which are not in the text
        line, node = step
    return line


@lru_cache(maxsize=16)
def _field(front: str, name: str) -> tuple[int, str]:
    """The part of `front` that one field at the top takes, after how many lines; "" when it cannot be told apart.

    Reading `setup` alone is many times faster than reading the points along with it.
    """
    places = list(re.finditer(rf"^{re.escape(name)}:(?=[ \n])", front, re.MULTILINE))
    if len(places) != 1:  # of several all but one stand inside a quote
        return 0, ""
    found = places[0]
    end = _TOP.search(front, found.end())
    field = front[found.start() : end.start() if end else len(front)]
    return (front.count("\n", 0, found.start()), field) if _composed(field) is not None else (0, "")


_TOP = re.compile(r"^[A-Za-z_]\w*:(?=[ \n])", re.MULTILINE)
"""A field at the top: nothing else of a record begins at the margin, items of a list aside."""


@lru_cache(maxsize=16)
def _composed(front: str) -> Any:
    """The nodes of `front`; the findings of one record come one after the other."""
    loader = _Strict(front)
    try:
        return loader.get_single_node()
    except (yaml.YAMLError, RecursionError):
        return None
    finally:
        loader.dispose()


def _step(node: Any, part: str | int) -> tuple[int, Any] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(part):
                return key.start_mark.line + 1, value
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        item = node.value[part]
        return item.start_mark.line + 1, item
    return None
