"""`kubectl describe` text of pods and deployments: image, command, args, environment, GPU limits, by indentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.setups.containers import read_container
from kb.setups.gathering import Gathering, side_in_name
from kb.setups.reading import Found, SideName
from kb.setups.source import Source, Table, Text

NAME = "kubectl-describe"

_HEAD = re.compile(r"(?m)^Name:\s+(?P<name>\S+)")
_CONTAINERS = re.compile(r"(?m)^\s*(?:Init )?Containers:\s*$")
_FIELD = re.compile(r"^(?P<indent>\s*)(?P<key>[A-Z][\w /()-]*):(?:\s+(?P<value>\S.*))?$")
_ROLE = re.compile(r"llm-d\.ai/role[=:]\s*(?P<role>prefill|decode)\b")


def recognises(source: Source) -> bool:
    return bool(_HEAD.search(source.text) and _CONTAINERS.search(source.text))


@dataclass
class _Block:
    """One container of the text."""

    name: str
    line: int
    table: Table = field(default_factory=Table)


def read(source: Source) -> Found:
    into = Gathering(source)
    for head, lines in _objects(source):
        text = "\n".join(line for _, line in lines)
        role = _ROLE.search(text)
        name = head
        side: tuple[SideName | None, bool, str] = (
            side_in_name(name),
            False,
            f"the name {name}" if side_in_name(name) else "",
        )
        if role:
            side = ("prefill" if role["role"] == "prefill" else "decode", True, role[0])
        for block in _blocks(lines):
            part = into.part()
            if limit := block.table.get("gpu"):
                part.fact("side.gpus", limit, block.table.line("gpu"), "GPU limit of one pod")
            read_container(block.table, into, f"{name} {block.name}", part=part, side=side)
    if not into.instances and not into.facts:
        into.skip("no server", 1, "no container starts a server that this reader knows")
    return into.found()


def _objects(source: Source) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Name and numbered lines of each object described."""
    name = ""
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(source.lines, start=1):
        if match := _HEAD.match(line):
            if name:
                yield name, lines
            name, lines = match["name"], []
        lines.append((number, line))
    if name:
        yield name, lines


def _blocks(lines: list[tuple[int, str]]) -> Iterator[_Block]:
    inside, depth, block, key = False, 0, None, ""
    for number, line in lines:
        if _CONTAINERS.match(line):
            inside, depth, block = True, len(line) - len(line.lstrip()) + 2, None
            continue
        if not inside or not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        if indent < depth:
            inside = False
        elif indent == depth and line.rstrip().endswith(":"):
            if block:
                yield block
            block, key = _Block(line.strip().rstrip(":"), number), ""
        elif block:
            key = _field(block, line, number, indent - depth, key)
    if block:
        yield block


_LISTS = {"Command": "command", "Args": "args", "Environment": "env"}


def _field(block: _Block, line: str, number: int, indent: int, key: str) -> str:
    """One line of a container; the key that lines below it belong to."""
    match = _FIELD.match(line)
    if indent == 2 and match:
        if match["key"] == "Image" and match["value"]:
            _put(block.table, "image", Text(match["value"].strip(), number), number)
        return str(match["key"])
    if key in {"Command", "Args"}:
        block.table.setdefault(_LISTS[key], []).append(Text(line.strip(), number))
    elif key == "Environment" and ":" in line:
        name, _, value = line.strip().partition(":")
        entry = Table()
        _put(entry, "name", Text(name, number), number)
        _put(entry, "value", Text(value.strip(), number), number)
        if "<set to" not in value:
            block.table.setdefault("env", []).append(entry)
    elif key == "Limits" and "/gpu" in line:
        _put(block.table, "gpu", Text(line.rpartition(":")[2].strip(), number), number)
    return key


def _put(table: Table, key: str, value: Text, line: int) -> None:
    table[key] = value
    table.lines[key] = line
