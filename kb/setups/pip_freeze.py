"""`pip freeze`, `pip list` and `uv pip list` output."""

from __future__ import annotations

import re

from kb.setups.distributions import Installed
from kb.setups.gathering import Gathering
from kb.setups.reading import Found
from kb.setups.source import Source

NAME = "pip-freeze"

_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9][\w.-]*)(?:\[[\w,.-]+\])?==(?P<version>[^\s;#]+)(?:\s*[;#].*)?$")
_DIRECT = re.compile(r"^(?P<name>[A-Za-z0-9][\w.-]*)\s*@\s*(?P<url>\S+)|^-e\s+(?P<edit>\S+)")
_COLUMNS = re.compile(
    r"^(?P<name>[A-Za-z0-9][\w.-]*)\s{2,}v?(?P<version>\d[\w.+!-]*)(?:\s.*)?$"
    r"|^(?P<one>[A-Za-z0-9][\w.-]*) +(?P<v>\d+\.[\w.+!-]*)$"
)
_COMMIT = re.compile(r"@([0-9a-f]{7,40})(?:#|$)")
_EGG = re.compile(r"#egg=([\w.-]+)")


def _kind(line: str) -> bool:
    return bool(_PINNED.match(line) or _DIRECT.match(line) or _COLUMNS.match(line))


def recognises(source: Source) -> bool:
    """Nearly every line pins a distribution."""
    lines = [
        line.strip()
        for line in source.lines[:400]
        if line.strip() and not line.startswith(("#", "Package ", "----", "WARNING", "["))
    ]
    pinned = sum(1 for line in lines if _kind(line))
    return len(lines) >= 1 and pinned >= 0.9 * len(lines) and pinned > 0 and "Collecting environment" not in source.text


def read(source: Source) -> Found:
    into = Gathering(source)
    installed = Installed(into)
    for number, raw in enumerate(source.lines, start=1):
        line = raw.strip()
        if match := _PINNED.match(line):
            installed.add(match["name"], match["version"], number)
        elif match := _DIRECT.match(line):
            _direct(match, number, installed, into)
        elif match := _COLUMNS.match(line):
            installed.add(match["name"] or match["one"], match["version"] or match["v"], number)
    installed.done()
    if not into.facts and not into.suggestions:
        into.skip("no distribution of a serving stack", 1, "none of the installed ones has a pin in a setup")
    return into.found()


def _direct(match: re.Match[str], line: int, installed: Installed, into: Gathering) -> None:
    url = match["url"] or match["edit"]
    egg = _EGG.search(url)
    name = match["name"] or (egg[1] if egg else "")
    if commit := _COMMIT.search(url):
        installed.commit(name, commit[1], line)
    elif name and name.lower() in {"vllm", "sglang", "nixl", "lmcache"}:
        into.skip(f"{name} @ {url}", line, "installed from a place without a commit")
