"""Strings and symbols of native libraries."""

from __future__ import annotations

import struct
from pathlib import Path

import pydantic_core
import pytest

from kb.scan import native
from tests.scan.trees import of

MANGLED = "_ZN24nixlLibfabricRailManager17reserveBaseOffsetEmRK10nixlDesc_t"


def library(*names: str, imported: tuple[str, ...] = (), texts: bytes = b"", kind: int = 11) -> bytes:
    """A minimal ELF library with these symbols and texts."""
    pool = b"\0" + b"".join(name.encode() + b"\0" for name in (*names, *imported))
    rows = b"\0" * 24
    at = 1
    for name in (*names, *imported):
        rows += struct.pack("<IBBHQQ", at, 0x12, 0, 0 if name in imported else 7, 0, 0)
        at += len(name) + 1
    body = texts + rows + pool
    start = 64 + len(body)
    head = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, start, 0, 64, 0, 0, 64, 3, 0
    )
    sections = [(0, 0, 0, 0), (kind, 64 + len(texts), len(rows), 2), (3, 64 + len(texts) + len(rows), len(pool), 0)]
    table = b"".join(struct.pack("<IIQQQQIIQQ", 0, k, 0, 0, o, s, link, 0, 0, 0) for k, o, s, link in sections)
    return head + body + table


def test_symbols() -> None:
    """Symbols that a library brings and those it asks others for."""
    found = native.symbols(library("fi_getinfo", imported=("ucp_init@UCX_1.20",)))
    assert [(each.name, each.defined, each.parts) for each in found] == [
        ("fi_getinfo", True, ("fi_getinfo",)),
        ("ucp_init@UCX_1.20", False, ("ucp_init",)),
    ]
    assert [each.name for each in native.symbols(library("inner", kind=2))] == ["inner"]


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("reserveBaseOffset", True),
        ("nixlLibfabricRailManager::reserveBaseOffset", True),
        ("nixlLibfabricRailManager.reserveBaseOffset", True),
        (MANGLED, False),
        ("reserveBase", False),
        ("Offset", False),
        ("other::reserveBaseOffset", False),
        ("reserveBaseOffset::nixlLibfabricRailManager", False),
        ("postWrite", False),
    ],
)
def test_cpp_name(name: str, there: bool) -> None:
    """A C++ name is found by its own parts in their order, whole."""
    assert native.has_symbol(library(MANGLED), name) is there


def test_real_library() -> None:
    """A library that a compiler made is read."""
    path = next(Path(pydantic_core.__file__).parent.glob("*.so"))
    data = path.read_bytes()
    assert native.has_symbol(data, "PyInit__pydantic_core")
    assert any(not each.defined and each.name.startswith("Py") for each in native.symbols(data))
    assert not native.has_symbol(data, "PyInit__pydantic")


def test_strings() -> None:
    """Texts of a library of some length; a text is found as part of a longer one."""
    data = library(texts=b"\0NIXL_PLUGIN_DIR\0ab\0\xffpost thread pool: %d\n\0")
    assert list(native.strings(data))[:2] == ["NIXL_PLUGIN_DIR", "post thread pool: %d"]
    assert native.has_string(data, "thread pool")
    assert not native.has_string(data, "NIXL_UCX")


@pytest.mark.parametrize("cut", [10, 64, 100, -64, -1])
def test_damaged(cut: int) -> None:
    """A library cut short has no symbols, or fewer, and gives no traceback."""
    whole = library(MANGLED, "b")
    assert len(native.symbols(whole[:cut])) <= len(native.symbols(whole))


@pytest.mark.parametrize(
    "data", [b"", b"\x7fELF\x01\x01" + b"\0" * 90, b"\x7fELF\x02\x01" + b"\xff" * 90, b"MZ" + b"\0" * 90]
)
def test_other_formats(data: bytes) -> None:
    """What is no ELF of 64 bit has no symbols that are read."""
    assert native.symbols(data) == ()


def test_libraries() -> None:
    """Native libraries of a release by their names."""
    names = ["a/libnixl.so", "a/libucp.so.0.0.1", "a/x.pyd", "a/so.py", "a/notes.so.txt", "a/absolute"]
    assert native.libraries(of(dict.fromkeys(names, b""))) == ("a/libnixl.so", "a/libucp.so.0.0.1", "a/x.pyd")
