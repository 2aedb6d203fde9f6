"""A `--kv-transfer-config` JSON on its own (or as YAML), as people paste it."""

from __future__ import annotations

from kb.setups.gathering import Gathering
from kb.setups.reading import Found
from kb.setups.source import Source, Table
from kb.setups.transfer import ROLES, read_transfer

NAME = "kv-transfer-config"


def _tables(source: Source) -> list[Table]:
    """The configuration, bare or under its option's name."""
    found = []
    for table in source.tables:
        inner = next(
            (
                table.table(key)
                for key in ("kv-transfer-config", "kv_transfer_config", "--kv-transfer-config")
                if table.table(key)
            ),
            table,
        )
        if "kv_connector" in inner and len(table) == (1 if inner is not table else len(table)):
            found.append(inner)
    return found


def recognises(source: Source) -> bool:
    return bool(_tables(source))


def read(source: Source) -> Found:
    into = Gathering(source)
    for table in _tables(source):
        part = into.part()
        line = table.line("kv_connector")
        part.fact("engine.component", "vllm", line, "kv_connector is an option of vLLM")
        read_transfer(table, part)
        roles = [fact.value for fact in part.facts if fact.key == "side.kv_role"]
        side = ROLES.get(roles[-1]) if roles else None
        into.instance("configuration", line, part, side, side is not None, "kv_role")
    return into.found()
