"""Trees from folders and archives."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from kb.errors import KbError
from kb.scan import source

FILES = {
    "vllm-0.26.0/PKG-INFO": b"Name: vllm\n",
    "vllm-0.26.0/vllm/__init__.py": b"A = 1\n",
    "vllm-0.26.0/vllm/v1/worker.py": b"def run():\n    return 1\n",
}
INSIDE = ("PKG-INFO", "vllm/__init__.py", "vllm/v1/worker.py")


def tar(path: Path, files: dict[str, bytes], extra: tuple[tarfile.TarInfo, ...] = (), mode: str = "w:gz") -> Path:
    """A tar with these files and further members."""
    with tarfile.open(path, mode) as made:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            made.addfile(info, io.BytesIO(data))
        for each in extra:
            made.addfile(each)
    return path


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    """A zip with these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return path


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    """A link as a tar member."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    ("name", "mode"), [("vllm-0.26.0.tar.gz", "w:gz"), ("v.tar.xz", "w:xz"), ("v.tar.bz2", "w:bz2"), ("v.tar", "w")]
)
def test_sdist(tmp_path: Path, name: str, mode: str) -> None:
    """An sdist is read from inside its own folder, whatever compresses it."""
    tree = source.read(tar(tmp_path / name, FILES, mode=mode))
    assert tree.paths == INSIDE
    assert tree.text("vllm/__init__.py") == "A = 1\n"


def test_zip_sdist_and_wheel(tmp_path: Path) -> None:
    """The folder around a zipped sdist is taken off; a wheel has none."""
    assert source.read(zipped(tmp_path / "vllm-0.26.0.zip", FILES)).paths == INSIDE
    wheel = source.read(zipped(tmp_path / "vllm-0.26.0-py3-none-any.whl", {"vllm/setup.py": b"B"}))
    assert (wheel.label, wheel.paths, wheel.content("vllm/setup.py")) == (
        "vllm-0.26.0-py3-none-any",
        ("vllm/setup.py",),
        b"B",
    )


def test_folder(tmp_path: Path) -> None:
    """A folder is read without its version control, its caches and its links."""
    for name in ("a/x.py", ".git/config", "a/__pycache__/x.pyc", ".done"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    (tmp_path / "a/link.py").symlink_to("/etc/hostname")
    (tmp_path / "out").symlink_to("/etc")
    assert source.read(tmp_path).paths == (".done", "a/x.py")


def test_unpacked_sdist(tmp_path: Path) -> None:
    """The folder of an unpacked sdist may be named from outside or inside."""
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert source.read(tmp_path).paths == source.read(tmp_path / "vllm-0.26.0").paths == INSIDE


@pytest.mark.parametrize("names", [["vllm/a.py", "vllm/b.py"], ["a-1/setup.py", "b.py"], ["one.py"]])
def test_package_folder_stays(names: list[str]) -> None:
    """A folder that is the package, not the project, is part of the path."""
    assert source.rooted(names, "other") == {name: name for name in names}


def test_links_are_not_files(tmp_path: Path) -> None:
    """Links and devices in an archive are passed over."""
    more = (link("vllm-0.26.0/l", "/etc/passwd"), link("vllm-0.26.0/h", "vllm-0.26.0/PKG-INFO", tarfile.LNKTYPE))
    fifo = tarfile.TarInfo("vllm-0.26.0/fifo")
    fifo.type = tarfile.FIFOTYPE
    assert source.read(tar(tmp_path / "v.tar.gz", FILES, (*more, fifo))).paths == INSIDE


def test_zip_link_is_no_file(tmp_path: Path) -> None:
    """A symbolic link in a zip is passed over."""
    path = zipped(tmp_path / "v.zip", FILES)
    with zipfile.ZipFile(path, "a") as made:
        info = zipfile.ZipInfo("vllm-0.26.0/link")
        info.create_system, info.external_attr = 3, 0o120777 << 16
        made.writestr(info, "/etc/passwd")
    assert source.read(path).paths == INSIDE


@pytest.mark.parametrize("make", [tar, zipped])
@pytest.mark.parametrize(
    "name", ["../evil.py", "/etc/evil.py", "a/../../evil.py", "C:/evil.py", "..\\evil.py", "\\evil.py"]
)
def test_escape(tmp_path: Path, make: Callable[[Path, dict[str, bytes]], Path], name: str) -> None:
    """An archive with a path that leads out of it is refused whole."""
    path = make(tmp_path / ("x.zip" if make is zipped else "x.tar.gz"), {**FILES, name: b"1"})
    with pytest.raises(KbError, match="leads out of it"):
        source.read(path)


def test_huge_declared_size(tmp_path: Path) -> None:
    """A member that says it is larger than any source is refused before it is read."""
    info = tarfile.TarInfo("v/huge.py")
    info.size = 1 << 40
    (tmp_path / "x.tar").write_bytes(info.tobuf(tarfile.GNU_FORMAT) + b"\0" * 1024)
    with pytest.raises(KbError, match="says it has 1099511627776 bytes"):
        source.read(tmp_path / "x.tar")


def test_sparse(tmp_path: Path) -> None:
    """A sparse member, a few bytes that stand for many, is refused."""
    info = tarfile.TarInfo("v/sparse.py")
    info.pax_headers = {
        "GNU.sparse.major": "0",
        "GNU.sparse.minor": "1",
        "GNU.sparse.size": str(1 << 40),
        "GNU.sparse.map": "0,0",
    }
    with pytest.raises(KbError, match="refused"):
        source.read(tar(tmp_path / "x.tar.gz", {}, (info,)))


def test_tar_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tar that unpacks to far more than itself is refused on the way."""
    monkeypatch.setattr(source, "FREE", 1 << 20)
    path = tar(tmp_path / "x.tar.gz", {"v/zeros": b"\0" * (8 << 20)})
    with pytest.raises(KbError, match="unpacks to more than 1 MiB"):
        source.read(path)


def test_zip_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip that says it unpacks to far more than itself is refused before a member is read."""
    monkeypatch.setattr(source, "FREE", 1 << 20)
    path = zipped(tmp_path / "x.zip", {"v/zeros": b"\0" * (8 << 20)})
    with pytest.raises(KbError, match="says it unpacks to 8388608 bytes"):
        source.read(path)


def test_zip_that_lies(tmp_path: Path) -> None:
    """A zip member that says it is smaller than it is gives an error, never more bytes than it said."""
    path = zipped(tmp_path / "x.zip", {"v/a.py": b"x = 1\n" * 1000})
    data = path.read_bytes()
    path.write_bytes(data.replace((6000).to_bytes(4, "little"), (60).to_bytes(4, "little")))
    with pytest.raises(KbError, match=r"damaged: v/a\.py"):
        source.read(path).content("v/a.py")


@pytest.mark.parametrize("make", [tar, zipped])
def test_too_many_members(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path, dict[str, bytes]], Path]
) -> None:
    """The number of members is limited."""
    monkeypatch.setattr(source, "MAX_MEMBERS", 2)
    with pytest.raises(KbError, match="more than 2 members"):
        source.read(make(tmp_path / "x.archive", FILES))


@pytest.mark.parametrize("cut", [20, 200, -4, -9])
def test_truncated_sdist(tmp_path: Path, cut: int) -> None:
    """An sdist cut short is told so, even by its last bytes."""
    path = tar(tmp_path / "v.tar.gz", {**FILES, "vllm-0.26.0/b.py": bytes(range(256)) * 64})
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(KbError, match="cut short or damaged"):
        source.read(path)


def test_damaged_wheel(tmp_path: Path) -> None:
    """A wheel cut short, and one with a damaged member, are told so."""
    path = zipped(tmp_path / "v-1-py3-none-any.whl", {"v/a.py": bytes(range(256)) * 64})
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    with pytest.raises(KbError, match="cut short or damaged"):
        source.read(path)
    path.write_bytes(whole[:60] + b"\xff\xff\xff" + whole[63:])
    with pytest.raises(KbError, match=r"damaged: v/a\.py"):
        source.read(path).content("v/a.py")


def test_encrypted_member(tmp_path: Path) -> None:
    """An encrypted member is refused."""
    path = zipped(tmp_path / "x.zip", {"v/a.py": b"1"})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))
    with pytest.raises(KbError, match="encrypted"):
        source.read(path)


@pytest.mark.parametrize(
    "data",
    [b"", b"hello", b"PK\x03\x04", b"\x1f\x8b", gzip.compress(b"no tar in here" * 99), b"\x7fELF" + b"\0" * 600],
    ids=["empty", "text", "zip's head", "gzip's head", "gzip without a tar", "binary"],
)
def test_no_archive(tmp_path: Path, data: bytes) -> None:
    """What is no archive gives one sentence, never a traceback."""
    (tmp_path / "x.tar.gz").write_bytes(data)
    with pytest.raises(KbError, match=r"is no archive|cut short or damaged"):
        source.read(tmp_path / "x.tar.gz")


def test_nothing_there(tmp_path: Path) -> None:
    """A path without a file says so."""
    with pytest.raises(KbError, match=r"x\.whl cannot be read: No such file"):
        source.read(tmp_path / "x.whl")
