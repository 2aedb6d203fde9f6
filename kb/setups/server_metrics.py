"""A server's Prometheus page: vLLM's `vllm:cache_config_info` states the resolved cache configuration."""

from __future__ import annotations

import re

from kb.setups.gathering import Gathering
from kb.setups.reading import Found
from kb.setups.source import Source

NAME = "server-metrics"

_INFO = re.compile(r"^vllm:cache_config_info\{(?P<labels>.*)\}\s")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_MODEL = re.compile(r'^vllm:\w+\{[^}]*model_name="(?P<name>[^"]+)"')
KEYS = {"block_size": "block_size", "cache_dtype": "kv_dtype", "enable_prefix_caching": "prefix_caching"}


def recognises(source: Source) -> bool:
    return "# TYPE vllm:" in source.text


def read(source: Source) -> Found:
    into = Gathering(source)
    part = into.part()
    models: dict[str, int] = {}
    for number, line in enumerate(source.lines, start=1):
        if match := _INFO.match(line):
            _cache(dict(_LABEL.findall(match["labels"])), number, part)
        elif match := _MODEL.match(line):
            models.setdefault(match["name"], number)
    for name, number in models.items():
        into.suggest("model", name, number, "the name it is served under")
    part.fact("engine.component", "vllm", 1, "metrics named vllm:")
    into.instance("server", 1, part)
    return into.found()


def _cache(labels: dict[str, str], line: int, part: Gathering) -> None:
    for name, key in KEYS.items():
        if (value := labels.get(name, "None")) != "None":
            part.fact(f"side.{key}", value, line, f"cache_config_info.{name}")
    if labels.get("kv_offloading_size", "None") != "None":
        part.fact("side.offload", "cpu", line, "cache_config_info.kv_offloading_size")
    if (memory := labels.get("gpu_memory_utilization")) and memory != "None":
        part.option("gpu_memory_utilization", memory, line, "cache_config_info.gpu_memory_utilization")
