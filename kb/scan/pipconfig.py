"""Where pip on this machine looks for distributions, asked of pip itself; no address of ours.

Keys: https://pip.pypa.io/en/stable/topics/configuration/
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from kb.errors import KbError

_LINE = re.compile(r"^(:env:|[\w-]+)\.([\w-]+)=(.+)$", re.MULTILINE)
_DEFAULT = re.compile(r"--index-url.*?default\s+([a-z]+://[^\s)]+)", re.DOTALL)
_SECTIONS = (":env:", "download", "global", "install")
"""Strongest first, as `pip download` has it; what is only said for install is better than nothing."""


@dataclass(frozen=True)
class Settings:
    """What pip was told."""

    indexes: tuple[str, ...]
    """Addresses of simple indexes, the main one first."""
    links: tuple[str, ...] = ()
    """Folders and pages with files (`find-links`)."""
    cert: str | None = None
    proxy: str | None = None
    timeout: float = 15.0
    trusted: tuple[str, ...] = ()
    """Hosts whose certificate is not asked for."""


@cache
def settings() -> Settings:
    """What pip on this machine is configured with. Raises KbError when nothing says where an index is."""
    told = _asked()
    words = {key: tuple(told.get(key, "").split()) for key in ("extra-index-url", "find-links", "trusted-host")}
    return Settings(
        indexes=tuple(_main(told)) + (words["extra-index-url"] if not _yes(told.get("no-index")) else ()),
        links=words["find-links"],
        cert=told.get("cert"),
        proxy=told.get("proxy"),
        timeout=float(told.get("timeout") or told.get("default-timeout") or 15),
        trusted=words["trusted-host"],
    )


def _main(told: Mapping[str, str]) -> Iterator[str]:
    if _yes(told.get("no-index")):
        return
    if address := told.get("index-url") or _default():
        yield address
    elif not told.get("extra-index-url") and not told.get("find-links"):
        raise KbError(
            "no package index is configured and there is no pip to ask for its own",
            "set PIP_INDEX_URL, install pip, or name artifacts with --old and --new",
        )


def _yes(text: str | None) -> bool:
    return (text or "").casefold() in {"1", "true", "yes", "on", "y", "t"}


def _asked() -> dict[str, str]:
    """Key -> value in force."""
    listed = _pip("config", "list")
    if listed is None:  # no pip anywhere: its environment variables still say what a person wants
        return {name[4:].lower().replace("_", "-"): value for name, value in os.environ.items() if name[:4] == "PIP_"}
    return parsed(listed)


def parsed(listed: str) -> dict[str, str]:
    """Key -> value in force, from the output of `pip config list`."""
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for section, key, value in _LINE.findall(listed):
        if section in found:
            found[section][key] = str(ast.literal_eval(value))
    return {key: value for section in reversed(_SECTIONS) for key, value in found[section].items()}


def _default() -> str | None:
    """The index pip uses when told nothing, as its own help states it."""
    stated = _DEFAULT.search(_pip("download", "--help") or "")
    return stated[1] if stated else None


def _pip(*arguments: str) -> str | None:
    """What the nearest pip prints, or None without one; an environment made by uv has none of its own."""
    for command in _commands():
        env = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        done = subprocess.run(
            [*command, *arguments], capture_output=True, text=True, env=env, cwd=sys.prefix, check=False
        )
        if done.returncode == 0:
            return done.stdout
    return None


def _commands() -> Iterator[list[str]]:
    # -P: a folder named pip where the person stands must not be run
    yield [sys.executable, "-P", "-m", "pip"]
    yield from ([path] for name in ("pip", "pip3") if (path := shutil.which(name)))
    yield from ([path, "-m", "pip"] for path in (shutil.which("python3"),) if path)
