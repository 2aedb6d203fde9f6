"""Distributions on the package index whose version is a fact of the setup, and the key it belongs to."""

from __future__ import annotations

from kb.setups.gathering import Gathering
from kb.versions import parse

KEYS: dict[str, tuple[str, str]] = {
    "vllm": ("engine", "vllm"),
    "sglang": ("engine", "sglang"),
    "tensorrt-llm": ("engine", "tensorrt-llm"),
    "nixl": ("transfer_library", "nixl"),
    "nixl-cu12": ("transfer_library", "nixl"),
    "nixl-cu13": ("transfer_library", "nixl"),
    "mooncake-transfer-engine": ("transfer_library", "mooncake"),
    "mooncake-transfer-engine-non-cuda": ("transfer_library", "mooncake"),
    "lmcache": ("cache", "lmcache"),
    "ai-dynamo": ("stack", "dynamo"),
    "vllm-router": ("router", "vllm-router"),
    "aiperf": ("client", "aiperf"),
}
"""Distribution -> pin of the setup, component."""
NEIGHBOURS = frozenset(
    {
        "torch",
        "flashinfer-python",
        "flash-attn",
        "transformers",
        "ai-dynamo-runtime",
        "nvidia-nccl-cu12",
        "triton",
        "xgrammar",
    }
)
"""Distributions that people ask about and that a setup has no pin for."""


def normal(name: str) -> str:
    """A distribution's name as the index compares it (PEP 503)."""
    return name.lower().replace("_", "-").replace(".", "-")


class Installed:
    """Distributions of one environment; two that would fill one pin are told apart or left to a person."""

    def __init__(self, into: Gathering) -> None:
        self.into = into
        self.found: dict[str, list[tuple[str, str, str, int]]] = {}

    def add(self, name: str, version: str, line: int) -> None:
        """One distribution."""
        known = normal(name)
        if known in NEIGHBOURS:
            self.into.skip(f"{name} {version}", line, "a setup has no pin for it")
        elif known in KEYS:
            key, component = KEYS[known]
            self.found.setdefault(key, []).append((component, version, name, line))

    def commit(self, name: str, commit: str, line: int) -> None:
        """A distribution installed from a commit."""
        if normal(name) in KEYS:
            key, component = KEYS[normal(name)]
            self.into.fact(f"{key}.component", component, line, name)
            self.into.fact(f"{key}.commit", commit, line, f"{name} installed from a commit")

    def done(self) -> None:
        """Facts, where a pin has one answer."""
        for key, each in self.found.items():
            components = {component for component, *_ in each}
            versions = {version for _, version, *_ in each}
            if len(components) > 1 or len(versions) > 1:
                for component, version, name, line in each:
                    self.into.suggest(
                        f"{key}.version", version, line, f"{name} ({component}) is installed; which one ran is not said"
                    )
                continue
            component, version, name, line = each[0]
            self._pin(key, component, version, name, line)

    def _pin(self, key: str, component: str, version: str, name: str, line: int) -> None:
        self.into.fact(f"{key}.component", component, line, f"{name} is installed")
        parsed = parse(version)
        if parsed is None:
            self.into.skip(f"{name} {version}", line, "not a version")
        elif parsed.is_devrelease or (parsed.local and "g" in str(parsed.local)):
            self.into.suggest(
                f"{key}.version", version, line, f"{name} was built between releases; its commit is part of the version"
            )
            self._commit_in(key, str(parsed.local or ""), line, name)
        else:
            self.into.fact(f"{key}.version", parsed.public, line, f"{name} is installed")

    def _commit_in(self, key: str, local: str, line: int, name: str) -> None:
        """setuptools_scm writes `0.10.2.dev3+g1234abcd`: the commit, behind a g."""
        commit = next((part[1:] for part in local.split(".") if part.startswith("g") and len(part) >= 8), "")
        if commit and all(char in "0123456789abcdef" for char in commit):
            self.into.fact(f"{key}.commit", commit, line, f"{name}'s local version")
