"""A site on disk: written aside, then moved into place, so that a reader never sees half of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from kb.errors import WriteRefused

MARK = ".kb-site"
"""File that says: this folder was made by `kb site build`, and may be replaced."""


def check(out: Path) -> None:
    """Refuse a place that holds something else. Raises WriteRefused."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise WriteRefused(f"{out} is no folder", "name a folder with --out")
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise WriteRefused(
            f"{out} holds files that are no site made by kb", "name an empty folder with --out, or a new one"
        )


def write(out: Path, fresh: Mapping[str, bytes | Path], same: Iterable[str] = ()) -> int:
    """Put a site in place: files with new content, and those that stay as they are in `out`. Bytes of all files.

    Raises WriteRefused where something else is in the way.
    """
    check(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    aside, before = (out.with_name(f".{out.name}.{end}") for end in ("new", "old"))
    for left in (aside, before):
        shutil.rmtree(left, ignore_errors=True)
    aside.mkdir()
    size = 0
    try:
        folders: set[Path] = set()
        for path, content in sorted(fresh.items()):
            size += _put(content, out / path, _folder(aside / path, folders))
        for path in sorted(same):
            size += _kept(out / path, _folder(aside / path, folders))
        (aside / MARK).write_text("made by `kb site build`\n", encoding="utf-8")
        if out.exists():
            out.rename(before)
        aside.rename(out)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(before, ignore_errors=True)
    return size


def _put(content: bytes | Path, old: Path, place: Path) -> int:
    """A file with new content, or one that has it already, with its time, for whoever copies what is new."""
    if isinstance(content, Path):
        content = content.read_bytes()
    if _is(old, content):
        return _kept(old, place)
    return place.write_bytes(content)


def _folder(path: Path, made: set[Path]) -> Path:
    if path.parent not in made:
        path.parent.mkdir(parents=True, exist_ok=True)
        made.add(path.parent)
    return path


def _is(old: Path, content: bytes) -> bool:
    """Whether a file has this content already."""
    try:
        return old.stat().st_size == len(content) and old.read_bytes() == content
    except OSError:
        return False


def _kept(old: Path, new: Path) -> int:
    """A file that stays: a second name for it where the disk can do that."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)
    return new.stat().st_size
