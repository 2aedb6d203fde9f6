"""The setup inside SGLang's `server_info`: the server's arguments, or through a router those of prefill and decode.

The router lists the servers it was told of; saved files show one of each side where the file name speaks of eight, so
that the lists are a fact and no topology.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.importers.fields import Fields
from kb.importers.run import Fact

_CONNECTORS = {"nixl": "sglang-nixl"}
_MODES = {"prefill": "prefill", "decode": "decode"}


@dataclass(slots=True)
class Server:
    """What the servers state: dotted setup keys, and facts that have none."""

    keys: dict[str, Fact] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)


def setup(info: Fields) -> tuple[Server, list[str]]:
    """The setup of a `server_info`, and sentences about what its servers contradict each other in."""
    sides = {side: [each for each in info.members(side) if isinstance(each, dict)] for side in _MODES}
    if not any(sides.values()):
        stated = _side(info)
        mode = stated.pop("mode", None)
        alone = _MODES.get(str(mode), "both")
        made = Server(_placed({alone: stated}))
        if mode == "null":
            made.keys["topology"] = "aggregated"
        return made, []
    said: list[str] = []
    agreed = {side: _agreed(side, servers, said) for side, servers in sides.items() if servers}
    for each in agreed.values():
        each.pop("mode", None)
    facts: dict[str, Fact] = {f"server_info.{side}": len(servers) for side, servers in sides.items()}
    return Server(_placed(agreed), facts), said


def _agreed(side: str, servers: list[dict[str, Any]], said: list[str]) -> dict[str, Fact]:
    """What all servers of a side state alike."""
    first, *others = [_side(Fields(server)) for server in servers]
    for other in others:
        for key in [key for key, value in first.items() if other.get(key, value) != value]:
            said.append(f"server_info.{side}: its servers differ in {key}; left out")
            del first[key]
    return first


def _side(server: Fields) -> dict[str, Fact]:
    """One server's facts under short names; what belongs to the whole setup begins with a dot."""
    made = {key: take(server) for key, take in _TAKE.items()}
    return {key: value for key, value in made.items() if value is not None}


def _placed(sides: Mapping[str, Mapping[str, Fact]]) -> dict[str, Fact]:
    """Facts under dotted keys: common ones and `both.` where the sides agree, the side's own where they differ."""
    placed: dict[str, Fact] = {}
    for side, facts in sides.items():
        others = [each for name, each in sides.items() if name != side]
        for key, value in facts.items():
            alike = all(other.get(key) == value for other in others)
            placed.update(_key(side, key, value, alike=alike))
    return placed


def _key(side: str, key: str, value: Fact, *, alike: bool) -> dict[str, Fact]:
    if key.startswith("."):
        common = key[1:]
        if alike:
            return {common: value}
        return {f"{side}.{common}": value} if common.startswith(("engine.", "connector.")) else {}
    return {f"{'both' if alike else side}.{key}": value}


def _known(key: str) -> Callable[[Fields], Fact | None]:
    """A text that is set and not left to the server."""

    def take(server: Fields) -> Fact | None:
        text = server.text(key)
        return None if text in {None, "auto"} else text

    return take


def _count(key: str) -> Callable[[Fields], Fact | None]:
    return lambda server: server.count(key)


def _off_by(key: str) -> Callable[[Fields], Fact | None]:
    """on, off: the inverse of a `disable_...` argument."""

    def take(server: Fields) -> Fact | None:
        disabled = server.flag(key)
        return None if disabled is None else "off" if disabled else "on"

    return take


def _chunked(server: Fields) -> Fact | None:
    size = server.number("chunked_prefill_size")
    return None if size is None else "on" if size > 0 else "off"


def _speculative(server: Fields) -> Fact | None:
    if "speculative_algorithm" not in server:
        return None
    name, steps = server.text("speculative_algorithm"), server.count("speculative_num_steps")
    return "off" if name is None else f"{name.lower()} {steps}" if steps is not None else name.lower()


def _offload(server: Fields) -> Fact | None:
    if server.flag("enable_hierarchical_cache"):
        store = server.text("hicache_storage_backend")
        return f"hicache {store}" if store else "hicache"
    return None


def _disaggregated(server: Fields) -> bool:
    return server.text("disaggregation_mode") in _MODES


def _connector(server: Fields) -> Fact | None:
    """The backend's record; without P/D the argument is a default that nothing uses."""
    return _CONNECTORS.get(server.text("disaggregation_transfer_backend") or "") if _disaggregated(server) else None


def _library(server: Fields) -> Fact | None:
    backend = server.text("disaggregation_transfer_backend") if _disaggregated(server) else None
    return backend if backend in {"nixl", "mooncake"} else None


_TAKE: dict[str, Callable[[Fields], Fact | None]] = {
    "mode": lambda server: server.raw("disaggregation_mode") if "disaggregation_mode" in server else None,
    ".model": _known("model_path"),
    ".engine.component": lambda server: "sglang" if "version" in server or "model_path" in server else None,
    ".engine.version": _known("version"),
    ".connector.component": _connector,
    ".transfer_library.component": _library,
    ".precision": _known("quantization"),
    "tp": _count("tp_size"),
    "pp": _count("pp_size"),
    "dp": _count("dp_size"),
    "ep": _count("ep_size"),
    "dtype": _known("dtype"),
    "kv_dtype": _known("kv_cache_dtype"),
    "block_size": _count("page_size"),
    "attention": _known("attention_backend"),
    "prefix_caching": _off_by("disable_radix_cache"),
    "graphs": _off_by("disable_cuda_graph"),
    "chunked_prefill": _chunked,
    "max_num_seqs": _count("max_running_requests"),
    "speculative": _speculative,
    "offload": _offload,
}
