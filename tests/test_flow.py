"""kb.flow: lists of one-line tables, read without YAML, to the same end."""

from __future__ import annotations

import string
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kb import flow
from kb.frontmatter import FormError, cut, load

ENTRIES = Path(__file__).parents[1] / "entries"

PIECES = st.sampled_from(
    [
        *"{}[],:-\"' .#~&*!|>?%@`\\\t\0é\u2028",
        ": ",
        ", ",
        "{a: ",
        "[b, ",
        "null",
        "-1.5",
        "1e3",
        "on",
        '"x: {y}, z"',
        "a b",
    ]
)
WORDS = st.sampled_from(
    ["ttft", "tok/s", "-3.2", "p99", "0.10", "two words", "one's; other'", '"%"', '"a, b"', '"{x: 1}"', '"it is: so"']
)
KEYS = st.sampled_from(["id", "unit", "where", "a-b", "k_v", "X.y", "two words"])
VALUES = st.recursive(
    WORDS,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(lambda them: f"[{', '.join(them)}]")
        | st.lists(st.tuples(KEYS, inner).map(": ".join), min_size=1, max_size=3).map(
            lambda them: f"{{{', '.join(them)}}}"
        )
    ),
    max_leaves=8,
)
ITEMS = st.lists(st.tuples(KEYS, VALUES).map(": ".join), min_size=1, max_size=4).map(
    lambda them: f"  - {{{', '.join(them)}}}\n"
)
BROKEN = st.builds(
    lambda item, piece, at: f"{item[: at % len(item)]}{piece}{item[at % len(item) :]}",
    ITEMS,
    PIECES,
    st.integers(0, 200),
)
LISTS = st.builds(lambda field, items: f"{field}:\n{items}", st.sampled_from(["points", "facts"]), ITEMS)
LINES = st.sampled_from(
    ["points:\n", "points: \n", "title: x\n", 'title: "begins\n', '  ends"\n', '"\n', "text: |\n", "? points\n", "{\n",
     "}\n", "  more\n", "# aside\n", "...\n", "---\n", "points: list\n", "other: list\n", "- {a: b}\n"]
)  # fmt: skip


def outcome(text: str) -> object:
    """What a text is, or what is said of it."""
    try:
        return list(load(text).items())  # in this order
    except FormError as error:
        return error.line, error.message, error.hint, error.code


def by_yaml_alone(text: str) -> object:
    """The same without kb.flow."""
    with patch.object(flow, "parted", lambda front: (front, "", {})):
        return outcome(text)


@given(st.lists(st.tuples(KEYS, st.lists(ITEMS, min_size=1, max_size=4).map("".join)), max_size=3))
def test_what_is_read_here_is_what_yaml_reads(fields: list[tuple[str, str]]) -> None:
    """Values, and where a key is given twice its line."""
    text = "".join(f"{key}:\n{items}" for key, items in fields)
    assert outcome(text) == by_yaml_alone(text)


@given(st.lists(LISTS | LINES | ITEMS | BROKEN, max_size=6).map("".join))
@example('title: "begins\npoints:\n  - {a: b}\n"\n')
@example('title: "begins\npoints:\n  - {a: b}\n  ends"\npoints: list\n')
@example('title: "begins\npoints:\n  - {a: b}\n"\npoints:\n')
@example("{a: b,\npoints:\n  - {a: b}\nc: d}\n")
@example("text: |\n  x\npoints:\n  - {a: b}\nlast: 1\n")
@example("points:\n  - {a: b}\npoints:\n  - {a: c}\n")
@example('points:\n  - {a: b}\ntitle: "begins\npoints:\n  - {a: c}\nends"\n')
@example('title: "begins\npoints:\n  - {a: c}\nends"\npoints:\n  - {a: b}\n')
@example("points:\n  - {a: b}\nx: {c,\npoints:\n  - {a: b}\nd}\n")
def test_whatever_surrounds_a_list_comes_out_as_from_yaml(text: str) -> None:
    """A list inside quotes is text; what is wrong elsewhere has its line in the whole."""
    assert outcome(text) == by_yaml_alone(text)


@given(st.lists(st.text(string.printable, max_size=12), min_size=1, max_size=4))
def test_any_value_comes_out_as_from_yaml(values: list[str]) -> None:
    """Words that only look plain are left alone."""
    text = "points:\n" + "".join(f"  - {{a: {value}, b: [{value}]}}\n" for value in values)
    assert outcome(text) == by_yaml_alone(text)


@pytest.mark.parametrize(
    "item",
    [
        "{a: b}",
        "{a: 0.10, b: -1, c: 2026-10-19}",
        '{a: "x, y: {z}", b: ["[", "]"], c: "-"}',
        "{where: {input_tokens: 1024, request_rate: [1, 2]}, unit: tok/s}",
        "{a: [[b, c], [d]], e: two words (and more)}",
    ],
)
def test_what_is_read_here(item: str) -> None:
    """Words, words in quotes, lists and tables; the rest of the text keeps a word in its place."""
    rest, word, lists = flow.parted(f"x: 1\npoints:\n  - {item}\n  - {item}\ny: 2\n")
    assert (rest, len(lists["points"])) == (f"x: 1\npoints: {word}\ny: 2\n", 2)


@pytest.mark.parametrize(
    "text",
    [
        "  - {a: null}\n",
        "  - {a: ~}\n",
        "  - {a: }\n",
        "  - {a}\n",
        "  - {}\n",
        '  - {a: ""}\n',
        '  - {"a": b}\n',
        "  - {a: 'b'}\n",
        '  - {a: "b\\n"}\n',
        '  - {a: "é"}\n',
        "  - {a: é}\n",
        "  - {a: b # c}\n",
        "  - {a: b} # c\n",
        "  - {a: https://x.org}\n",
        "  - {a: *b}\n",
        "  - {a: !b c}\n",
        "  - {a: b,c: d}\n",
        "  - {a: b,  c: d}\n",
        "  - {a: b, a: c}\n",
        "  - {a: b, }\n",
        "  - {a: [[[b]]]}\n",
        "  - {a: b,\n     c: d}\n",
        "- {a: b}\n",
        "    - {a: b}\n",
        "  - {a: b}\n  - c\n",
        "  - {a: b}\n# aside\n",
        "  - {a: b}",
    ],
)
def test_what_is_left_to_yaml(text: str) -> None:
    """Nothing, escapes, other quotes, other spaces, comments, addresses, doubles, what is nested deeper."""
    assert flow.parted(f"points:\n{text}") == (f"points:\n{text}", "list", {})


def test_the_word_in_a_lists_place_stands_nowhere_else() -> None:
    """A text that says it already does not pass for a list."""
    text = "points:\n  - {a: list}\nother: list-\n"
    assert flow.parted(text)[1] == "listlist"
    assert load(text) == {"points": [{"a": "list"}], "other": "list-"}


@pytest.mark.parametrize("after", ["-", "list"])
def test_a_text_made_of_the_word_is_no_slower(after: str) -> None:
    """A longer word is tried a few times only, however often the text says the shorter ones."""
    text = f"x: list{after * 200_000}\n"
    tried = len(flow.parted(text)[1]) // len("list")
    assert tried.bit_count() == 1
    assert flow.parted(text)[0] == text


def test_a_mistake_after_a_list_has_its_line() -> None:
    """Lines count in the whole text."""
    with pytest.raises(FormError) as caught:
        load("points:\n  - {a: b}\n  - {a: c}\nx: 1\nx: 2\n")
    assert (caught.value.line, caught.value.code) == (5, "KB104")


def test_our_own_lists_are_read_here() -> None:
    """Most releases and points: another usual spelling would make every command slower."""
    components = [flow.parted(path.read_text(encoding="utf-8")) for path in (ENTRIES / "components").glob("*.yaml")]
    evaluations = [
        flow.parted(cut(path.read_text(encoding="utf-8")).front) for path in (ENTRIES / "evaluations").glob("*.md")
    ]
    for field, found in (("releases", components), ("points", evaluations)):
        read = sum(field in lists for _, _, lists in found)
        left = sum(f"\n{field}:\n" in rest for rest, _, _ in found)
        assert read > 4 * left, field
