"""Where the records of a base lie on disk, and how their paths are shown. Standard library only: no models."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from kb.config import Base

FOLDERS: dict[str, str] = {
    "evaluations": ".md",
    "changes": ".md",
    "components": ".yaml",
    "deployments": ".yaml",
}
"""Folder of each kind of record -> how its files end."""

VOCABULARY = "vocabulary.yaml"
TRANSLATION = re.compile(r"\.[a-z]{2}\.md$")
"""How a translation's file name ends."""


def record_files(base: Base) -> Iterator[Path]:
    """Every record file of a base, in a stable order."""
    if (vocabulary := base.entries / VOCABULARY).is_file():
        yield vocabulary
    for folder, suffix in FOLDERS.items():
        place = base.entries / folder
        if place.is_dir():
            with os.scandir(place) as found:
                names = sorted(e.name for e in found if e.name.endswith(suffix) and not e.name.startswith(("_", ".")))
            yield from (place / name for name in names)


def shown_path(path: Path, base: Base) -> str:
    """Path as people see it: relative to the base's root, with the mount's name before a mounted one."""
    relative = path.relative_to(base.root).as_posix() if path.is_relative_to(base.root) else path.as_posix()
    return f"{base.name}:{relative}" if base.name else relative
