"""A site on disk: written aside, then moved into place, so that a reader never sees half of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from kb.errors import WriteRefused

# Paths are text here: of thousands of files a Path takes longer to make than the disk to answer.

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


def write(out: Path, fresh: Mapping[str, bytes | Path], same: Collection[str] = ()) -> int:
    """Put a site in place: files with new content, and those that stay as they are in `out`. Bytes of all files.

    Raises WriteRefused where something else is in the way.
    """
    check(out)
    if (lying := _as_it_lies(out, fresh, same)) is not None:
        return lying
    out.parent.mkdir(parents=True, exist_ok=True)
    aside, before = (out.with_name(f".{out.name}.{end}") for end in ("new", "old"))
    for left in (aside, before):
        shutil.rmtree(left, ignore_errors=True)
    aside.mkdir()
    size = 0
    try:
        folders: set[str] = set()
        for path, content in sorted(fresh.items()):
            size += _put(content, f"{out}/{path}", _place(aside, path, folders))
        for path in sorted(same):
            size += _kept(f"{out}/{path}", _place(aside, path, folders))
        (aside / MARK).write_text("made by `kb site build`\n", encoding="utf-8")
        if out.exists():
            out.rename(before)
        aside.rename(out)
    except OSError as error:  # a full disk names no file
        raise OSError(error.errno, error.strerror, error.filename or str(out)) from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(before, ignore_errors=True)
    return size


def _as_it_lies(out: Path, fresh: Mapping[str, bytes | Path], same: Collection[str]) -> int | None:
    """Bytes of a site that lies there already, file by file and no file more; None where it does not."""
    there = {MARK, *fresh, *same}
    if not out.is_dir() or {os.path.relpath(each, out) for each in _files(str(out))} != there:
        return None
    if not all(_is(f"{out}/{path}", _bytes(content)) for path, content in fresh.items()):
        return None
    return sum(os.stat(f"{out}/{path}").st_size for path in (*fresh, *same))  # noqa: PTH116


def _files(folder: str) -> Iterator[str]:
    for top, folders, names in os.walk(folder):
        yield from (f"{top}/{name}" for name in names)
        yield from (f"{top}/{name}" for name in folders if os.path.islink(f"{top}/{name}"))  # noqa: PTH114


def _bytes(content: bytes | Path) -> bytes:
    return content.read_bytes() if isinstance(content, Path) else content


def _put(content: bytes | Path, old: str, place: str) -> int:
    """A file with new content, or one that has it already, with its time, for whoever copies what is new."""
    content = _bytes(content)
    if _is(old, content):
        return _kept(old, place)
    with open(place, "wb") as file:  # noqa: PTH123
        return file.write(content)


def _place(aside: Path, path: str, made: set[str]) -> str:
    folder = f"{aside}/{path}".rpartition("/")[0]
    if folder not in made:
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103
        made.add(folder)
    return f"{aside}/{path}"


def _is(old: str, content: bytes) -> bool:
    """Whether a file has this content already."""
    try:
        if os.lstat(old).st_size != len(content):
            return False
        with open(old, "rb") as file:  # noqa: PTH123
            return file.read() == content
    except OSError:
        return False


def _kept(old: str, new: str) -> int:
    """A file that stays: a second name for it where the disk can do that."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)
    return os.stat(new).st_size  # noqa: PTH116
