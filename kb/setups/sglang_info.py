"""SGLang's `server_info` (`/get_server_info`), alone or inside bench_serving's result lines, 0.4.6 to 0.5.

Behind a P/D router it holds a list for each side; `internal_states` repeats the arguments as the server resolved them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from kb.setups.arguments import of_table
from kb.setups.gathering import Gathering
from kb.setups.reading import Found, SideName
from kb.setups.sglang_options import read_sglang
from kb.setups.source import Source, Table, of_json

NAME = "sglang-server-info"


def recognises(source: Source) -> bool:
    head = source.text.lstrip()[:1]
    return head == "{" and any(_is_info(table) for table in _infos(source))


def _infos(source: Source) -> Iterator[Table]:
    for number, line in enumerate(source.lines[:1000], start=1):
        if '"server_info"' in line:
            try:
                table = of_json(line, number)
            except (ValueError, RecursionError):
                continue
            if isinstance(table, Table) and table.table("server_info"):
                yield table.table("server_info")
    if '"server_info"' not in source.text:
        try:
            whole = of_json(source.text)
        except (ValueError, RecursionError):
            return
        if isinstance(whole, Table):
            yield whole


def _is_info(table: Table) -> bool:
    return (bool({"internal_states", "prefill", "decode"} & table.keys()) and not {"arms", "setup"} & table.keys()) or (
        {"model_path", "tp_size"} <= table.keys()
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    seen: set[str] = set()
    for info in _infos(source):
        mark = json.dumps(_stable(info), sort_keys=True)
        if mark not in seen:
            seen.add(mark)
            _read(info, into)
    if len(seen) > 1:
        into.skip(f"{len(seen)} server_info", 1, "the runs were made on servers with different arguments")
    return into.found()


def _stable(info: Table) -> dict[str, object]:
    """What identifies the servers: their arguments, not their counters."""
    return {
        name: [
            {key: each.get(key) for key in ("model_path", "tp_size", "disaggregation_mode", "version")}
            for each in info.tables(name)
        ]
        for name in ("prefill", "decode", "internal_states")
    } | {key: info.get(key) for key in ("model_path", "tp_size", "version")}


def _read(info: Table, into: Gathering) -> None:
    sides: tuple[SideName, ...] = ("prefill", "decode")
    if any(info.tables(side) for side in sides):
        for side in sides:
            each = info.tables(side)
            if each:
                into.skip(
                    f"{side}: {len(each)}",
                    each[0].line("model_path"),
                    "servers that answered; a router may ask one of several",
                )
            for number, server in enumerate(each, start=1):
                _server(server, f"{side} {number}", into, side)
        return
    _server(info if "model_path" in info else next(iter(info.tables("internal_states")), info), "server", into, None)
    if "model_path" not in info and (version := info.text("version")):
        into.fact("engine.version", version, version.line, "server_info.version")


def _server(server: Table, name: str, into: Gathering, side: SideName | None) -> None:
    part = into.part()
    arguments = Table()
    for key, value in server.items():
        if value is not None and key not in _STATE:
            arguments[key] = value
            arguments.lines[key] = server.line(key)
    if version := server.text("version"):
        part.fact("engine.version", version, version.line, "server_info.version")
    stated = read_sglang(of_table(arguments, "server_info."), server.line("model_path"), part, all_stated=True)
    into.instance(name, server.line("model_path"), part, stated or side, (stated or side) is not None, "server_info")


_STATE = frozenset(
    {"internal_states", "version", "memory_usage", "last_gen_throughput", "avg_spec_accept_length", "status", "api_key"}
)
