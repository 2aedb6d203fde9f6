"""Where the records of a base lie on disk, and how their paths are shown. Standard library only: no models."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kb.config import Base

FOLDERS: dict[str, str] = {
    "evaluations": ".md",
    "changes": ".md",
    "components": ".yaml",
    "deployments": ".yaml",
}
"""Folder of each kind of record -> how its files end."""

VOCABULARY = "vocabulary.yaml"
TRANSLATION = re.compile(r"\.(?!md)[a-z]{2}\.md$")
"""How a translation's file name ends; `x.md.md` is a slip, no language."""


class Stamp(NamedTuple):
    """A record file without a Path: making ten thousand of those takes longer than asking the disk."""

    place: str
    """Below the entries folder, with forward slashes."""
    size: int
    mtime_ns: int


def record_files(base: Base) -> Iterator[Path]:
    """Every record file of a base, in a stable order."""
    return (base.entries / stamp.place for stamp in stamps(base))


def stamps(base: Base) -> Iterator[Stamp]:
    """Every record file of a base with its size and time, in a stable order."""
    try:
        vocabulary = os.stat(f"{base.entries}/{VOCABULARY}")  # noqa: PTH116  as below
    except OSError:
        pass
    else:
        yield Stamp(VOCABULARY, vocabulary.st_size, vocabulary.st_mtime_ns)
    for folder, suffix in FOLDERS.items():
        try:
            with os.scandir(f"{base.entries}/{folder}") as listed:
                found = [each for each in listed if each.name.endswith(suffix) and not each.name.startswith(("_", "."))]
        except OSError:
            continue
        yield from (stamp for each in sorted(found, key=_name) if (stamp := _stamp(folder, each)))


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _stamp(folder: str, entry: os.DirEntry[str]) -> Stamp | None:
    try:
        entry.name.encode()
        found = entry.stat()
    except (OSError, UnicodeEncodeError):  # gone meanwhile, a link that leads nowhere, a name that is no text
        return None
    return Stamp(f"{folder}/{entry.name}", found.st_size, found.st_mtime_ns)


def shown_path(path: Path, base: Base) -> str:
    """Path as people see it: relative to the base's root, with the mount's name before a mounted one."""
    relative = path.relative_to(base.root).as_posix() if path.is_relative_to(base.root) else path.as_posix()
    return f"{base.name}:{relative}" if base.name else relative


def named_by(text: str) -> tuple[str, str | None]:
    """Id and language that a path of a record names (`entries/evaluations/x.ja.md`: x, ja); other text is an id."""
    name = text.replace("\\", "/").rpartition("/")[2]
    if name == text and not name.endswith((".md", ".yaml")):
        return text, None
    if found := re.fullmatch(r"(.+)\.([a-z]{2})\.md", name):
        return found[1], found[2]
    return re.sub(r"\.(md|yaml)$", "", name), None
