"""kb.scan.unread: files that differ and have no symbols to compare."""

from __future__ import annotations

import pytest

from kb.scan import Tree, scan
from kb.scan.report import FileDifference
from kb.scan.unread import unread
from tests.scan.made import component


def made(label: str, **files: bytes) -> Tree:
    content = {f"pkg/{name.replace('_', '.')}": text for name, text in files.items()}
    return Tree(label, tuple(sorted(content)), content.__getitem__)


def found(old: dict[str, bytes], new: dict[str, bytes], *globs: str) -> tuple[FileDifference, ...]:
    trees, of = (made("1.0", **old), made("2.0", **new)), component(*globs)
    return unread(scan(*trees, of), trees, of)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("a_cpp", b"int a;\n", b"int b;\n"),
        ("a_py", b"def f(:\n    return 1\n", b"def f(:\n    return 2\n"),
        ("a_py", b"x = 1\n", b"x = 1\0\n"),
        ("a_py", b"x = '\xff'\n", b"x = '\xfe'\n"),
        ("a_so", b"\0\1", b"\0\2"),
    ],
    ids=["C++", "not parsed", "NUL", "no UTF-8", "binary"],
)
def test_named(name: str, old: bytes, new: bytes) -> None:
    """Whatever no syntax tree tells apart is named; the same bytes are not."""
    assert [each.path for each in found({name: old}, {name: new})] == [f"pkg/{name.replace('_', '.')}"]
    assert found({name: old}, {name: old}) == ()


def test_what_has_symbols_is_not_named() -> None:
    """Python that is parsed, and files of others."""
    assert found({"a_py": b"x = 1\n"}, {"a_py": b"x = 2\n"}) == ()
    assert found({"a_py": b"", "b_cpp": b"1"}, {"a_py": b"", "b_cpp": b"2"}, "pkg/a.py") == ()
