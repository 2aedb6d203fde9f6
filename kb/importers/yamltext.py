"""YAML of results and configurations: a number is typed only where that loses nothing; `0.10` stays text."""

from __future__ import annotations

import re
from typing import Any

import yaml

from kb.importers.streaming import Unreadable

MOST_VALUES = 2_000_000
"""Values of one file, counted through aliases; a few lines of aliases can stand for billions."""

_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_BROKEN = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+([eE][-+]?[0-9]+)?")
_QUOTED = frozenset("'\"|>")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "Null": None, "~": None, "": None}


class _Loader(yaml.CSafeLoader):
    """Types null, true, false and numbers spelt as Python spells them; dates, octals, sexagesimals stay text."""


def _plain(loader: yaml.CSafeLoader, node: yaml.ScalarNode) -> Any:  # noqa: ARG001
    text = str(node.value)
    if node.style in _QUOTED:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _BROKEN.fullmatch(text) and repr(float(text)) == text else text


_Loader.yaml_implicit_resolvers = {}
_Loader.add_constructor("tag:yaml.org,2002:str", _plain)
_Loader.add_constructor(None, lambda _loader, node: str(node.value) if isinstance(node, yaml.ScalarNode) else None)


def documents(text: str) -> tuple[Any, ...]:
    """Every document of a YAML text. Raises Unreadable."""
    try:
        found = tuple(yaml.load_all(text, Loader=_Loader))
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError, TypeError) as error:
        raise Unreadable(f"no YAML: {' '.join(str(error).split())[:200]}") from error
    _counted(found)
    return found


def _counted(found: tuple[Any, ...]) -> None:
    waiting: list[Any] = list(found)
    count = 0
    while waiting:
        count += 1
        if count > MOST_VALUES:
            raise Unreadable("aliases that stand for millions of values")
        value = waiting.pop()
        if type(value) is dict:
            waiting.extend(value.values())
        elif type(value) is list:
            waiting.extend(value)
