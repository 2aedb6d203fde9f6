"""TensorRT-LLM's LLM-API configuration (the YAML of `trtllm-serve`) as setup facts, 1.0 to 1.3."""

from __future__ import annotations

from collections.abc import Iterable

from kb.setups.arguments import Argument
from kb.setups.elsewhere import named_file
from kb.setups.gathering import Gathering
from kb.setups.source import Table, Text, as_json

SIDE = {
    "tensor_parallel_size": "tp",
    "pipeline_parallel_size": "pp",
    "moe_expert_parallel_size": "ep",
    "max_batch_size": "max_num_seqs",
    "context_parallel_size": "pcp",
    "tokens_per_block": "block_size",
    "dtype": "dtype",
}
CACHE = {"dtype": "kv_dtype", "tokens_per_block": "block_size"}


def read_trtllm(table: Table, line: int, into: Gathering) -> None:
    """Facts of one worker's configuration; what has no key of its own goes to options under its dotted name."""
    into.fact("engine.component", "tensorrt-llm", line, "trtllm")
    for key, value in table.items():
        at = table.line(key)
        if key in SIDE and isinstance(value, Text):
            into.fact(f"side.{SIDE[key]}", value, at, key)
        elif key == "kv_cache_config" and isinstance(value, Table):
            _cache(value, into)
        elif key == "speculative_config" and isinstance(value, Table):
            _speculative(value, at, into)
        elif key == "enable_chunked_prefill" and isinstance(value, Text):
            into.fact("side.chunked_prefill", value, at, key)
        elif key == "cuda_graph_config":
            into.fact("side.graphs", "off" if value is None else "on", at, key)
            _options(key, value, at, into)
        else:
            _options(key, value, at, into)


_FILES = frozenset({"extra-llm-api-options", "config", "config-file", "c"})
"""Options that name a file of the LLM-API configuration, in which a cache transceiver is set up."""
_SEVERAL = frozenset({"disaggregated", "disaggregated_mpi_worker"})
"""Commands of `trtllm-serve` that set up prefill and decode out of a file."""


def read_trtllm_command(options: Iterable[Argument], rest: Iterable[Text], line: int, into: Gathering) -> None:
    """Facts of a `trtllm-serve` command line."""
    into.fact("engine.component", "tensorrt-llm", line, "trtllm")
    for each in options:
        if each.name in _FILES:
            named_file(each, into)
        else:
            into.option(each.name.replace("-", "_"), each.value, each.line, each.spelled)
    into.may_transfer |= not _SEVERAL.isdisjoint(rest)


def _cache(table: Table, into: Gathering) -> None:
    for key, value in table.items():
        at = table.line(key)
        if key in CACHE and isinstance(value, Text):
            into.fact(f"side.{CACHE[key]}", value, at, f"kv_cache_config.{key}")
        elif key == "enable_block_reuse" and isinstance(value, Text):
            into.fact("side.prefix_caching", value, at, f"kv_cache_config.{key}")
        else:
            _options(f"kv_cache_config.{key}", value, at, into)


def _speculative(table: Table, line: int, into: Gathering) -> None:
    method = table.text("decoding_type")
    depth = table.text("max_draft_len") or table.text("num_nextn_predict_layers")
    if method:
        into.fact("side.speculative", f"{method} {depth}" if depth else method, line, "speculative_config")
    for key, value in table.items():
        if key not in {"decoding_type", "max_draft_len", "num_nextn_predict_layers"}:
            _options(f"speculative_config.{key}", value, table.line(key), into)


def _options(name: str, value: object, line: int, into: Gathering) -> None:
    if isinstance(value, Table):
        for key, each in value.items():
            _options(f"{name}.{key}", each, value.line(key), into)
    elif value is not None:
        into.option(name, value if isinstance(value, Text) else as_json(value), line, name)
