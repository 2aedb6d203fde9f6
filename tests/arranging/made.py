"""Result files as `vllm bench serve` writes them, made for these tests: every number is chosen by the caller."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kb.config import Config
from kb.config import read as read_config
from kb.record import make_base


def result(**changed: Any) -> dict[str, Any]:
    """One run; times in ms, 100 requests of 1000 input and 128 output tokens."""
    made: dict[str, Any] = {
        "date": "20261019-120000",
        "endpoint_type": "openai",
        "backend": "openai",
        "label": None,
        "model_id": "Qwen/Qwen3-32B",
        "tokenizer_id": "Qwen/Qwen3-32B",
        "num_prompts": 100,
        "request_rate": 4.0,
        "burstiness": 1.0,
        "max_concurrency": None,
        "duration": 30.0,
        "completed": 100,
        "failed": 0,
        "total_input_tokens": 100_000,
        "total_output_tokens": 12_800,
        "request_throughput": 3.3,
        "output_throughput": 426.7,
        "total_token_throughput": 3760.0,
        "mean_ttft_ms": 250.0,
        "median_ttft_ms": 200.0,
        "std_ttft_ms": 40.0,
        "p99_ttft_ms": 400.0,
        "mean_tpot_ms": 20.5,
        "median_tpot_ms": 20.0,
        "std_tpot_ms": 1.0,
        "p99_tpot_ms": 22.0,
        "mean_itl_ms": 20.5,
        "median_itl_ms": 20.0,
        "std_itl_ms": 1.0,
        "p99_itl_ms": 23.0,
    }
    return made | changed


def write(path: Path, **changed: Any) -> Path:
    """Write one result file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result(**changed)))
    return path


def pair(folder: Path, repeats: int = 1) -> Path:
    """push and pull at rates 1 and 8: alike at 1, push needs a third at 8; repeats scatter by a millisecond."""
    for arm, heavy in (("push", 540.0), ("pull", 1620.0)):
        for rate in (1.0, 8.0):
            for n in range(repeats):
                ttft = (200.0 if rate == 1 else heavy) + n
                name = f"rate{rate:g}-rep{n + 1}.json"
                write(folder / arm / name, request_rate=rate, median_ttft_ms=ttft, mean_ttft_ms=ttft + 10.5 + 0.25 * n,
                      p99_ttft_ms=2 * ttft, median_tpot_ms=20.0 + n)  # fmt: skip
    return folder


def base(folder: Path) -> Config:
    """An empty base."""
    make_base(folder)
    return read_config(folder)
