"""kb.files: only what is a file is read, and no more than fits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kb.files import LARGEST, read_regular


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [_pipe, _sparse, _device, Path.mkdir])
def test_what_would_never_end_is_refused(make: object, tmp_path: Path) -> None:
    """At once, with its name."""
    path = tmp_path / "x"
    make(path)  # type: ignore[operator]
    with pytest.raises(OSError, match="x") as caught:
        read_regular(path)
    assert caught.value.filename == str(path)


def test_a_file_is_read(tmp_path: Path) -> None:
    """An empty one, too; one that is not there says so."""
    (tmp_path / "x").write_bytes(b"")
    assert read_regular(tmp_path / "x") == b""
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "y")
