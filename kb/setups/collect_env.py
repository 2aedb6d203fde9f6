"""vLLM's `collect_env` output (and PyTorch's): versions, GPUs, topology, variables, distributions."""

from __future__ import annotations

import re

from kb.setups.distributions import Installed
from kb.setups.environment import read_environment
from kb.setups.gathering import Gathering
from kb.setups.reading import Found
from kb.setups.source import Source
from kb.versions import parse

NAME = "collect-env"

_VERSION = re.compile(r"^vLLM Version\s*:\s*(?P<version>\S+)(?:\s*\(git sha: (?P<sha>[0-9a-f]+))?")
_GPU = re.compile(r"^\s*GPU (?P<n>\d+): (?P<name>.+?)\s*$")
_PACKAGE = re.compile(r"^\[(?:pip3|conda)\]\s+(?P<name>[\w.-]+)(?:==|\s+)(?P<version>\d\S*)")
_VARIABLE = re.compile(r"^(?P<name>[A-Z][A-Z0-9_]+)=(?P<value>.*)$")
_NAMED = re.compile(
    r"^(?P<key>Nvidia driver version|CUDA runtime version|ROCM used to build PyTorch|HIP runtime version)"
    r"\s*:\s*(?P<value>\S.*)$"
)


def recognises(source: Source) -> bool:
    head = source.text[:200_000]
    return "PyTorch version" in head and (
        "GPU models and configuration" in head or "Collecting environment information" in head
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    installed = Installed(into)
    gpus: list[tuple[str, int]] = []
    variables: list[tuple[str, str, int]] = []
    for number, line in enumerate(source.lines, start=1):
        if match := _VERSION.match(line):
            _engine(match, number, into)
        elif match := _GPU.match(line):
            gpus.append((match["name"], number))
        elif match := _PACKAGE.match(line):
            installed.add(match["name"], match["version"], number)
        elif match := _VARIABLE.match(line):
            variables.append((match["name"], match["value"], number))
        elif (match := _NAMED.match(line)) and "N/A" not in match["value"] and "Could not" not in match["value"]:
            _driver(match, number, into)
    _machine(gpus, into)
    read_environment(variables, into)
    if any(fact.key == "engine.component" for fact in into.facts):
        installed.found.pop("engine", None)
    installed.done()
    return into.found()


def _engine(match: re.Match[str], line: int, into: Gathering) -> None:
    into.fact("engine.component", "vllm", line, "vLLM Version")
    parsed = parse(match["version"])
    if parsed and not parsed.is_devrelease:
        into.fact("engine.version", parsed.public, line, "vLLM Version")
    else:
        into.suggest("engine.version", match["version"], line, "built between releases")
    if match["sha"]:
        into.fact("engine.commit", match["sha"], line, "vLLM Version, git sha")


def _machine(gpus: list[tuple[str, int]], into: Gathering) -> None:
    names = {name for name, _ in gpus}
    if len(names) == 1:
        name, line = gpus[0]
        into.fact("hardware.gpu", name, line, "GPU models")
        into.fact("hardware.gpus_per_node", str(len(gpus)), line, "GPU models")
    elif names:
        into.skip(", ".join(sorted(names)), gpus[0][1], "several GPU models in one machine")


def _driver(match: re.Match[str], line: int, into: Gathering) -> None:
    before = next((fact for fact in into.facts if fact.key == "hardware.driver"), None)
    said = f"{match['key']} {match['value']}"
    if before is not None:
        into.facts.remove(before)
        said = f"{before.value}; {said}"
    into.fact("hardware.driver", said, line, match["key"])
