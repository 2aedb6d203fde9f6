"""A site on disk: files are written aside and then moved into place, few of them one by one, more as a whole site, so
that a reader never sees half of one."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from kb.errors import WriteRefused

# Paths are text here: of thousands of files a Path takes longer to make than the disk to answer.

MARK = ".kb-site"
"""File that says: this folder was made by `kb site build`, and may be replaced."""
FEW = 500
"""Files up to which a site is changed where it lies."""


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
    lying = _lying(out)
    new = {path: content for path, content in fresh.items() if not _is(f"{out}/{path}", _bytes(content))}
    kept = [*same, *(fresh.keys() - new.keys())]
    gone = lying.keys() - {MARK, *fresh, *same} if lying else set()
    aside, before = (out.with_name(f".{out.name}.{end}") for end in ("new", "old"))
    for left in (aside, before):
        shutil.rmtree(left, ignore_errors=True)
    try:
        if lying and len(new) + len(gone) <= FEW and lying.keys() >= {MARK, *kept} and not _in_the_way(new, lying):
            _some(out, new, gone, aside)
            return sum(lying[path] for path in kept) + sum(len(_bytes(content)) for content in new.values())
        return _whole(out, new, kept, aside, before)
    except OSError as error:  # a full disk names no file
        raise OSError(error.errno, error.strerror, error.filename or str(out)) from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(before, ignore_errors=True)


def _whole(out: Path, new: Mapping[str, bytes | Path], kept: Iterable[str], aside: Path, before: Path) -> int:
    """All files in a new folder, which takes the place of the old one."""
    aside.mkdir(parents=True)
    size = 0
    folders: set[str] = set()
    for path, content in sorted(new.items()):
        with open(_place(aside, path, folders), "wb") as file:  # noqa: PTH123
            size += file.write(_bytes(content))
    for path in sorted(kept):
        size += _kept(f"{out}/{path}", _place(aside, path, folders))
    (aside / MARK).write_text("made by `kb site build`\n", encoding="utf-8")
    if out.exists():
        out.rename(before)
    aside.rename(out)
    return size


def _some(out: Path, new: Mapping[str, bytes | Path], gone: Iterable[str], aside: Path) -> None:
    """Few files into the folder as it lies there, each of them whole before the first takes its place: to make a folder
    for every page again takes longer than all the rest."""
    names = {path: f"{aside}/{number}" for number, path in enumerate(sorted(new))}
    aside.mkdir()
    for path, name in names.items():
        with open(name, "wb") as file:  # noqa: PTH123
            file.write(_bytes(new[path]))
    for path in gone:  # first: on some disks a name in other letters is the same file
        os.unlink(f"{out}/{path}")  # noqa: PTH108
    folders: set[str] = set()
    for path, name in names.items():
        os.replace(name, _place(out, path, folders))  # noqa: PTH105
    for folder in {path.rpartition("/")[0] for path in gone} - {""}:
        with suppress(OSError):  # something else lies there
            os.removedirs(f"{out}/{folder}")


def _lying(out: Path) -> dict[str, int] | None:
    """Path -> bytes of the files of a site as it lies there; None where there is none, or anything but plain files."""
    found: dict[str, int] = {}
    folders = [""] if out.is_dir() else []
    for folder in folders:
        for each in os.scandir(f"{out}/{folder}"):
            if each.is_dir(follow_symlinks=False):
                folders.append(f"{folder}{each.name}/")
            elif each.is_file(follow_symlinks=False):
                found[f"{folder}{each.name}"] = each.stat(follow_symlinks=False).st_size
            else:
                return None
    return found if folders else None


def _in_the_way(new: Iterable[str], lying: Collection[str]) -> bool:
    """Whether a file is to be where a folder lies, or a folder where a file lies."""
    folders = {above for place in {each.rpartition("/")[0] for each in lying} for above in (place, *_above(place))}
    return any(path in folders or any(above in lying for above in _above(path)) for path in new)


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _bytes(content: bytes | Path) -> bytes:
    return content.read_bytes() if isinstance(content, Path) else content


def _place(top: Path, path: str, made: set[str]) -> str:
    folder = f"{top}/{path}".rpartition("/")[0]
    if folder not in made:
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103
        made.add(folder)
    return f"{top}/{path}"


def _is(old: str, content: bytes) -> bool:
    """Whether a file has this content already."""
    try:
        found = os.lstat(old)
        if not stat.S_ISREG(found.st_mode) or found.st_size != len(content):
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
