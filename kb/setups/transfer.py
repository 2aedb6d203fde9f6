"""A KV transfer configuration (`--kv-transfer-config`) as setup facts.

Keys as vLLM's `KVTransferConfig` reads them; `MultiConnector` nests a list under
`kv_connector_extra_config.connectors`.
"""

from __future__ import annotations

import re

from kb.setups.gathering import LISTENS, Gathering
from kb.setups.reading import SideName
from kb.setups.source import Table, Text, as_json, of_json

TRANSFERS = frozenset(
    {
        "NixlConnector",
        "NixlPullConnector",
        "NixlPushConnector",
        "MooncakeConnector",
        "MoRIIOConnector",
        "P2pNcclConnector",
    }
    | {"DynamoNixlConnector"}
)
"""Classes that carry KV from prefill to decode."""
STORES = {
    "MooncakeStoreConnector": "mooncake",
    "LMCacheConnectorV1": "lmcache",
    "LMCacheMPConnector": "lmcache",
    "FlexKVConnectorV1": "",
    "SharedStorageConnector": "",
    "ExampleConnector": "",
}
"""Classes that keep KV in a cache beside the engines -> the cache's component, where it has one."""
LOCAL = frozenset({"OffloadingConnector", "SimpleCPUOffloadConnector"})
"""Classes that move KV out of the GPU on the same machine."""

ROLES: dict[str, SideName] = {"kv_producer": "prefill", "kv_consumer": "decode"}
"""Roles that name a side; `kv_both` names none."""

_TEMPLATE = re.compile(r"\$\{[^}]*\}|\$\([^)]*\)")
_HERE = frozenset({"kv_connector", "kv_role", "kv_connector_extra_config", "kv_rank", "kv_parallel_size", "engine_id"})


def read_transfer_text(text: str, line: int, into: Gathering) -> Table | None:
    """Facts of a configuration written as JSON; the table, or None when it cannot be read."""
    into.may_transfer = True
    for attempt in (text, _TEMPLATE.sub("", text)):
        try:
            table = of_json(attempt, line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(table, Table):
            break
        if attempt != text:
            for field in _TEMPLATE.findall(text):
                into.skip(field, line, "filled in elsewhere; it may add to the KV transfer configuration")
        read_transfer(table, into)
        return table
    why = "not readable as JSON; the connector and the topology stay unknown: write the JSON into the command line"
    into.skip(f"--kv-transfer-config {text}", line, why)
    return None


def read_transfer(table: Table, into: Gathering) -> None:
    """Facts of a configuration in hand."""
    into.may_transfer = True
    name = table.text("kv_connector")
    line = name.line if name else 1
    if name is None:
        into.skip(as_json(table), line, "a KV transfer configuration without kv_connector")
        return
    _role(table, into)
    if name == "MultiConnector":
        _several(table, line, into)
    else:
        into.fact("connector.class_name", name, line, "kv_connector")
        _kept_where(name, line, into)
        _options(table, into)


def _role(table: Table, into: Gathering) -> None:
    if role := table.text("kv_role"):
        into.fact("side.kv_role", role, role.line, "kv_role")


def _kept_where(name: str, line: int, into: Gathering) -> None:
    if name in LOCAL:
        into.fact("side.offload", "cpu", line, f"kv_connector {name}")
    if component := STORES.get(name):
        into.fact("cache.component", component, line, f"kv_connector {name}")


def _options(table: Table, into: Gathering) -> None:
    for key, value in table.items():
        if key not in _HERE and value is not None:
            _option(key, value, table.line(key), into)
    extra = table.table("kv_connector_extra_config")
    for key, value in extra.items():
        if value is not None and key != "connectors":
            _option(key, value, extra.line(key), into)
    _backends(extra, into)


def _option(key: str, value: object, line: int, into: Gathering) -> None:
    text = value if isinstance(value, Text) else as_json(value)
    if key.replace("_", "-") in LISTENS:
        into.skip(key, line, "says where it listens, which is no part of a setup")
    else:
        into.option(key, text, line, f"kv_connector_extra_config.{key}" if key in _EXTRA_HINT else key)


_EXTRA_HINT = frozenset({"backends"})


def _backends(extra: Table, into: Gathering) -> None:
    names = [each for each in extra.items_of("backends") if isinstance(each, Text)]
    if len(names) == 1:
        into.fact("transport.backend", names[0], extra.line("backends"), "kv_connector_extra_config.backends")
    elif names:
        into.skip(
            f"backends {', '.join(names)}", extra.line("backends"), "several backends; which one carries it is not said"
        )


def _several(table: Table, line: int, into: Gathering) -> None:
    """A MultiConnector: the one class in it that moves KV between prefill and decode is the connector."""
    into.fact("connector.wrapped_by", "MultiConnector", line, "kv_connector")
    for key, value in table.items():
        if key not in _HERE and value is not None:
            _option(key, value, table.line(key), into)
    inner = table.table("kv_connector_extra_config").tables("connectors")
    carrying = [each for each in inner if each.text("kv_connector") in TRANSFERS]
    names = ", ".join(str(each.get("kv_connector")) for each in inner)
    if len(carrying) == 1 and all(str(each.get("kv_connector")) in TRANSFERS | STORES.keys() | LOCAL for each in inner):
        _carrier(carrying[0], names, into)
    else:
        into.skip(f"MultiConnector of {names or 'nothing'}", line, "which of them carries transfers cannot be told")
    for each in inner:
        if each not in carrying:
            _beside(each, into)


def _carrier(table: Table, names: str, into: Gathering) -> None:
    name = table.text("kv_connector")
    assert name is not None
    into.fact("connector.class_name", name, name.line, f"the one of {names} that carries transfers")
    _role(table, into)
    _options(table, into)


def _beside(table: Table, into: Gathering) -> None:
    """A store or an offload inside a MultiConnector; its options have no place beside the carrier's."""
    name = table.text("kv_connector") or Text("a connector without a name", 1)
    _kept_where(name, name.line, into)
    role = f" as {table['kv_role']}" if table.get("kv_role") else ""
    extra = as_json(table["kv_connector_extra_config"]) if table.get("kv_connector_extra_config") else ""
    into.skip(
        f"{name}{role} {extra}".strip(),
        name.line,
        "a connector beside the one that carries transfers; a setup names one",
    )
