"""Factors: what differs between the runs of a set of result files, and who says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from kb.arranging.loads import LOAD, tells_apart, text
from kb.importers.run import Run

MOST_VALUES = 12
"""Values of one factor that are named."""


@dataclass(frozen=True, slots=True)
class Factor:
    """One thing that differs between runs."""

    key: str
    """`where.concurrency`, `setup.engine.version`, `facts.label`, `folder`, `suggested.topology`..."""
    values: tuple[str, ...]
    stated: bool
    """Whether the files say so; otherwise only their names do."""
    kind: str
    """load (the sweep), arm (could tell arms apart), label (tells runs of one load point apart)."""

    def as_dict(self) -> dict[str, object]:
        """The factor as JSON types."""
        return {"key": self.key, "values": list(self.values), "stated": self.stated, "kind": self.kind}


def value_of(run: Run, key: str) -> str | None:
    """The value of a factor in one run."""
    group, _, name = key.partition(".")
    if group == "folder":
        level = int(name) if re.fullmatch(r"[0-9]{1,3}", name) else None
        return None if name and level is None else _folder(run, level)
    if group == "suggested":
        return next((text(each.value) for each in run.suggestions if each.key == name), None)
    table = {"where": run.where, "setup": run.setup, "facts": run.facts}.get(group)
    if table is not None:
        return text(table[name]) if name in table else None
    return {"tool": run.tool, "tool_version": run.tool_version, "stage": run.stage}.get(key)


def _folder(run: Run, level: int | None) -> str | None:
    parts = PurePath(run.file).parts[:-1]
    if level is None:
        return parts[-1] if parts else None
    return parts[level] if level < len(parts) else None


def factors(runs: Sequence[Run]) -> tuple[Factor, ...]:
    """Everything that differs between the runs: loads first, then what could tell arms apart, then labels."""
    found = [factor for key in dict.fromkeys(_keys(runs)) if (factor := _factor(key, runs))]
    order = ("load", "arm", "label")
    return tuple(sorted(found, key=lambda each: (order.index(each.kind), not each.stated)))


def _keys(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        yield from (f"where.{key}" for key in run.where)
        yield from (f"setup.{key}" for key in run.setup)
        yield from (f"facts.{key}" for key in run.facts)
        yield from (f"suggested.{each.key}" for each in run.suggestions)
    yield from ("tool", "tool_version", *_levels(runs))


def _levels(runs: Sequence[Run]) -> Iterator[str]:
    """Folders at the first depth at which the files lie apart, and below."""
    deepest = max((len(PurePath(run.file).parts) - 1 for run in runs), default=0)
    yield from (f"folder.{level}" for level in range(deepest))


def _factor(key: str, runs: Sequence[Run]) -> Factor | None:
    values = [value_of(run, key) for run in runs]
    seen = tuple(dict.fromkeys("" if value is None else value for value in values))
    if len(seen) < 2:
        return None
    group, _, name = key.partition(".")
    stated = group in {"where", "setup", "facts", "tool", "tool_version"}
    return Factor(key, tuple(sorted(seen, key=_numeric)), stated, _kind(group, name, [v for v in seen if v], len(runs)))


def _kind(group: str, name: str, values: Sequence[str], count: int) -> str:
    if (group == "where" and name in LOAD) or (group == "suggested" and name.startswith("where.")):
        return "load"
    each_its_own = len(values) == count > 2 and group in {"facts", "suggested"}
    return "label" if tells_apart(name, values) or each_its_own else "arm"


def _numeric(value: str) -> tuple[float, str]:
    try:
        return float(value), value
    except ValueError:
        return float("inf"), value
