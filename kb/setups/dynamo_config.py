"""Dynamo's early `dynamo serve` configuration (0.1 to 0.3): a section a worker, `common-configs` out of `Common`."""

from __future__ import annotations

from kb.setups.arguments import of_table
from kb.setups.gathering import Gathering, side_in_name
from kb.setups.reading import Found
from kb.setups.source import Source, Table, Text
from kb.setups.vllm_options import read_vllm

NAME = "dynamo-serve-config"


def recognises(source: Source) -> bool:
    return any(_workers(table) for table in source.tables)


def _workers(table: Table) -> list[str]:
    return [name for name in table if table.table(name).table("ServiceArgs")]


_OF_DYNAMO = frozenset(
    {
        "ServiceArgs",
        "common-configs",
        "remote-prefill",
        "conditional-disagg",
        "max-local-prefill-length",
        "max-prefill-queue-size",
        "router",
        "endpoint",
        "port",
    }
)


def read(source: Source) -> Found:
    into = Gathering(source)
    for table in source.tables:
        common = table.table("Common")
        into.fact("stack.component", "dynamo", table.line(next(iter(table), "")), "dynamo serve configuration")
        for name in _workers(table):
            _worker(name, table, common, into)
        for name in table:
            if name not in {*_workers(table), "Common"}:
                _other(name, table.table(name), table.line(name), into)
    return into.found()


def _worker(name: str, table: Table, common: Table, into: Gathering) -> None:
    section, part = table.table(name), into.part()
    merged = Table()
    shared = {str(each) for each in section.items_of("common-configs")}
    for origin, keys in ((common, shared), (section, section.keys() - _OF_DYNAMO)):
        for key in origin:
            if key in keys and origin[key] is not None:
                merged[key] = origin[key]
                merged.lines[key] = origin.line(key)
    for key in section:
        if key in _OF_DYNAMO - {"ServiceArgs", "common-configs"}:
            into.skip(
                f"{name}.{key} {section[key]}",
                section.line(key),
                "Dynamo's own routing of prefill; a setup has no key for it",
            )
    read_vllm(of_table(merged, f"{name}."), None, table.line(name), part)
    _counts(section.table("ServiceArgs"), part)
    side = side_in_name(name)
    into.instance(name, table.line(name), part, side, False, f"the name {name}" if side else "")


def _counts(args: Table, part: Gathering) -> None:
    workers, gpu = args.text("workers"), args.table("resources").text("gpu")
    if workers:
        part.fact("side.instances", workers, workers.line, "ServiceArgs.workers")
    if gpu and gpu.isdigit() and workers and workers.isdigit():
        part.fact("side.gpus", str(int(gpu) * int(workers)), gpu.line, "ServiceArgs.resources.gpu times workers")


def _other(name: str, section: Table, line: int, into: Gathering) -> None:
    if router := section.text("router"):
        into.fact("router.policy", router, router.line, f"{name}.router")
    rest = [
        f"{key} {value}" for key, value in section.items() if isinstance(value, Text) and key not in {"router", "port"}
    ]
    if rest:
        into.skip(f"{name}: {', '.join(rest)}", line, "not a server; a setup has no key for it")
