"""A file or standard input, opened once."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from kb.importers.source import Source, Unreadable, of_text, open_file
from kb.importers.yamltext import documents

SHAPES = {
    "object": ('{"a": 1}', '  {\n "a": 1}\n', "{}"),
    "list": ('[{"a": 1}, {"a": 2}]', "[]", '[\n{"a": 1}'),
    "lines": ('{"a": 1}\n{"a": 2}\n', '{"a": 1}{"a": 2}', '{"a": 1}\n{"a": 2', '{"a": 1}\nnot json'),
    "yaml": ("a: 1\nb: [x, y]\n", "---\nversion: '0.1'\n", "# note\nscenario:\n  host: x\n"),
    "table": ("a,b,c\n1,2,3\n", "# made by hand\na\tb\n1\t2\n", "Metric,Value\nx,1\n\nother,2\n"),
    "text": (
        "INFO 04-30 13:04:05 started\nmore\n", "[INFO] started\nmore", "[2025-09-14 01:48:50] INFO x\n", "one line",
        "{'a': 1}", "[a, b]: what,\nis this.\n", "Mean TTFT (ms): 12.5\n",
    ),
    "empty": ("", "  \n\t\n"),
    "binary": ("PK\x03\x04\0\0",),
}  # fmt: skip


@pytest.mark.parametrize(("shape", "text"), [(shape, text) for shape, texts in SHAPES.items() for text in texts])
def test_shape_is_told_by_content(shape: str, text: str) -> None:
    """Never by name; a log that begins with a bracket is no JSON."""
    assert of_text(text).shape == shape


ENCODED = {
    "utf-8": lambda text: text.encode(),
    "byte order mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16 without mark": lambda text: text.encode("utf-16-le"),
    "utf-16 big-endian": lambda text: text.encode("utf-16-be"),
    "utf-32": lambda text: text.encode("utf-32"),
}


@pytest.mark.parametrize("name", ENCODED)
def test_encodings(name: str, tmp_path: Path) -> None:
    """What editors of other systems write is read alike."""
    path = tmp_path / "x"
    path.write_bytes(ENCODED[name]('{"name": "größe 長さ", "n": 1}\r\n{"name": "b"}\r\n'))
    with open_file(path) as source:
        assert [record["name"] for record in source.records()] == ["größe 長さ", "b"]


def test_bytes_that_are_no_text_do_not_stop_it(tmp_path: Path) -> None:
    """A damaged byte inside a string is a replacement character."""
    path = tmp_path / "x"
    path.write_bytes(b'{"a": "x\xff\xfey", "b": 2}')
    with open_file(path) as source:
        assert source.record == {"a": "x��y", "b": 2}


def test_records_can_be_read_again() -> None:
    """Each call begins at the start."""
    source = of_text('{"a": 1}\n{"a": 2}')
    assert list(source.records()) == list(source.records()) == [{"a": 1}, {"a": 2}]
    assert source.record == {"a": 1}
    assert source.keys == {"a"}


def test_records_before_a_break_are_given() -> None:
    """A cut line is said after those before it."""
    records = of_text('{"a": 1}\n{"a": 2}\n{"a": ').records()
    assert [next(records), next(records)] == [{"a": 1}, {"a": 2}]
    with pytest.raises(Unreadable, match="ends in the middle"):
        next(records)


def test_a_broken_object_is_said_by_whoever_looks() -> None:
    """There is no shape of what cannot be read."""
    with pytest.raises(Unreadable, match="ends in the middle"):
        _ = of_text('{"a": [1, 2').shape


def test_lines_end_at_carriage_returns() -> None:
    """Progress bars overwrite themselves; each state is a line."""
    assert list(of_text("a\r50%\r100%\nb\r\nc").lines()) == ["a", "50%", "100%", "b", "c"]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('a;b\n1;"x;y"\n', [["a", "b"], ["1", "x;y"]]),
        ("a\tb,c\n1\t2\n", [["a", "b,c"], ["1", "2"]]),
        ('# note\na,b\n"1,146.31",2\n\nc,d\n', [["a", "b"], ["1,146.31", "2"], [], ["c", "d"]]),
        ('a,b\n"[1, 2]\n",3\n', [["a", "b"], ["[1, 2]\n", "3"]]),
    ],
)
def test_rows(text: str, rows: list[list[str]]) -> None:
    """The header tells what separates cells; quoted cells keep it, and line ends too."""
    assert list(of_text(text).rows()) == rows


def test_a_cell_of_megabytes_is_refused() -> None:
    """A table is not a place for files."""
    with pytest.raises(Unreadable, match="no table"):
        list(of_text(f'a,b\n"{"x" * (9 << 20)}",1\n').rows())


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


# fmt: off
SCALARS = [
    ("0.10", "0.10"), ("0.5", 0.5), ("12", 12), ("007", "007"), ("1e4567", "1e4567"), ("12:30", "12:30"),
    ("no", "no"), ("true", True), ("~", None), ("", None), ("'0.1'", "0.1"), ("'12'", "12"),
    ("2026-10-01", "2026-10-01"), (".inf", ".inf"), ("!!python/object:os.system x", "x"), ("1.5e-05", 1.5e-05),
    ("99999999999999999999", "99999999999999999999"),
]
REFUSED = [
    (BOMB, "aliases"), ("a: &a [*a]\n", "aliases"), ("a: [1, 2\n", "no YAML"), ("a: " + "[" * 20000, "YAML"),
    ("a: *b\n", "no YAML"),
]
# fmt: on


@pytest.mark.parametrize(("text", "value"), SCALARS)
def test_yaml_scalars(text: str, value: object) -> None:
    """Only a number spelt as Python spells it is one."""
    assert documents(f"a: {text}\n") == ({"a": value},)


@pytest.mark.parametrize(("text", "says"), REFUSED)
def test_yaml_that_is_refused(text: str, says: str) -> None:
    """Aliases that stand for millions of values, cycles, and what breaks off."""
    with pytest.raises(Unreadable, match=says):
        documents(text)


def test_an_alias_is_read() -> None:
    """Anchors are fine as long as they stay small."""
    assert documents("a: &x {n: 1}\nb: *x\n") == ({"a": {"n": 1}, "b": {"n": 1}},)


def test_nothing_is_closed_by_reading(tmp_path: Path) -> None:
    """Head, text and lines can be asked for in any order."""
    path = tmp_path / "x"
    path.write_text("one\ntwo\n")
    source: Source
    with open_file(path) as source:
        assert source.head == source.text == "one\ntwo\n"
        assert list(source.lines()) == ["one", "two"]
        assert source.size == 8
