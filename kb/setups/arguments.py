"""Command-line arguments as pairs of name and value, however they are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kb.setups.source import Table, Text, as_json

SWITCH = "true"
"""Value of an option that stands alone."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One option: its long name without dashes, its value, its line and how it is written."""

    name: str
    value: str
    line: int
    spelled: str


SHORT = {
    "tp": "tensor-parallel-size", "pp": "pipeline-parallel-size", "dp": "data-parallel-size", "q": "quantization",
    "dcp": "decode-context-parallel-size", "pcp": "prefill-context-parallel-size", "cc": "compilation-config",
    "O": "compilation-config", "ep": "enable-expert-parallel", "dpl": "data-parallel-size-local",
    "dpa": "data-parallel-address", "dpp": "data-parallel-rpc-port", "dpb": "data-parallel-backend",
    "ac": "attention-config", "sc": "speculative-config",
}  # fmt: skip

JSON_OPTIONS = frozenset(
    {
        "kv-transfer-config",
        "speculative-config",
        "compilation-config",
        "attention-config",
        "hf-overrides",
        "kv-events-config",
    }
    | {"structured-outputs-config", "kernel-config", "ec-transfer-config"}
)
"""Options that take a table; its fields may be given one by one behind a dot."""


def is_option(word: str) -> bool:
    """Whether a word names an option: dashes, and no number."""
    return len(word) > 1 and word[0] == "-" and not word.lstrip("-")[:1].isdigit() and word != "--"


def of_words(words: Sequence[Text], switches: frozenset[str]) -> tuple[list[Argument], list[Text]]:
    """Options and what stands between them. `switches` take no value unless it is joined with `=`."""
    options: list[Argument] = []
    rest: list[Text] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if not is_option(word):
            rest.append(word)
            continue
        spelled, joined, value = word.partition("=")
        name = _name(spelled)
        if not joined:
            alone = name in switches or name.startswith("no-") or at == len(words) or is_option(words[at])
            value = SWITCH if alone else words[at]
            at += 0 if alone else 1
        options.append(Argument(name, value, word.line, spelled))
    return dotted_joined(options), rest


def _name(spelled: str) -> str:
    bare = spelled.lstrip("-")
    head, dot, tail = bare.partition(".")
    long = SHORT.get(head, head) if not spelled.startswith("--") else head
    return long.replace("_", "-") + dot + tail


def of_table(table: Table, how: str = "") -> list[Argument]:
    """Options given as a table; nested tables are JSON, lists are values in a row, null is a switch."""
    return dotted_joined(list(_of_table(table, how)))


def _of_table(table: Table, how: str) -> Iterator[Argument]:
    for key, value in table.items():
        name, line = _name(key), table.line(key)
        spelled = f"{how}{key}"
        if value is None:
            yield Argument(name, SWITCH if key.startswith("-") else "null", line, spelled)
        elif isinstance(value, Text):
            yield Argument(name, str(value), line, spelled)
        else:
            yield Argument(name, as_json(value), line, spelled)


def dotted_joined(options: Iterable[Argument]) -> list[Argument]:
    """`--kv-transfer-config.kv_role x` and its neighbours joined into one JSON value."""
    kept: list[Argument] = []
    tables: dict[str, tuple[Table, Argument]] = {}
    for each in options:
        head, dot, path = each.name.partition(".")
        if not dot or head not in JSON_OPTIONS:
            kept.append(each)
            continue
        table, first = tables.setdefault(head, (Table(), each))
        _put(table, path.split("."), Text(each.value, each.line))
        del first
    for head, (table, first) in tables.items():
        kept.append(Argument(head, as_json(table), first.line, first.spelled))
    return kept


def _put(table: Table, path: list[str], value: Any) -> None:
    for step in path[:-1]:
        inner = table.get(step)
        if not isinstance(inner, Table):
            inner = table[step] = Table()
        table.lines.setdefault(step, value.line)
        table = inner
    last = path[-1]
    if last.endswith("+"):
        last = last[:-1]
        value = [*table.items_of(last), *value.split(",")] if isinstance(value, Text) else value
    table[last] = value
    table.lines[last] = 1
