"""Image references: a tag states a version only for images that are known to carry what their tag says."""

from __future__ import annotations

import re

from kb.setups.gathering import Gathering

RELEASE = r"v?(?P<version>\d+\.\d+(?:\.\d+)*(?:[.-]?(?:rc|post|dev|a|b)\d+)*)"

CARRIES: tuple[tuple[str, str, str], ...] = (
    (r"(?:docker\.io/)?vllm/vllm-openai", "vllm", rf"^{RELEASE}(?:-(?:x86_64|aarch64|cu\d+|ubuntu\d+))*$"),
    (
        r"(?:docker\.io/)?lmsysorg/sglang",
        "sglang",
        rf"^{RELEASE}(?:-(?:cu\d+|rocm\d+|mi\d+x?|xeon|runtime|cann[\w.]*))*$",
    ),
    (r"nvcr\.io/nvidia/tensorrt-llm/release", "tensorrt-llm", rf"^{RELEASE}$"),
)
"""Repositories whose maintainers tag a release of the engine with its own version."""

ENGINES = (("vllm", "vllm"), ("sglang", "sglang"), ("tensorrt-llm", "tensorrt-llm"))
_LOOSE = re.compile(r"(?<![A-Za-z0-9.])v?(\d+\.\d+\.\d+(?:\.?(?:rc|post)\d+)?)(?![\d.])")
_COMMIT = re.compile(r"(?<![0-9a-f])([0-9a-f]{40})(?![0-9a-f])|-((?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,12})$")
REFERENCE = re.compile(r"^(?:[\w.-]+(?::\d+)?/)*[\w.-]+/?[\w.-]+(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$")


def parts(reference: str) -> tuple[str, str, str]:
    """Repository, tag and digest of a reference; tag and digest may be empty."""
    name, _, digest = reference.partition("@")
    head, _, last = name.rpartition("/")
    last, _, tag = last.partition(":")
    return (f"{head}/{last}" if head else last), tag, digest


def read_image(reference: str, line: int, into: Gathering, key: str = "engine") -> None:
    """What an image says of the engine (or of `key`) it carries."""
    into.fact(f"{key}.image", reference, line, "image")
    repository, tag, _ = parts(reference)
    for pattern, engine, tags in CARRIES:
        if not re.fullmatch(pattern, repository):
            continue
        into.fact(f"{key}.component", engine, line, "image")
        if match := re.match(tags, tag):
            into.fact(
                f"{key}.version", match["version"].replace("-", ""), line, f"tag of {repository}, tagged by release"
            )
            return
        _suggested(engine, tag, line, into, key)
        return
    engine = next((name for word, name in ENGINES if word in repository.lower()), "")
    if engine and key == "engine":
        _suggested(engine, tag, line, into, key)


def _suggested(engine: str, tag: str, line: int, into: Gathering, key: str) -> None:
    if match := _LOOSE.search(tag):
        into.suggest(f"{key}.version", match[1], line, f"the tag {tag} reads like a version of {engine}")
    if match := _COMMIT.search(tag):
        into.suggest(f"{key}.commit", match[1] or match[2], line, f"the tag {tag} reads like a commit of {engine}")
    if not _LOOSE.search(tag) and not _COMMIT.search(tag):
        into.suggest(f"{key}.component", engine, line, "the image's name; its tag gives no version")
