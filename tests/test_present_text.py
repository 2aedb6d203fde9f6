"""kb.present.text: columns of a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.present.text import Page, Style, clean, cut, few_lines, named, pad, page, table, width, wrap

WORDS = st.lists(st.text(alphabet="ab プッシュ転送ã。、", min_size=1, max_size=12), max_size=12).map(" ".join)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("push", 4),
        ("プッシュ", 8),
        ("ﾌﾟﾂｼｭ", 5),
        ("latência", 8),
        ("late\u0302ncia", 8),
        ("転送 KV", 7),
        ("\x1b[1mbold\x1b[0m", 4),
        ("", 0),
    ],
)
def test_width(text: str, columns: int) -> None:
    """A Japanese character takes two columns, a combining mark and a colour none."""
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("one two three", 8, ["one two", "three"]),
        ("", 8, [""]),
        ("a" * 20, 8, ["a" * 8, "a" * 8, "aaaa"]),
        ("転送方式の比較", 8, ["転送方式", "の比較"]),
        ("転送は速い。", 10, ["転送は速", "い。"]),
        ("one\ntwo", 8, ["one", "two"]),
    ],
)
def test_wrap(text: str, columns: int, lines: list[str]) -> None:
    """Lines break at blanks and between Japanese characters, never before a closing mark."""
    assert wrap(text, columns) == lines


def test_wrap_hangs() -> None:
    """Later lines stand under the text of the first."""
    assert wrap("one two three", 11, "  - ") == ["  - one two", "    three"]


@given(WORDS, st.integers(min_value=12, max_value=60))
def test_wrap_keeps_width_and_text(text: str, columns: int) -> None:
    """No line is wider than asked for, and nothing but blanks is lost."""
    lines = wrap(text, columns, "- ")
    assert all(width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()).removeprefix("-") == "".join(clean(text).split())


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\x1b[2Jb", "a[2Jb"),
        ("a\x07\x9bb", "ab"),
        ("a\u202eb", "ab"),
        ("a\u2028\u061c\ud800b", "ab"),
        ("a\tb", "a    b"),
        ("初回\nb", "初回\nb"),
    ],
)
def test_clean(text: str, kept: str) -> None:
    """What a record says cannot steer a terminal."""
    assert clean(text) == kept


@pytest.mark.parametrize(
    ("text", "columns", "short"),
    [("push", 4, "push"), ("pushed", 4, "pus…"), ("プッシュ", 5, "プッ…"), ("プッシュ", 8, "プッシュ")],
)
def test_cut(text: str, columns: int, short: str) -> None:
    """A text that is too long ends in an ellipsis within its columns."""
    assert cut(text, columns) == short
    assert width(short) <= columns


@pytest.mark.parametrize(
    ("text", "most", "lines"),
    [
        ("one two three", 2, ["- one", "  two…"]),
        ("one two", 2, ["- one", "  two"]),
        ("aaaaaa bbbbbb", 1, ["- aaaaa…"]),
        ("初回初回", 1, ["- 初回…"]),
    ],
)
def test_few_lines(text: str, most: int, lines: list[str]) -> None:
    """A text of more lines than there is room for ends in an ellipsis, within its columns."""
    assert few_lines(text, most, 8, "- ") == lines
    assert max(map(width, lines)) <= 8


def test_pad_counts_columns() -> None:
    """Japanese cells line up with Latin ones."""
    assert pad("転送", 6) == "転送  "
    assert pad("ab", 6, right=True) == "    ab"


def test_table_lines_up() -> None:
    """Columns begin at one place whatever the script."""
    assert table([["ttft", "初回"], ["転送時間", "x"]], 40) == ["  ttft      初回", "  転送時間  x"]


def test_table_wraps_its_widest_column() -> None:
    """A table never grows wider than the page; short columns stay whole."""
    lines = table([["ttft", "the demanding end of the sweep", "540 ms"]], 34, ["metric", "at", "push"])
    assert lines[0] == "  metric  at                push"
    assert all(width(line) <= 34 for line in lines)
    assert lines[1].endswith("540 ms")


def test_table_of_nothing() -> None:
    """No rows, no lines."""
    assert table([], 40) == []


def test_named_without_text() -> None:
    """A name with nothing to say is left out."""
    assert named("Owner", "", 40) == []
    assert named("Owner", "us", 40) == ["Owner      us"]


def test_style_is_plain_when_off() -> None:
    """Where colour is not wanted, styles change nothing."""
    assert Style(False).bold("x") == "x"
    assert Style(True).bold("x") == "\x1b[1mx\x1b[0m"


@pytest.mark.parametrize(("columns", "expected"), [("80", 80), ("30", 40), ("300", 100)])
def test_page(monkeypatch: pytest.MonkeyPatch, columns: str, expected: int) -> None:
    """A page is as wide as the terminal, within reason, and has no colour in a pipe."""
    monkeypatch.setenv("COLUMNS", columns)
    assert page() == Page(expected, Style(False))


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("pkg.module.Class.method", 14, ["pkg.module.", "Class.method"]),
        ("entries/changes/one.md", 17, ["entries/changes/", "one.md"]),
        ("some-long-identifier", 12, ["some-long-", "identifier"]),
        ("abcdefghijklmnop", 8, ["abcdefgh", "ijklmnop"]),
    ],
)
def test_long_words_break_after_a_sign(text: str, columns: int, lines: list[str]) -> None:
    """Ids, paths and symbols are not broken in the middle of a part, if a part fits."""
    assert wrap(text, columns) == lines


def test_table_that_cannot_keep_words_whole_is_stacked() -> None:
    """Where two columns would break an id, the second cell stands under the first, named by its column."""
    rows = [["an-identifier-of-some-length", "another-identifier-here"]]
    assert table(rows, 40, ["id", "near"]) == ["  an-identifier-of-some-length", "    near: another-identifier-here"]
