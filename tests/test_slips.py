"""kb.slips: YAML errors in words, with the line of the slip."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.frontmatter import FormError, load
from kb.slips import QUOTE_IT


def refused(text: str) -> FormError:
    with pytest.raises(FormError) as caught:
        load(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('id: x\ntitle: "foo bar\nkind: y\nz: 1\n', 2),
        ("id: x\ntitle: 'foo bar\nkind: y\nz: 1\n", 2),
        ('id: x\ntitle: "foo bar\nkind: "y"\nz: 1\n', 2),
        ('arms:\n  - {id: a, title: "foo}\n  - {id: b}\nz: 1\n', 2),
        ('arms:\n  - {id: a, title: "foo}\n  - {id: b, title: "x"}\nz: 1\n', 2),
    ],
)
def test_an_open_quote_is_named_where_it_opens(text: str, line: int) -> None:
    """Not where the reader gave up."""
    error = refused(text)
    assert (error.line, error.message) == (line, "a quote is never closed")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("id: x\narms: [a, b\nkind: y\n", 2, "never closed"),
        ("id: x\nsetup: {model: a, b: {c: d}\nkind: y\n", 2, "never closed"),
        ("arms:\n  - {id: a\n  - {id: b}\nkind: y\n", 2, "never closed"),
        ("arms:\n  - {id: a, says: it's}\n  - {id: b\nkind: y\n", 3, "never closed"),
        ("points:\n  - {id: a, where: {r: 1, v: 2}\n  - {id: b, where: {r: 1}}\nkind: y\n", 2, "never closed"),
        ("id: x\narms: [a, b", 2, "never closed"),
        ("id: x\narms: [a, b}\nkind: y\n", 2, '"[" is closed with "}"'),
    ],
)
def test_an_open_bracket_is_named_where_it_opens(text: str, line: int, says: str) -> None:
    """A bracket closed by the wrong one is named too."""
    error = refused(text)
    assert error.line == line
    assert says in error.message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("setup:\n  model: x\n    hardware: y\nkind: y\n", 3),
        ("setup:\n  model: x\n hardware: y\nkind: y\n", 3),
        ("id: x\n title: y\nkind: y\n", 2),
        ("arms:\n  - id: a\n    role: b\n   setup: c\nkind: y\n", 4),
        ("arms:\n  - id: a\n - id: b\nkind: y\n", 3),
        ("arms:\n  - id: a\n    - id: b\nkind: y\n", 3),
        ("arms:\n  - id: a\n      role: b\nkind: y\n", 3),
        ("setup:\n  model: x\n  workload:\n    a: 1\n   b: 2\nkind: y\n", 5),
        ("setup:\n    engine:\n      version: 1\n  model: y\nkind: z\n", 4),
        (" id: x\ntitle: y\n", 1),
    ],
)
def test_a_wrong_indentation_is_called_one(text: str, line: int) -> None:
    """Never a matter of quotes."""
    error = refused(text)
    assert (error.line, error.message) == (line, "the indentation is wrong")
    assert error.hint
    assert "quotes" not in error.hint


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("id: x\ntitle:foo\nkind: y\n", 2, "a space is missing after the colon"),
        ("setup:\n  model:foo\n  topology: y\nkind: y\n", 2, "a space is missing after the colon"),
        ("id: x\ntitle\nkind: y\n", 2, '"title" is no field'),
    ],
)
def test_a_line_that_is_no_field_is_named(text: str, line: int, says: str) -> None:
    """A missing colon, or a missing space behind it."""
    error = refused(text)
    assert (error.line, error.message) == (line, says)


@pytest.mark.parametrize(
    "text",
    [
        "title: a: b\n",
        "source: {by: a: b}\n",
        "title: @foo\n",
        "title: `foo`\n",
        "title: %foo\n",
        'title: "foo" bar\n',
        "title: >3x\n",
        "a:\n  - says: it's x: y\n",
    ],
)
def test_text_that_needs_quotes_gets_that_hint(text: str) -> None:
    """And is called neither open nor badly indented."""
    error = refused(text)
    assert error.message.startswith("not readable as YAML")
    assert error.hint == QUOTE_IT


LINES = st.lists(st.text(string.ascii_lowercase + " :-'\"[]{},", max_size=12), max_size=6)


@given(LINES)
def test_any_slip_has_a_line_of_the_text(lines: list[str]) -> None:
    """Wording an error never raises another one."""
    text = "\n".join(lines)
    try:
        load(text)
    except FormError as error:
        line = error.line
    else:
        line = 1
    assert 1 <= line <= max(1, len(text.splitlines()))
