"""The mapping file of a table: which column is which. YAML:

tool: my-bench                 # the load generator, if there is one
tool_version: "1.2"
columns:
  conc:      {where: concurrency}                        # key of the load point, or a factor of your own
  tput:      {metric: output_throughput, unit: tok/s}    # unit as in the table; numbers are converted
  ttft_p99:  {metric: ttft, stat: p99, unit: s, definition: vllm-bench.ttft}
  ok:        {requests: completed}                       # sent, completed, failed
  connector: {setup: connector.class_name}               # a setup key, or {fact: NAME}, or {arm: true}
  notes:     skip
constant:                      # what holds for every row
  where: {input_tokens: 1024}
  setup: {model: meta-llama/Llama-3.1-8B}
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.importers import NotResults
from kb.importers.fields import number
from kb.importers.points import CANONICAL, STATS, exact
from kb.importers.run import Fact
from kb.importers.source import Source, Unreadable, open_file
from kb.importers.table.columns import Column
from kb.importers.yamltext import documents
from kb.setup import is_key, keys
from kb.suggest import did_you_mean

_TOP = ("tool", "tool_version", "columns", "constant")
_KINDS = ("metric", "where", "setup", "fact", "requests", "arm")
_OF_METRIC = ("stat", "unit", "definition")
_METRIC = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping file, checked."""

    name: str
    columns: dict[str, Column] = field(default_factory=dict)
    tool: str | None = None
    tool_version: str | None = None
    where: dict[str, Fact] = field(default_factory=dict)
    setup: dict[str, Fact] = field(default_factory=dict)


def beside(source: Source) -> Mapping | None:
    """The mapping given with the table, or the one beside it. Raises NotResults if it is wrong."""
    given = getattr(source, "mapping", None)
    places = [Path(given)] if given else _places(source.path)
    path = next((each for each in places if each.is_file()), None)
    if path is None:
        return None
    try:
        with open_file(path) as opened:
            found = documents(opened.text)
    except (OSError, Unreadable) as error:
        raise NotResults(f"its mapping {path.name} cannot be read: {error}") from error
    return checked(path.name, found[0] if found else None)


def _places(path: Path | None) -> list[Path]:
    return [path.with_name(f"{path.stem}.mapping.yaml"), path.with_name("mapping.yaml")] if path else []


def checked(name: str, record: Any) -> Mapping:
    """A mapping from its decoded text. Raises NotResults with everything that is wrong in it."""
    wrong: list[str] = []
    top = _table(record, "", wrong)
    _unknown(top, _TOP, "", wrong)
    columns = {
        str(key): _column(f"columns.{key}", value, wrong)
        for key, value in _table(top.get("columns"), "columns", wrong).items()
    }
    constant = _table(top.get("constant"), "constant", wrong)
    _unknown(constant, ("where", "setup"), "constant.", wrong)
    where, setup = (_facts(constant.get(key), f"constant.{key}", wrong) for key in ("where", "setup"))
    for key in setup:
        _setup_key("constant.setup", key, wrong)
    if wrong:
        raise NotResults(f"its mapping {name} is wrong: {'; '.join(wrong)}")
    return Mapping(name, columns, _text(top.get("tool")), _text(top.get("tool_version")), where, setup)


def _setup_key(path: str, key: str, wrong: list[str]) -> None:
    if not is_key(key):
        hint = did_you_mean(key, list(keys()))
        wrong.append(f"{path}: {key!r} is no setup key" + (f" ({hint})" if hint else ""))


def _table(value: Any, path: str, wrong: list[str]) -> Table[str, Any]:
    if isinstance(value, dict):
        return value
    if value is not None or not path:
        wrong.append(f"{path or 'it'} is no table")
    return {}


def _unknown(table: Table[str, Any], known: Iterable[str], path: str, wrong: list[str]) -> None:
    for key in table:
        if key not in known:
            hint = did_you_mean(str(key), list(known))
            wrong.append(f"{path}{key} is not known" + (f" ({hint})" if hint else ""))


def _column(path: str, value: Any, wrong: list[str]) -> Column:
    if value == "skip":
        return Column(skip=True)
    table = _table(value, path, wrong)
    _unknown(table, (*_KINDS, *_OF_METRIC), f"{path}.", wrong)
    kinds = [kind for kind in _KINDS if kind in table]
    if len(kinds) != 1:
        wrong.append(f"{path} says none or several of {', '.join(_KINDS)}; one is needed, or `skip`")
        return Column()
    told = str(table[kinds[0]])
    if "?" in told:
        wrong.append(f"{path}.{kinds[0]} is still '?'")
        return Column()
    if kinds[0] == "metric":
        return _metric(path, told, table, wrong)
    if kinds[0] == "setup":
        _setup_key(f"{path}.setup", told, wrong)
    if kinds[0] == "requests" and told not in {"sent", "completed", "failed"}:
        wrong.append(f"{path}.requests is {told!r}; it may be sent, completed or failed")
    return _other(kinds[0], told)


def _other(kind: str, told: str) -> Column:
    match kind:
        case "where":
            return Column(where=told)
        case "setup":
            return Column(setup=told)
        case "requests":
            return Column(requests=told)
        case _:
            return Column(fact="arm" if kind == "arm" else told)


def _metric(path: str, metric: str, table: Table[str, Any], wrong: list[str]) -> Column:
    stat, unit = str(table.get("stat", "value")), str(table.get("unit", ""))
    into = CANONICAL.get(metric, unit)
    if not _METRIC.fullmatch(metric):
        wrong.append(f"{path}.metric is {metric!r}; a metric is written like output_throughput")
    if stat.casefold() not in STATS:
        wrong.append(f"{path}.stat is {stat!r}; it may be {', '.join(sorted(set(STATS)))}")
    if not unit or "?" in unit:
        wrong.append(f"{path}.unit is missing; {metric} is kept in {into or 'the unit of the table'}")
    elif exact(1.0, unit, into) is None:
        wrong.append(f"{path}.unit {unit!r} is not convertible into {into}")
    definition = table.get("definition")
    return Column(
        metric=metric, stat=stat.casefold(), unit=unit, definition=None if definition is None else str(definition)
    )


def _facts(value: Any, path: str, wrong: list[str]) -> dict[str, Fact]:
    made: dict[str, Fact] = {}
    for key, inner in _table(value, path, wrong).items():
        found = number(inner) if isinstance(inner, str | int | float) and not isinstance(inner, bool) else None
        made[str(key)] = inner if isinstance(inner, bool) else found if found is not None else str(inner)
    return made


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def proposal(labels: Iterable[str], columns: Table[str, Column]) -> str:
    """A mapping file for these columns, with `?` where the header does not say."""
    lines = ["columns:"]
    for label in labels:
        column = columns.get(label, Column())
        lines.append(f"  {_quoted(label)}: {_proposed(column)}")
    return "\n".join(lines)


def _quoted(label: str) -> str:
    return (
        label
        if re.fullmatch(r"[A-Za-z_][\w.\-/]*", label)
        else '"' + label.replace("\\", "\\\\").replace('"', '\\"') + '"'
    )


def _proposed(column: Column) -> str:
    if column.metric:
        return f"{{metric: {column.metric}, stat: {column.stat}, unit: {column.unit}}}"
    for kind in ("where", "setup", "fact", "requests"):
        if told := getattr(column, kind):
            return f"{{{kind}: {told}}}"
    return "skip" if column.total or column.skip else '{metric: "?", stat: "?", unit: "?"}'
