"""kb.frontmatter: cut, load, locate."""

import string

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kb.frontmatter import MAX_FRONT, FormError, comments, cut, load, locate

WORDS = st.text(string.ascii_letters + string.digits + " .:-#'\"{}[],&*!%@|>?\\\t\n\r\0é引き\u2028\ufeff", max_size=80)
KEYS = st.text(string.ascii_lowercase, min_size=1, max_size=6)
SCALARS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=20)
TREES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12
)


@given(st.text() | WORDS)
def test_any_text_is_cut_or_refused(text: str) -> None:
    """Cutting raises nothing but FormError, and what it cuts is the text."""
    try:
        parts = cut(text)
    except FormError:
        return
    assert parts.front in text.replace("\r\n", "\n")
    assert text.replace("\r\n", "\n").endswith(parts.body)


@given(st.text() | WORDS)
def test_any_text_is_loaded_or_refused(text: str) -> None:
    """Loading raises nothing but FormError, with a line of the text."""
    try:
        found: object = load(text)
    except FormError as error:
        found = error
    assert isinstance(found, dict) or 1 <= found.line <= max(1, len(text.splitlines()))  # type: ignore[attr-defined]


@given(st.dictionaries(KEYS, TREES, max_size=4))
def test_what_yaml_writes_is_read_back_as_text(fields: dict[str, object]) -> None:
    """Quoted text, lists and tables come back as they were; a long line is folded and unfolded."""
    text = yaml.dump(fields, allow_unicode=True, default_style='"')
    assert load(text.replace('"": ', '"": ')) == fields


@pytest.mark.parametrize(
    "value",
    [
        "0.10",
        "0.11.0",
        "12e4567",
        "no",
        "yes",
        "on",
        "off",
        "12:30",
        "2026-10-19",
        "0x1F",
        "1_000",
        "True",
        "inf",
        ".5",
    ],
)
def test_a_scalar_stays_text(value: str) -> None:
    """No version becomes a number, no `no` a falsehood."""
    assert load(f"key: {value}") == {"key": value}


@pytest.mark.parametrize("text", ["key:", "key: ~", "key: null"])
def test_nothing_is_none(text: str) -> None:
    """An empty value is no text."""
    assert load(text) == {"key": None}


@pytest.mark.parametrize("text", ["key: 'null'", 'key: "~"'])
def test_quoted_nothing_is_text(text: str) -> None:
    """Quotes make a word of it."""
    assert load(text)["key"] in {"null", "~"}


def test_empty_front_matter_has_no_fields() -> None:
    """Nothing, and comments alone, are an empty table."""
    assert load("") == load("# only a comment\n") == {}


@pytest.mark.parametrize(
    ("text", "line", "code", "says"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "KB104", '"a" is given twice'),
        ("a: {b: 1, b: 2}", 1, "KB104", '"b" is given twice'),
        ("a:\n\tb: 1", 2, "KB105", "tab"),
        ("a:\n  b: 1\n  \tc: 1", 3, "KB105", "tab"),
        ("a: &x 1\nb: *x", 1, "KB101", "anchors"),
        ("a: *x", 1, "KB101", "anchors"),
        ("a: !!python/object/apply:os.system [ls]", 1, "KB101", "tag"),
        ("a: !!int 3", 1, "KB101", "tag"),
        ("a: !mine 3", 1, "KB101", "tag"),
        ("a: b: c", 1, "KB101", "mapping values"),
        ("a: [1, 2", 1, "KB101", "never closed"),
        ("- a\n- b", 1, "KB101", "not a table"),
        ("just words", 1, "KB101", "not a table"),
        ("? [a, b]\n: c", 1, "KB101", "a key must be a word"),
        ("a: 1\n---\nb: 2", 2, "KB101", "document"),
        ("a: \0", 1, "KB101", "U+0000"),
        ("a: 1\nb: x\x0cy", 2, "KB101", "cannot be seen (U+000C)"),
        ("a: 1\n\nb: \x1b[31m", 3, "KB101", "cannot be seen (U+001B)"),
        ('a: "x\u2028 y"\nb: 1\nb: 2', 3, "KB104", "twice"),
        ("a: x\x85b: [1\n\nc: 1\n", 1, "KB101", "never closed"),
        ("# x\r# y\na: 1\nb: [1\nc: 1\n", 3, "KB101", "never closed"),
        ("a: " + "[" * 40 + "]" * 40, 1, "KB101", "nested too deeply"),
        ("a: " + "[" * 5000 + "]" * 5000, 1, "KB101", "nest"),
        ("a: " + "x" * MAX_FRONT, 1, "KB106", "KiB"),
    ],
)
def test_what_is_refused_says_where(text: str, line: int, code: str, says: str) -> None:
    """Line, code and words."""
    with pytest.raises(FormError) as caught:
        load(text)
    assert (caught.value.line, caught.value.code) == (line, code)
    assert says in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "a: R&D and 2 * 3",
        "a: 'it''s *fine* & good'",
        "a: x  # a comment with *stars* and &ands",
        "glob: 'vllm/**'",
        "a: {b: 1, c: [1, 2]}",
        "a: |\n  text\twith a tab\n",
        "a: x\ty",
        "a: >-\n  folded\n  text",
        '"quoted key": x',
    ],
)
def test_what_only_looks_dangerous_is_read(text: str) -> None:
    """Stars, ampersands and tabs inside text are text."""
    assert load(text)


@pytest.mark.parametrize(
    "text",
    ["---\na: 1\n---\nbody\n", "\ufeff---\na: 1\n---\nbody\n", "---\r\na: 1\r\n---\r\nbody\r\n"],
)
def test_marks_and_line_ends_of_other_systems_do_not_matter(text: str) -> None:
    """A byte-order mark and CRLF are taken away."""
    parts = cut(text)
    assert (parts.front, parts.front_line, parts.body, parts.body_line) == ("a: 1\n", 2, "body\n", 4)


def test_a_rule_in_the_body_is_not_an_end() -> None:
    """The first closing line of three hyphens ends the fields, later ones are Markdown."""
    assert cut("---\na: 1\n---\none\n---\ntwo").body == "one\n---\ntwo"
    assert cut("---\na: 1\n---").body == ""


@pytest.mark.parametrize("text", ["", "a: 1\n", "--- \na: 1\n---\n", "---\na: 1\n", "----\na: 1\n----\n"])
def test_without_front_matter_there_is_no_record(text: str) -> None:
    """The hint says how a record begins."""
    with pytest.raises(FormError) as caught:
        cut(text)
    assert "three" in str(caught.value.hint)


FRONT = """\
id: x
setup:
  engine: {component: vllm,
    version: 0.29.0}
points:
- {metric: ttft,
   unit: ms}
- metric: tpot
  unit: s
text: |
  setup:
    engine: not this one
last: 1
"""


@pytest.mark.parametrize(
    ("loc", "line"),
    [
        ((), 1),
        (("id",), 1),
        (("setup",), 2),
        (("setup", "engine"), 3),
        (("setup", "engine", "version"), 4),
        (("setup", "engine", "Pin", "version"), 4),
        (("setup", "nowhere"), 2),
        (("nowhere",), 1),
        (("points", 0, "unit"), 7),
        (("points", 1), 8),
        (("points", 1, "unit"), 9),
        (("points", 7), 5),
        (("text",), 10),
        (("last",), 13),
    ],
)
def test_a_place_has_its_line(loc: tuple[str | int, ...], line: int) -> None:
    """The line of the key, or of the nearest place above it."""
    assert locate(FRONT, loc) == line


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\r", "\r\n"])
def test_lines_are_those_of_the_file(end: str) -> None:
    """YAML ends a line at characters that editors and version control pass over; whole and in part one counts alike."""
    front = f'title: "a{end}  b"\nsetup: 1\nsetup-b:\n  - id: a\n    x: "{end}"\n    y: 1\n'
    lines = front.split("\n")
    assert locate(front, ("setup",)) == lines.index("setup: 1") + 1
    assert locate(front, ("setup-b", 0, "y")) == lines.index("    y: 1") + 1


def test_a_field_inside_a_quote_is_none() -> None:
    """Text at the margin of a quote that looks like a field."""
    front = 'title: "x\nclaims: y"\nclaims:\n  - id: a\n    x: 1\n'
    assert locate(front, ("claims", 0, "x")) == 5


def test_comments_are_told_from_text() -> None:
    """A hash in quotes, in a block of text or inside a word is none."""
    front = "# a\nx: 'y # no' # b\nz: |\n  no # no\n# c\nlist: [q#no, # d\n  # d\n r]\n# e"
    assert comments(front) == {"# a": 1, "# b": 1, "# c": 1, "# d": 2, "# e": 1}


def test_a_place_in_broken_text_is_the_first_line() -> None:
    """Nothing better is known."""
    assert locate("a: [", ("a", 0)) == 1
    assert locate('{"id": x, setup: y}', ("setup",)) == 1
