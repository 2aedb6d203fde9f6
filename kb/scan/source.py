"""A `Tree` from a folder or an archive (sdist, wheel), read without unpacking, following links or running anything.

Limits hold before bytes are kept: an archive that lies about its sizes, leads out of itself or expands without end
is refused whole.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import struct
import tarfile
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from kb.errors import KbError
from kb.scan.tree import Tree

MAX_MEMBERS = 200_000
MAX_MEMBER = 1 << 30
"""Bytes of one member; native libraries of an engine's wheel reach several hundred MB."""
MAX_TAR = 512 << 20
"""Bytes of a whole unpacked tar: it can only be read from front to back, so it is kept in memory."""
MAX_ZIP = 16 << 30
"""Bytes of all members of a zip as declared; they are read one at a time."""
MAX_RATIO = 200
"""How much larger than itself an archive may become once it is larger than `FREE`."""
FREE = 64 << 20

SKIPPED = frozenset({".git", ".hg", ".venv", "__pycache__", "node_modules"})
ROOT_MARKS = ("PKG-INFO", "pyproject.toml", "setup.py", "setup.cfg")
DAMAGED = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    OverflowError,
    struct.error,
    ValueError,
    NotImplementedError,
)
_STREAMS: tuple[tuple[bytes, Callable[[IO[bytes]], object]], ...] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ\x00", lzma.open),
)


def read(path: Path, label: str = "") -> Tree:
    """The tree of a folder or an archive. Raises KbError."""
    return folder(path, label) if path.is_dir() else archive(path, label)


def folder(path: Path, label: str = "") -> Tree:
    """Files of a folder; links are not followed, version control and caches are left out."""
    found = {each.relative_to(path).as_posix(): each for each in _files(path)}
    names = rooted(found, path.name)
    return Tree(label or path.name, tuple(sorted(names)), lambda name: found[names[name]].read_bytes())


def _files(path: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(path):
        folders[:] = sorted(each for each in folders if each not in SKIPPED)
        for name in names:
            file = Path(place, name)
            if stat.S_ISREG(file.lstat().st_mode):
                yield file


def archive(path: Path, label: str = "") -> Tree:
    """Files of an sdist or a wheel. Raises KbError when it is damaged, hostile or no archive."""
    with _told(path):
        with path.open("rb") as raw:
            head = raw.read(512)
        if head[:4] in {b"PK\x03\x04", b"PK\x05\x06"}:
            return _zip(path, label or stem(path.name))
        open_stream = next((wrap for magic, wrap in _STREAMS if head.startswith(magic)), None)
        if open_stream is None and head[257:262] != b"ustar":
            raise KbError(f"{path} is no archive", "an sdist (.tar.gz, .zip), a wheel (.whl) or a folder is read")
        return _tar(path, label or stem(path.name), open_stream)


def stem(name: str) -> str:
    """File name of an archive without what says which kind it is."""
    for suffix in (".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tar", ".zip", ".whl"):
        if name.endswith(suffix):
            return name.removesuffix(suffix)
    return name


@contextmanager
def _told(path: Path, member: str = "") -> Iterator[None]:
    """Every way a reader can fail, as one sentence."""
    try:
        yield
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise KbError(f"{path} cannot be read: {error.strerror}") from None
    except DAMAGED as error:
        where = f": {member}" if member else ""
        raise KbError(f"{path} is cut short or damaged{where} ({error})", "fetch it again") from None


def safe(name: str, path: Path) -> str:
    """A member's path, normalised. Raises KbError when it leads out of the archive."""
    parts = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or ".." in parts or "\0" in name or (len(name) > 1 and name[1] == ":"):
        raise _refused(path, f"member {name!r} leads out of it")
    return "/".join(part for part in parts if part not in {"", "."})


def _refused(path: Path, why: str) -> KbError:
    return KbError(f"{path} is refused: {why}", "no sdist or wheel needs that; check where the file comes from")


def rooted(names: Iterable[str], title: str) -> dict[str, str]:
    """Path from the project's root -> path as stored: the one folder around an sdist is taken off."""
    stored = list(names)
    tops = {name.split("/", 1)[0] for name in stored if not name.startswith(".")}
    top = tops.pop() if len(tops) == 1 else ""
    inside = {name for name in stored if name.startswith(f"{top}/")}
    if top and (top == title or any(f"{top}/{mark}" in inside for mark in ROOT_MARKS)):
        return {name.removeprefix(f"{top}/"): name for name in stored if name in inside}
    return {name: name for name in stored}


Opened = Callable[[IO[bytes]], object] | None


def _tar(path: Path, label: str, opened: Opened) -> Tree:
    data = _unpacked(path, opened)
    view = data.getbuffer()
    files: dict[str, slice] = {}
    with tarfile.open(fileobj=data, mode="r:") as tar:
        for count, member in enumerate(tar, 1):
            _counted(count, path)
            name = safe(member.name, path)
            if member.isreg():
                files[name] = _where(member, len(view), path)
    names = rooted(files, stem(path.name))
    return Tree(label, tuple(sorted(names)), lambda name: bytes(view[files[names[name]]]))


def _unpacked(path: Path, opened: Opened) -> io.BytesIO:
    """The tar inside, to its end, where its checksum is; no more of it than it may have."""
    limit = min(MAX_TAR, max(FREE, MAX_RATIO * path.stat().st_size))
    data = io.BytesIO()
    with path.open("rb") as raw:
        stream = cast("IO[bytes]", opened(raw)) if opened else raw
        while more := stream.read(1 << 20):
            if data.write(more) and data.tell() > limit:
                raise _refused(path, f"it unpacks to more than {limit >> 20} MiB")
    data.seek(0)
    return data


def _where(member: tarfile.TarInfo, length: int, path: Path) -> slice:
    if not 0 <= member.size <= MAX_TAR or member.issparse():
        raise _refused(path, f"member {member.name!r} says it has {member.size} bytes")
    end = member.offset_data + member.size
    if end > length:
        raise tarfile.ReadError(f"{member.name} ends too early")
    return slice(member.offset_data, end)


def _counted(count: int, path: Path) -> None:
    if count > MAX_MEMBERS:
        raise _refused(path, f"it has more than {MAX_MEMBERS} members")


def _zip(path: Path, label: str) -> Tree:
    opened = zipfile.ZipFile(path)
    files = dict(_listed(opened.infolist(), path))
    names = {name: name for name in files} if path.suffix == ".whl" else rooted(files, stem(path.name))
    lock = threading.Lock()

    def content(name: str) -> bytes:
        with _told(path, name), lock:
            return opened.read(files[names[name]])

    return Tree(label, tuple(sorted(names)), content)


def _listed(members: list[zipfile.ZipInfo], path: Path) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    _counted(len(members), path)
    total = sum(each.file_size for each in members)
    if total > MAX_ZIP or total > max(FREE, MAX_RATIO * path.stat().st_size):
        raise _refused(path, f"it says it unpacks to {total} bytes")
    for each in members:
        name = safe(each.filename, path)
        if each.file_size > MAX_MEMBER:
            raise _refused(path, f"member {each.filename!r} says it has {each.file_size} bytes")
        if each.flag_bits & 1:
            raise _refused(path, f"member {each.filename!r} is encrypted")
        kind = stat.S_IFMT(each.external_attr >> 16)
        if not each.is_dir() and kind in {0, stat.S_IFREG}:
            yield name, each
