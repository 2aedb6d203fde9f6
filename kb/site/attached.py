"""Files beside an evaluation, `<id>/`: which of them go on the site, and under which names.

A reader downloads them; no browser must take one for a page of the site. So a file keeps only an ending that is data
wherever it is served from; every other text is `.txt` and everything else `.bin`. Symbolic links, pipes, devices and
hidden files are left where they are.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from kb.config import Base, Config
from kb.evaluation import Evaluation
from kb.library import Library
from kb.places import shown_path

LARGEST = 8 << 20
"""Bytes of one file that is put on a site; of a larger one its name and size are told."""
MOST = 200
"""Files of one evaluation that are put on a site; how many more there are is told."""
DATA = frozenset({".json", ".csv", ".txt", ".gz", ".zip", ".png", ".jpg", ".jpeg", ".webp"})
"""Endings that web servers know and no browser runs."""


class Attached(NamedTuple):
    """A file beside an evaluation."""

    name: str
    """Below the evaluation's folder, with forward slashes."""
    place: Path
    size: int
    target: str | None
    """Its name on the site, below the evaluation's page; None for one that is too large or one too many."""


def attached(config: Config, library: Library) -> dict[str, tuple[Attached, ...]]:
    """Evaluation -> the files in its folder, by name; a record of the base goes before a mounted one of the same id."""
    paths = {each.path: each.record.id for each in library.loaded if isinstance(each.record, Evaluation)}
    found: dict[str, tuple[Attached, ...]] = {}
    for base in config.bases:
        for folder in _folders(base):
            id_ = paths.get(shown_path(folder.with_name(f"{folder.name}.md"), base))
            if id_ is not None and id_ not in found and (files := tuple(_files(folder))):
                found[id_] = files
    return found


def _folders(base: Base) -> list[Path]:
    try:
        with os.scandir(base.entries / "evaluations") as listed:
            return sorted(Path(each.path) for each in listed if each.is_dir(follow_symlinks=False))
    except OSError:
        return []


def _files(folder: Path) -> Iterator[Attached]:
    taken: set[str] = set()
    for number, place in enumerate(_regular(folder)):
        size = place.stat().st_size
        name = place.relative_to(folder).as_posix().encode("utf-8", "replace").decode()
        yield Attached(name, place, size, _target(name, place, taken) if size <= LARGEST and number < MOST else None)


def _regular(folder: Path) -> list[Path]:
    """Regular files that can be read, hidden ones and what links point at aside."""
    found = []
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(each for each in names if not each.startswith(".")):
            place = Path(top) / name
            if stat.S_ISREG(place.lstat().st_mode) and os.access(place, os.R_OK):
                found.append(place)
    return found


def _target(name: str, place: Path, taken: set[str]) -> str:
    """A name that is the same on any disk and in any address, with one ending, and that one is data."""
    suffix = PurePosixPath(name).suffix
    ending = suffix.casefold() if suffix.casefold() in DATA else _ending(place)
    whole = name.removesuffix(suffix) if suffix.casefold() in DATA else name
    stem = re.sub(r"[^A-Za-z0-9_]+", "-", whole).strip("-")[:100] or "file"
    made, number = f"{stem}{ending}", 1
    while made.casefold() in taken:
        number += 1
        made = f"{stem}-{number}{ending}"
    taken.add(made.casefold())
    return f"files/{made}"


def _ending(place: Path) -> str:
    """Text or not, by its first bytes."""
    with place.open("rb") as file:
        head = file.read(4096)
    text = head.decode("utf-8", "replace")
    cut = text.removesuffix("\ufffd") if len(head) == 4096 else text  # a letter may be cut in two
    return ".bin" if "\0" in cut or "\ufffd" in cut else ".txt"
