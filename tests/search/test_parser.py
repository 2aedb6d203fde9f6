"""The query language: what is typed and what is meant, by the parser and by the short way around it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.errors import QueryError
from kb.search import fields, parse, parser, plain, search
from kb.search.query import And, Facet, Not, Or, Query, Range, Text, Versions
from kb.store import FieldKind

from .world import document, store_of

INF = float("inf")
EXTRA: dict[str, FieldKind] = {"hit_rate": "number", "family": "facet", "merged_date": "number"}


def extra() -> dict[str, FieldKind]:
    """Fields of records beside ours."""
    return EXTRA


def bare(query: Query) -> Query:
    """The query without places."""
    if isinstance(query, And | Or):
        return type(query)(tuple(map(bare, query.parts)))
    if isinstance(query, Not):
        return Not(bare(query.part))
    return query._replace(position=0) if isinstance(query, Text | Facet) else query


def word(text: str, field: str | None = None) -> Text:
    """A word."""
    return Text(text, field)


def quote(text: str, field: str | None = None) -> Text:
    """A phrase."""
    return Text(text, field, "phrase")


A, B, C, D = map(word, "abcd")

MEANT: dict[str, Query] = {
    "a b": And((A, B)),
    '"a b" c': And((quote("a b"), C)),
    "a OR b": Or((A, B)),
    "a OR b OR c": Or((A, B, C)),
    "a b OR c": And((A, Or((B, C)))),
    "a OR b c": And((Or((A, B)), C)),
    "a AND b": And((A, B)),
    "a AND b OR c": Or((And((A, B)), C)),
    "a and b or not c": And((A, word("and"), B, word("or"), word("not"), C)),
    "NOT a": Not(A),
    "NOT NOT a": Not(Not(A)),
    "a NOT b": And((A, Not(B))),
    "a AND NOT b": And((A, Not(B))),
    "-a": Not(A),
    "-a b": And((Not(A), B)),
    "a -b": And((A, Not(B))),
    '-"a b"': Not(quote("a b")),
    "-(a b)": Not(And((A, B))),
    "-connector:x": Not(Facet("connector", "x")),
    "a-b": word("a-b"),
    "--kv-transfer-config": word("--kv-transfer-config"),
    "(a OR b) (c OR d)": And((Or((A, B)), Or((C, D)))),
    "((a))": A,
    "a (b OR (c d))": And((A, Or((B, And((C, D)))))),
    "C R": And((word("C"), word("R"))),
    "pre*": Text("pre", None, "prefix"),
    "title:pre*": Text("pre", "title", "prefix"),
    "word~": Text("word", None, "fuzzy", 1),
    "word~2": Text("word", None, "fuzzy", 2),
    "(word~)": Text("word", None, "fuzzy", 1),
    "1~8": word("1~8"),
    "*": And(()),
    "title:a": word("a", "title"),
    'title:"a b"': quote("a b", "title"),
    "connector:nixl": Facet("connector", "nixl"),
    'hardware:"H200 141GB"': Facet("hardware", "H200 141GB", "phrase"),
    "connector:(a OR b)": Or((Facet("connector", "a"), Facet("connector", "b"))),
    "model:qwen*": Facet("model", "qwen", "prefix"),
    "component:vllm:NixlConnector": Facet("component", "vllm:NixlConnector"),
    "family:glm": Facet("family", "glm"),
    "qps:8": Range("qps", 8, 8),
    "qps:>=8": Range("qps", 8, INF),
    "qps:>8": Range("qps", 8, INF, open_low=True),
    "qps:<8": Range("qps", -INF, 8, open_high=True),
    "qps:<=8": Range("qps", -INF, 8),
    "qps:=8": Range("qps", 8, 8),
    "qps:≥8": Range("qps", 8, INF),
    "qps:1..8": Range("qps", 1, 8),
    "ttft:<600ms": Range("ttft", -INF, 600, open_high=True),
    "ttft:<0.6s": Range("ttft", -INF, 600, open_high=True),
    "input_tokens:16k": Range("input_tokens", 16000, 16000),
    "effect:>=2x": Range("effect", 2, INF),
    "hit_rate:>0.5": Range("hit_rate", 0.5, INF, open_low=True),
    "input_tokens:[1000 TO 16000]": Range("input_tokens", 1000, 16000),
    "input_tokens:{1000 TO 16000]": Range("input_tokens", 1000, 16000, open_low=True),
    "input_tokens:[1000 TO]": Range("input_tokens", 1000, INF),
    "input_tokens:[TO 16000]": Range("input_tokens", -INF, 16000),
    "input_tokens:[* TO 16000}": Range("input_tokens", -INF, 16000, open_high=True),
    "a qps:[1 to 8] b": And((A, Range("qps", 1, 8), B)),
    "date:2026-10-19": Range("date", 20261019, 20261019),
    "date:2026-10": Range("date", 20261001, 20261031),
    "date:2026": Range("date", 20260101, 20261231),
    "date:>=2026-06": Range("date", 20260601, INF),
    "date:>2026-06": Range("date", 20260631, INF, open_low=True),
    "date:<2026-06": Range("date", -INF, 20260601, open_high=True),
    "date:<=2026-06": Range("date", -INF, 20260631),
    "date:[2024-06-15 TO 2024-06-20]": Range("date", 20240615, 20240620),
    "date:{2026-06 TO 2026-08}": Range("date", 20260631, 20260801, open_low=True, open_high=True),
    "merged_date:2026-10": Range("merged_date", 20261001, 20261031),
    "version:0.11": Facet("version", "0.11"),
    "version:>=0.11.0": Versions("version", (0, 11), None),
    "release:[0.10 TO 0.12}": Versions("release", (0, 10), (0, 12), open_high=True),
    "12:30": word("12:30"),
    "https://x.org/a:b": word("https://x.org/a:b"),
    "note: a": And((word("note:"), A)),
    "push/pull": word("push/pull"),
    "it's": word("it's"),
    "title:202[0-3]": word("202[0-3]", "title"),
    "without it": And((word("without"), word("it"))),
    "a^2": word("a^2"),
}


@pytest.mark.parametrize("text", MEANT)
def test_a_query_means_what_it_says(text: str) -> None:
    """Every form of the language, and what only looks like one."""
    assert bare(parser.read(text, extra)) == MEANT[text]


@pytest.mark.parametrize("text", MEANT)
def test_the_short_way_means_the_same(text: str) -> None:
    """Where no parser is needed the query is the one the parser would give, places included."""
    found = plain.read(text, extra)
    assert found is None or repr(found) == repr(parser.read(text, extra))


SHORT = [
    "a b",
    '"a b" c',
    "connector:nixl qps:>=8",
    "input_tokens:[1000 TO 16000]",
    "date:2026-10",
    'title:"a b"',
    "1P1D",
]


@pytest.mark.parametrize("text", SHORT)
def test_plain_queries_need_no_parser(text: str) -> None:
    """Words, phrases, fields and ranges are read without whoosh."""
    assert plain.read(text, extra) is not None


@pytest.mark.parametrize("text", ["a OR b", "-a", "NOT a", "(a)", "a*", "a~", '"a', "*"])
def test_syntax_needs_the_parser(text: str) -> None:
    """Operators, brackets, beginnings and misspellings are the parser's."""
    assert plain.read(text, extra) is None


WRONG = {
    "conector:x": (0, 'unknown field "conector"', 'did you mean "connector"?'),
    "push foo_bar:x": (5, 'unknown field "foo_bar"', "quotes"),
    "gpu:H200": (0, 'unknown field "gpu"', 'did you mean "hardware"?'),
    "push Accelerator:H200": (5, 'unknown field "Accelerator"', 'did you mean "hardware"?'),
    "library:nixl": (0, 'unknown field "library"', 'did you mean "component"?'),
    "tp:8": (0, 'unknown field "tp"', '"tensor parallel"'),
    "a:b:c": (0, 'unknown field "a"', "quotes"),
    "vllm:NixlConnector": (0, 'unknown field "vllm"', "quotes"),
    "-conector:x": (1, 'unknown field "conector"', "connector"),
    "(conector:x)": (1, 'unknown field "conector"', "connector"),
    "a OR": (2, "OR has nothing beside it", '"OR"'),
    "OR a": (0, "OR has nothing beside it", '"OR"'),
    "a OR OR b": (2, "OR has nothing beside it", '"OR"'),
    "a AND": (2, "AND has nothing beside it", '"AND"'),
    "NOT": (0, "NOT has nothing beside it", '"NOT"'),
    "a NOT": (2, "NOT has nothing beside it", '"NOT"'),
    "(a": (0, "never closed", "closing )"),
    "a)": (1, "never opened", "remove it"),
    'a "b': (2, "never closed", 'closing "'),
    "ttft: 600": (0, "nothing after ttft:", "without a space"),
    "ttft:< 600": (5, '"" is not a number', "without spaces"),
    "qps:many": (4, '"many" is not a number', "qps:>=8"),
    "qps:[1 TO x]": (4, '"x" is not a number', "qps:"),
    "qps:8*": (4, "qps holds numbers", "qps:>=8"),
    "date:yesterday": (5, "is not a date", "date:2026-10-19"),
    "date:2026-13": (5, "is not a date", "date:2026-10-19"),
    "version:>=main": (8, '"main" is not a version', "0.11.0"),
    "hardware:>=H100": (9, "hardware holds words", "hardware:value"),
    "title:[a TO b]": (6, "title holds words", "title:value"),
    "[1 TO 2]": (0, "a range needs a field", "input_tokens:"),
    "*connector": (0, "only at the end of a word", "quotes"),
    "title:202[0-3]*": (6, "only at the end of a word", "quotes"),
    "ca*he": (0, "only at the end of a word", "quotes"),
    "(" * 50 + "a" + ")" * 50: (40, "too deeply", ""),
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_cannot_be_understood_is_an_error(text: str) -> None:
    """No query is silently another one: the error says where, what, and what to try."""
    position, message, hint = WRONG[text]
    with pytest.raises(QueryError) as caught:
        plain.read(text, extra) or parser.read(text, extra)
    assert (caught.value.position, message in caught.value.message) == (position, True), caught.value.message
    assert hint in (caught.value.hint or "")


PIECES = 'a push OR AND NOT - ( ) " * ~ : title: qps: >= 8 [ TO ] { date: 2026'
MORE = "connector: サーバー -b c* d~2 x:y \\ ^2 && || + '"
pieces = st.sampled_from([*PIECES.split(), *MORE.split(), *" " * 8])


STORE = store_of([document()])


@given(st.one_of(st.lists(pieces, max_size=14).map("".join), st.text(max_size=30)))
@settings(deadline=None, max_examples=500)
def test_nothing_typed_breaks_the_parser(text: str) -> None:
    """Whatever is typed is a query or a QueryError at a place in the text."""
    problem = _problem(text)
    assert problem is None or 0 <= problem.position <= len(text)


@given(st.lists(pieces, max_size=10).map("".join))
@settings(deadline=None, max_examples=500)
def test_the_short_way_never_disagrees(text: str) -> None:
    """Whatever the short way takes, the parser takes for the same; whatever it refuses, so does the parser."""
    try:
        short = plain.read(text, extra)
    except QueryError:
        with pytest.raises(QueryError):
            parser.read(text, extra)
        return
    assert short is None or repr(short) == repr(parser.read(text, extra))


def _problem(text: str) -> QueryError | None:
    try:
        search(STORE, text)
    except QueryError as error:
        return error
    return None


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        ("connector：nixl", "connector:nixl"),
        ("“a b”", '"a b"'),
        ("（a　OR　b）", "(a OR b)"),
        ("a\tb\nc", "a b c"),
        ("qps：＞＝8", "qps:>=8"),
    ],
)
def test_signs_of_an_input_method_are_signs(typed: str, same: str) -> None:
    """Full-width signs and typographic quotes mean what their plain ones do."""
    assert parse(STORE, typed) == parse(STORE, same)


def test_a_query_has_a_longest_length() -> None:
    """Beyond some thousand characters a query is refused unread."""
    with pytest.raises(QueryError, match="longer than"):
        parse(STORE, "a " * 2000)


def test_another_word_for_a_field_names_a_field() -> None:
    """Each stands for one field, and is none itself."""
    others = [each for words in fields.OTHER_WORDS.values() for each in words.split()] + list(fields.NO_FIELD)
    assert set(fields.OTHER_WORDS) <= set(fields.FIELDS)
    assert not set(others) & set(fields.FIELDS)
    assert len(others) == len(set(others))
