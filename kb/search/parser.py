"""The query language people type, by whoosh's plug-in parser with our fields and operators, read as a syntax tree.

It never sees an index: whoosh (kb.search.borrowed) tags and groups, `fields` says what a leaf means.
Left to itself whoosh would ignore the minus of `-foo`, search for the words of an unknown field, find nothing for
`a:b:c`, drop operators that stand alone and close brackets by itself: here each is understood or is an error.

OR binds tighter than words side by side: `a b OR c` is `a (b OR c)`. AND binds tighter than OR.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NoReturn

from kb.errors import QueryError
from kb.search.borrowed import QueryParser, plugins, syntax
from kb.search.fields import Extra, between, leaf, quoted, shaped
from kb.search.plain import FIELD, RANGE
from kb.search.query import And, Not, Or, Query

_DEEPEST = 40
_AT_START = r"(?:(?<![^\s(])|(?<=^-)|(?<=[\s(]-))"


class _Prefix(syntax.Operator):  # type: ignore[misc]
    """NOT and the minus; whoosh drops one that stands alone."""

    def replace_self(self, parser: Any, group: Any, position: int) -> int:
        del group[position]
        if position < len(group) and isinstance(group[position], _Prefix):
            group[position].replace_self(parser, group, position)
        if position >= len(group) or isinstance(group[position], syntax.Operator):
            _nothing_beside(self)
        group[position] = self.grouptype([group[position]])
        return position


class _Infix(syntax.InfixOperator):  # type: ignore[misc]
    """AND and OR; whoosh drops one that has nothing on a side."""

    def replace_self(self, parser: Any, group: Any, position: int) -> int:
        sides = group.nodes[max(0, position - 1) : position] + group.nodes[position + 1 : position + 2]
        if len(sides) < 2 or any(isinstance(each, _Infix) for each in sides):
            _nothing_beside(self)
        return int(super().replace_self(parser, group, position))


class _Shaped(syntax.TextNode):  # type: ignore[misc]
    """`text*` or `text~2`."""

    def __init__(self, text: str, sign: str, distance: str | None) -> None:
        super().__init__(text)
        self.how = "prefix" if sign == "*" else "fuzzy"
        self.distance = int(distance or 1) if sign == "~" else 0


class _ShapedPlugin(plugins.TaggingPlugin):  # type: ignore[misc]
    expr = r'(?P<text>[^\s*~()"\[\]{}]+)(?P<sign>[*~])(?P<distance>(?<=~)[12])?(?=[\s)]|$)'
    nodetype = _Shaped


def read(text: str, extra: Extra) -> Query:
    """The query. Raises QueryError."""
    _check_pairs(text)
    return _query(_parser().process(text), extra)


@lru_cache(1)
def _parser() -> Any:
    operator = plugins.OperatorsPlugin.OpTagger
    operators = [
        (operator(r"(?<![^\s(])(?:NOT(?=[\s(]|$)|-(?=[^\s-]))", syntax.NotGroup, _Prefix), 0),
        (operator(r"(?<![^\s(])AND(?=[\s()]|$)", syntax.AndGroup, _Infix), 0),
        (operator(r"(?<![^\s(])OR(?=[\s()]|$)", syntax.OrGroup, _Infix), 0),
    ]
    return QueryParser(
        None,
        None,
        plugins=[
            plugins.OperatorsPlugin(operators, clean=True),
            plugins.FieldsPlugin(_AT_START + FIELD, remove_unknown=False),
            plugins.PhrasePlugin(r'"(?P<text>[^"]*)"(?P<slop>(?!))?'),
            plugins.RangePlugin(re.compile(RANGE)),
            plugins.GroupPlugin(),
            _ShapedPlugin(),
        ],
    )


def _query(node: Any, extra: Extra) -> Query:
    if isinstance(node, syntax.NotGroup):
        return Not(_query(node.nodes[0], extra))
    if isinstance(node, syntax.GroupNode):
        parts = tuple(_query(each, extra) for each in node)
        return parts[0] if len(parts) == 1 else (Or if isinstance(node, syntax.OrGroup) else And)(parts)
    return _leaf(node, extra)


def _leaf(node: Any, extra: Extra) -> Query:
    field, start = getattr(node, "fieldname", None), node.startchar
    if isinstance(node, plugins.PhrasePlugin.PhraseNode):
        return quoted(field, node.text, start, extra)
    if isinstance(node, _Shaped):
        return shaped(field, node.text, node.how, node.distance, start, extra)  # type: ignore[arg-type]
    if isinstance(node, syntax.RangeNode):
        return between(field, node.start or "", node.end or "", node.startexcl, node.endexcl, start, extra)
    if not isinstance(node, syntax.WordNode):
        _nothing_beside(node)
    return leaf(field, node.text, start, extra)


def _nothing_beside(node: Any) -> NoReturn:
    name = getattr(node, "text", "") or getattr(node, "original", "")
    raise QueryError(f"{name} has nothing beside it to work on", node.startchar, f'for the word itself, write "{name}"')


def _check_pairs(text: str) -> None:
    """Quotes and brackets must pair up, and brackets nest only so deep."""
    opened: list[int] = []
    for match in re.finditer(r'"[^"]*("|$)|[()]', text):
        if match[0][0] == '"' and not match[1]:
            raise QueryError('a " is never closed', match.start(), 'add the closing "')
        if match[0] == "(":
            opened.append(match.start())
        elif match[0] == ")" and not opened:
            raise QueryError("a ) that was never opened", match.start(), "remove it, or put the text in quotes")
        elif match[0] == ")":
            opened.pop()
        if len(opened) > _DEEPEST:
            raise QueryError("brackets nest too deeply", match.start())
    if opened:
        raise QueryError("a ( is never closed", opened[-1], "add the closing )")
