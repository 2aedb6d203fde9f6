"""Synthetic records that answer no judged query: those of benchmarks/generate.py under made-up names.

Their prose keeps the words of the field in three languages, in claims and bodies; that is the noise. Their names and
facts (model, class, topology, network, pull-request number, version, month) are near misses of real ones: a synthetic
record with the real name would *be* an answer, and finding it no mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.generate import generate

NAMES = {
    "NixlPushConnector": "NimbusRelayConnector",
    "NixlConnector": "NimbusConnector",
    "LMCacheConnectorV1": "LatticeConnectorV1",
    "OffloadingConnector": "OverflowConnector",
    "MooncakeConnector": "MoonlightConnector",
    "Qwen3-32B": "Qwen2-72B",
    "GLM-5-FP8": "GLM-4-FP8",
    "DeepSeek-V3": "DeepThought-V3",
    "MI300X": "MI250X",
    "EFA": "Slingshot",
    "cuda_ipc": "cuda_vmm",
    "#35264": "#35265",
    "#45211": "#45212",
    "1P1D": "3P5D",
    "0.26.0": "0.23.0",
    "1.3.1": "1.2.0",
    "kv_role": "kv_rank",
}
_FOLDED = {name.casefold(): made_up for name, made_up in NAMES.items()}
_NAME = re.compile(rf"(?<![A-Za-z0-9])({'|'.join(map(re.escape, NAMES))})(?![A-Za-z0-9])", re.IGNORECASE)
_FACTS = (
    (re.compile(r"component: vllm-[\w-]+, class_name"), "class_name"),
    (re.compile(r"mode: (pull|push|store|local)"), "mode: unknown"),
    (re.compile(r", (pull|push|store|local) and (pull|push|store|local)$", re.MULTILINE), ", two connectors"),
    (re.compile(r"component: vllm-[\w-]+$", re.MULTILINE), "component: tensorrt-llm"),
    (re.compile(r"^(title: .*) of vllm-[\w-]+$", re.MULTILINE), r"\1"),
    (re.compile("prefix_caching: off"), "prefix_caching: on"),
    (re.compile("block-lifetime"), "kernels"),
    (re.compile("2026-10"), "2026-08"),
)


def distractors(count: int, seed: int = 1) -> Iterator[tuple[str, str]]:
    """`count` records as (path below entries/, text)."""
    for path, text in generate(count, seed):
        yield path, renamed(text)


def renamed(text: str) -> str:
    """A record without names and facts that somebody asks for."""
    text = _NAME.sub(lambda found: _FOLDED[found[0].casefold()], text)
    for pattern, instead in _FACTS:
        text = pattern.sub(instead, text)
    return text


def write_base(folder: Path, count: int, seed: int = 1) -> Path:
    """A base in `folder` with `count` synthetic records; it mounts the shipped one."""
    for name in ("evaluations", "changes"):
        (folder / "entries" / name).mkdir(parents=True, exist_ok=True)
    (folder / "kb.toml").write_text('[base]\nmounts = ["shipped"]\n', encoding="utf-8")
    for path, text in distractors(count, seed):
        (folder / "entries" / path).write_text(text, encoding="utf-8")
    return folder
