"""Requirements as Poetry and setup.cfg write them, in the words of PEP 508.

Poetry: https://python-poetry.org/docs/dependency-specification/ - setup.cfg: setuptools, "Configuring setuptools using
setup.cfg files".
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator
from typing import Any

Written = tuple[str, str]
"""A requirement, and the extra or group it stands under."""


def poetry(tool: Any) -> Iterator[Written]:
    """Requirements of a `[tool.poetry]` table; its interpreter is none."""
    if not isinstance(tool, dict):
        return
    yield from _table(tool.get("dependencies"), "")
    yield from _table(tool.get("dev-dependencies"), "group dev")
    groups = tool.get("group")
    for name, group in groups.items() if isinstance(groups, dict) else ():
        yield from _table(group.get("dependencies") if isinstance(group, dict) else None, f"group {name}")


def _table(table: Any, under: str) -> Iterator[Written]:
    for name, spec in table.items() if isinstance(table, dict) else ():
        if name.lower() != "python":
            for each in spec if isinstance(spec, list) else [spec]:
                if words := _written(name, each):
                    yield words, under


def _written(name: str, spec: Any) -> str | None:
    """One requirement; none for what cannot be said so."""
    if isinstance(spec, str):
        return f"{name}{_range(spec)}"
    if not isinstance(spec, dict):
        return None
    extras = f"[{','.join(map(str, spec['extras']))}]" if isinstance(spec.get("extras"), list) else ""
    marker = f" ; {spec['markers']}" if isinstance(spec.get("markers"), str) else ""
    address = next((f"git+{spec['git']}" if key == "git" else spec[key] for key in ("git", "url") if key in spec), None)
    if address:
        return f"{name}{extras} @ {address}{marker}"
    return f"{name}{extras}{_range(str(spec.get('version', '*')))}{marker}"


def _range(text: str) -> str:
    """`^1.2` and `~1.2` as the two ends they stand for; a bare version is that version."""
    parts = [each.strip() for each in re.split(r"[,\s]\s*(?=[\^~<>=!*\d])", text.strip()) if each.strip()]
    return ",".join(filter(None, map(_part, _joined(parts))))


def _joined(parts: list[str]) -> Iterator[str]:
    """`>= 1.2` was cut in two."""
    waiting = ""
    for each in parts:
        if re.fullmatch(r"[\^~<>=!]+", each):
            waiting = each
        else:
            yield waiting + each
            waiting = ""


def _part(text: str) -> str:
    mark, version = re.fullmatch(r"([\^~<>=!]*)\s*(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    if mark not in {"^", "~", ""} or not re.fullmatch(r"\d+(\.\d+)*", version):
        if mark == "" and re.fullmatch(r"\d+(\.\d+)*\.\*|\d\S*", version):
            return f"=={version}"
        return "" if version == "*" else f"{mark}{version}"
    if not mark:
        return f"=={version}"
    return f">={version},<{_next(version, mark)}"


def _next(version: str, mark: str) -> str:
    """The first version that `^` or `~` leaves out."""
    numbers = [int(each) for each in version.split(".")]
    if mark == "~":
        place = min(1, len(numbers) - 1)
    else:
        place = next((n for n, each in enumerate(numbers) if each), len(numbers) - 1)
    return ".".join(map(str, [*numbers[:place], numbers[place] + 1]))


def setup_cfg(text: str) -> Iterator[Written]:
    """Requirements of a setup.cfg; a list read from a file is that file's matter."""
    found = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        found.read_string(text)
    except configparser.Error:
        return
    if found.has_option("options", "install_requires"):
        yield from ((each, "") for each in _lines(found["options"]["install_requires"]))
    if found.has_section("options.extras_require"):
        for extra, words in found["options.extras_require"].items():
            yield from ((each, f"extra {extra}") for each in _lines(words))


def _lines(words: str | None) -> Iterator[str]:
    for line in re.split(r"[\n]", words or ""):
        bare = re.sub(r"(^|\s)#.*$", "", line).strip()
        if bare and not bare.startswith("file:"):
            yield bare
