"""Environment variables as setup facts: those an engine, a transport or a cache reads; the rest is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.redact import is_secret
from kb.setups.gathering import Gathering

MATTERS = re.compile(
    r"^(VLLM|SGLANG|SGL|TRTLLM|TLLM|NIXL|UCX|LMCACHE|MOONCAKE|MC|NCCL|RCCL|FI|LIBFABRIC|EFA|DYN|TORCH|PYTORCH|CUDA|HIP|ROCM|NVSHMEM"
    r"|NVLINK|MORI|MORIIO|FLASHINFER|TILELANG|OMP|HSA|AITER|GLOO|ENABLE|PYTHONHASHSEED|TRITON|FLEXKV|LLMD|DISABLE|ROCR)(_|$)"
)
"""Prefixes of variables that alter behaviour or performance."""
ADDRESSES = re.compile(r"_(HOST|PORT|IP|ADDR|ADDRESS|URL|URLS|ENDPOINT|HOSTNAME)$")
SIDE = {"VLLM_ATTENTION_BACKEND": "attention", "VLLM_KV_CACHE_LAYOUT": "kv_layout"}
"""Variables that set a fact of the side."""


def read_environment(variables: Iterable[tuple[str, str, int]], into: Gathering) -> None:
    """Facts of variables as (name, value, line)."""
    left: list[tuple[str, int]] = []
    for name, value, line in variables:
        if is_secret(name):
            into.skip(name, line, "a secret, left out")
        elif not MATTERS.match(name):
            left.append((name, line))
        elif ADDRESSES.search(name):
            into.skip(name, line, "says where it listens, which is no part of a setup")
        else:
            _one(name, value, line, into)
    if left:
        names = ", ".join(dict.fromkeys(name for name, _ in left))
        into.skip(names, left[0][1], "variables that no engine or transport reads; left out")


def _one(name: str, value: str, line: int, into: Gathering) -> None:
    into.fact(f"env.{name}", value, line, name)
    if name in SIDE:
        into.fact(f"side.{SIDE[name]}", value, line, name)
