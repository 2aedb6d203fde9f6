"""Image references: versions of images known to carry them, suggestions of the rest."""

from __future__ import annotations

import pytest

from tests.setups.reading import reading, suggested, values

DIGEST = "@sha256:" + "ab" * 32


@pytest.mark.parametrize(
    ("image", "component", "version"),
    [
        ("vllm/vllm-openai:v0.25.1", "vllm", "0.25.1"),
        ("vllm/vllm-openai:v0.10.2-x86_64", "vllm", "0.10.2"),
        ("docker.io/vllm/vllm-openai:v0.11.0rc2", "vllm", "0.11.0rc2"),
        ("lmsysorg/sglang:v0.5.9-rocm700", "sglang", "0.5.9"),
        ("lmsysorg/sglang:v0.5.5.post3-cu126", "sglang", "0.5.5.post3"),
        ("nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc18", "tensorrt-llm", "1.3.0rc18"),
    ],
)
def test_known(image: str, component: str, version: str) -> None:
    """Images tagged by release state the engine's version."""
    got = values(image)
    assert (got["engine.component"], got["engine.version"], got["engine.image"]) == (component, version, image)


@pytest.mark.parametrize(
    ("image", "offered"),
    [
        ("ourteam/vllm-openai:v0.25.1", {"engine.version": "0.25.1"}),
        ("vllm/vllm-openai:vllm-x86_64-cu13-0.25.1-7a33ba9", {"engine.version": "0.25.1", "engine.commit": "7a33ba9"}),
        ("vllm/vllm-openai:nightly-" + "5e35" * 10, {"engine.commit": "5e35" * 10}),
        ("vllm/vllm-openai:nightly-dev-x86_64-cu13.0.1-728d3ad", {"engine.commit": "728d3ad"}),
        ("ghcr.io/ourteam/vllm:latest", {"engine.component": "vllm"}),
        ("vllm/vllm-openai:latest", {}),
        ("vllm/vllm-openai" + DIGEST, {}),
        ("ghcr.io/llm-d/llm-d-cuda:0.3.1", {}),
    ],
)
def test_suggested(image: str, offered: dict[str, str]) -> None:
    """A tag of another image, a nightly or a digest states no version; what it reads like is a suggestion."""
    got = reading(image)
    assert "engine.version" not in got.values()
    assert got.values()["engine.image"] == image
    assert {key: value for key, value in suggested(got).items() if key != "engine.component" or offered} == offered
