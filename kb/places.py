"""Where the records of a base lie on disk, and how their paths are shown. Standard library only: no models."""

from __future__ import annotations

import os
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
SYMBOLS = ".symbols.tsv"
"""How the table of symbols beside a component ends (kb.digests.SUFFIX)."""


class Stamp(NamedTuple):
    """A record file without a Path: making ten thousand of those takes longer than asking the disk."""

    place: str
    """Below the entries folder, with forward slashes."""
    size: int
    mtime_ns: int


Listed = list[tuple[str, int, int]]
"""Names of files with their sizes and times, sorted."""


def record_files(base: Base) -> Iterator[Path]:
    """Every record file of a base, in a stable order."""
    return (base.entries / stamp.place for stamp in stamps(listing(base)))


def listing(base: Base) -> dict[str, Listed]:
    """What lies in each folder of records, and the vocabulary beside them. Every search asks the disk for this."""
    found = {folder: _listed(f"{base.entries}/{folder}", suffix) for folder, suffix in FOLDERS.items()}
    return {"": _vocabulary(f"{base.entries}/{VOCABULARY}"), **found}


def symbols_of(record: str) -> str:
    """Where the table of symbols of a component lies, when it has one: `x.yaml`, `x.symbols.tsv`."""
    return record.removesuffix(".yaml") + SYMBOLS


def results_of(record: str) -> str:
    """Where the table of points of an evaluation lies, when it has one: `x.md`, `x/results.csv`."""
    return record.removesuffix(".md") + "/results.csv"


def _with_tables(folder: str, others: list[os.DirEntry[str]], listed: Listed) -> Listed:
    """Sizes and times of records with those of their tables added; few records have a folder of their own."""
    own = {f"{each.name}.md" for each in others if each.is_dir()}
    return [_with_table(folder, row) if row[0] in own else row for row in listed] if own else listed


def _with_table(folder: str, row: tuple[str, int, int]) -> tuple[str, int, int]:
    try:
        found = os.stat(f"{folder}/{results_of(row[0])}")  # noqa: PTH116  a Path takes longer to make
    except OSError:
        return row
    return (row[0], row[1] + found.st_size, (row[2] + found.st_mtime_ns) & _LARGEST)


_LARGEST = (1 << 62) - 1
"""Times are kept within what SQLite's whole numbers hold."""


def stamps(found: dict[str, Listed]) -> Iterator[Stamp]:
    """Every record file of a listing; a name that is no text names no record."""
    for folder, listed in found.items():
        before = f"{folder}/" if folder else ""
        yield from (Stamp(before + name, size, time) for name, size, time in listed if _is_text(name))


def _vocabulary(path: str) -> Listed:
    try:
        found = os.stat(path)  # noqa: PTH116  a Path takes longer to make
    except OSError:
        return []
    return [(VOCABULARY, found.st_size, found.st_mtime_ns)]


def _listed(folder: str, suffix: str) -> Listed:
    try:
        with os.scandir(folder) as entries:
            every = list(entries)
    except OSError:
        return []
    found = [each for each in every if each.name.endswith(suffix) and each.name[0] not in "_."]
    try:
        listed = sorted([(each.name, (stat := each.stat()).st_size, stat.st_mtime_ns) for each in found])
    except OSError:  # gone meanwhile, or a link that leads nowhere: kb.strays names it
        listed = sorted(row for each in found for row in _stamp(each))
    if len(found) == len(every):
        return listed
    others = [each for each in every if not each.name.endswith(suffix)]
    return _with_tables(folder, others, listed) if suffix == ".md" else _with_symbols(others, listed)


def _with_symbols(others: list[os.DirEntry[str]], listed: Listed) -> Listed:
    """Sizes and times of components with those of their tables of symbols added."""
    tables = [row for each in others if each.name.endswith(SYMBOLS) for row in _stamp(each)]
    beside = {f"{name.removesuffix(SYMBOLS)}.yaml": (size, time) for name, size, time in tables}
    return [
        (name, size + beside.get(name, (0, 0))[0], (time + beside.get(name, (0, 0))[1]) & _LARGEST)
        for name, size, time in listed
    ]


def _stamp(entry: os.DirEntry[str]) -> Listed:
    try:
        found = entry.stat()
    except OSError:
        return []
    return [(entry.name, found.st_size, found.st_mtime_ns)]


def _is_text(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)


def is_translation(path: str) -> bool:
    """Whether a file's name ends as a translation's does: `x.ja.md`; `x.md.md` is a slip, no language."""
    dot, language = path[-6:-5], path[-5:-3]
    return (
        path.endswith(".md")
        and dot == "."
        and language.isascii()
        and language.isalpha()
        and (language.islower() and language != "md")
    )


def shown_path(path: Path, base: Base) -> str:
    """Path as people see it: relative to the base's root, with the mount's name before a mounted one."""
    relative = path.relative_to(base.root).as_posix() if path.is_relative_to(base.root) else path.as_posix()
    return f"{base.name}:{relative}" if base.name else relative


def is_mounted(shown: str) -> bool:
    """Whether a path, as people see it, is of a mounted base: a mount's name has no slash."""
    base, colon, _ = shown.partition(":")
    return bool(colon) and "/" not in base


def named_by(text: str) -> tuple[str, str | None]:
    """Id and language that a path of a record names (`entries/evaluations/x.ja.md`: x, ja); other text is an id."""
    import re

    name = text.replace("\\", "/").rpartition("/")[2]
    if name == text and not name.endswith((".md", ".yaml")):
        return text, None
    if found := re.fullmatch(r"(.+)\.([a-z]{2})\.md", name):
        return found[1], found[2]
    return re.sub(r"\.(md|yaml)$", "", name), None
