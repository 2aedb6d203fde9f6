"""What the shape of a vLLM result betrays: which releases write it so, and what its labels therefore measure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote a result: the tool, its releases as far as the shape tells, and how first tokens were taken."""

    tool: str
    version: str | None
    first_chunk: str
    """What counts as the first token on chat: `content` (0.33), `role` (0.8 to 0.25), `text` (0.6)."""
    counts_at_server: bool = False
    """On chat the prompt's tokens are the server's count."""


def writer(keys: Collection[str]) -> Writer:
    """From the keys of a JSON result. Bounds are the releases read: 0.6.6, 0.8.5, 0.10.2, 0.12.0, 0.25.1, 0.33.0."""
    if "benchmark_start_time_unix" in keys:
        return Writer("InferenceX benchmark_serving.py", None, "text")
    if "endpoint_type" not in keys:
        return _script(keys)
    if "queue_times" in keys or "mean_client_queue_time_ms" in keys:
        return Writer("vllm bench serve", ">0.25.1", "content", counts_at_server=True)
    if "rtfx" in keys:
        return Writer("vllm bench serve", ">0.12.0,<0.33.0", "role", counts_at_server=True)
    if "failed" in keys:
        return Writer("vllm bench serve", ">0.10.2,<0.25.1", "role")
    colon = "request_goodput:" in keys
    return Writer("vllm bench serve", ">=0.8.5,<0.10.2" if colon else ">0.8.5,<0.12.0", "role")


def _script(keys: Collection[str]) -> Writer:
    if "best_of" in keys:
        return Writer("vllm benchmark_serving.py", "<0.8.5", "text")
    return Writer("vllm benchmark_serving.py", ">0.6.6,<0.11", "role")


def first_token(metric: str, chunk: str, chat: bool | None) -> str | None:
    """Definition of `ttft` or `itl`; None where it is not known whether chat was called and that matters."""
    plain = f"vllm-bench.{metric}"
    if chunk == "content" or chat is False:
        return plain
    if chat is None:
        return None
    if chunk == "text":
        return "vllm-bench.ttft-0.6" if metric == "ttft" else plain
    return f"{plain}-role-chunk"


def is_chat(*words: str | None) -> bool | None:
    """Whether chat was called, by the client's flavour or its endpoint; None when neither is known."""
    known = [word for word in words if word]
    if not known:
        return None
    return any("chat" in word for word in known)
