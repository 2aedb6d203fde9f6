"""Writing files: first beside their place, then moved into it, so that nothing is ever half-written."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kb.errors import WriteRefused

LARGEST = 64 << 20
"""Bytes of a file that is read whole; what belongs to a base has a hundredth of it."""


def read_regular(path: Path) -> bytes:
    """Content of a regular file. Raises OSError for anything else: a pipe or a device would be read for ever, and a
    file that says it has a terabyte (disks make such ones from nothing) does not fit."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "Is a directory" if path.is_dir() else "not a regular file", str(path))
    if path.exists() and path.stat().st_size > LARGEST:
        raise OSError(errno.EFBIG, f"larger than {LARGEST >> 20} MiB", str(path))
    return path.read_bytes()


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` in one step; the folder is made when it is missing.

    Raises WriteRefused for a link: what it leads to may be no file of the base, and moving a file here would end it.
    """
    if path.is_symlink():
        raise WriteRefused(f"{path} is a link, and kb writes through none", f"change {path.readlink()} by hand")
    import tempfile  # with random and hashing behind it; reading commands never write

    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:  # of the part, whose name nobody gave
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):  # a full disk names no file
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Nobody else of us writes in a folder meanwhile: what is read and written back within loses nothing.

    The folder itself is locked, so that nothing is left behind. Where a system has no such locks this waits for nobody.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network drives refuse
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
