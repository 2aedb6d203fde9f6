"""Symbols of Python text and their digests."""

from __future__ import annotations

import pytest

from kb.scan.symbols import module
from tests.scan.made import modules


def digests(text: str) -> dict[str, str]:
    return {each.name: each.digest for each in modules(text)[0].symbols}


def names(text: str) -> list[str]:
    return [each.name for each in modules(text)[0].symbols]


def test_methods_nested_classes_and_fields_have_qualified_names() -> None:
    """A class, its fields, its methods and its inner classes are symbols of their own."""
    text = """
    LIMIT = 3
    class Worker(Base):
        retries: int = 2
        class Meta:
            def key(self): return 1
        async def pull(self): return 2
    """
    assert names(text) == ["LIMIT", "Worker", "Worker.retries", "Worker.Meta", "Worker.Meta.key", "Worker.pull"]


def test_definitions_below_if_and_try_are_found() -> None:
    """What a condition or a failed import defines is defined; several of one name are told apart by a count."""
    text = """
    try:
        from fast import pack
    except ImportError:
        pack = None
    if CUDA:
        def copy(): return 1
    else:
        def copy(): return 2
    """
    assert {"pack", "copy", "copy#2"} <= set(names(text))


def test_other_statements_at_the_top_are_symbols() -> None:
    """Registering a class is no function, and it is behaviour."""
    assert names("Factory.register('Push', 'pkg.push')\n") == ["<Factory.register('Push', 'pkg.push')>"]


@pytest.mark.parametrize(
    "text",
    [
        "import os\nfrom a import b\n",
        "'''Only words.'''\n",
        "__all__ = ['a']\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import B\n    X = 1\n",
    ],
)
def test_imports_words_and_typing_blocks_are_none(text: str) -> None:
    """What does nothing when the program runs is no symbol."""
    assert names(text) == []


SAME = [
    ("def f(a):\n    return a + 1\n", "def f(a):\n    '''Adds.'''\n\n    return (\n        a + 1  # one\n    )\n"),
    ("def f(a, b=1):\n    return a\n", "def f(a: int, b: int = 1) -> int:\n    return a\n"),
    ("def f():\n    x = 1\n    return x\n", "def f():\n    x: int = 1\n    return x\n"),
    ("def f():\n    return 'a' 'b'\n", 'def f():\n    return "ab"\n'),
    ("import numpy as np\ndef f():\n    return np.ones(2)\n", "import numpy\ndef f():\n    return numpy.ones(2)\n"),
    ("from a import b as c\ndef f():\n    return c(2)\n", "from z.a import b\ndef f():\n    return b(2)\n"),
    ("def f(x):\n    return cast('int', x)\n", "def f(x):\n    return x\n"),
    ("X = 4\n", "X: int = 4\n"),
]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_form_is_not_behaviour(old: str, new: str) -> None:
    """Layout, words, annotations and local names of imported things leave the digest as it was."""
    assert list(digests(old).values()) == list(digests(new).values())


DIFFERENT = [
    ("def f():\n    return 1\n", "def f():\n    return 2\n"),
    ("def f():\n    return 1\n", "def f():\n    return True\n"),
    ("def f(a, b=1):\n    return a\n", "def f(a, b=2):\n    return a\n"),
    ("def f():\n    return 1\n", "async def f():\n    return 1\n"),
    ("def f():\n    if a:\n        b()\n    c()\n", "def f():\n    if a:\n        b()\n        c()\n"),
    ("def f():\n    if a:\n        b()\n    else:\n        c()\n", "def f():\n    if a:\n        b()\n    c()\n"),
    (
        "def f():\n    try:\n        a()\n    except E:\n        b()\n",
        "def f():\n    try:\n        a()\n    except F:\n        b()\n",
    ),
    (
        "def f():\n    try:\n        a()\n    finally:\n        b()\n",
        "def f():\n    try:\n        a()\n    except E:\n        b()\n",
    ),
    (
        "def f(x):\n    match x:\n        case 1:\n            a()\n",
        "def f(x):\n    match x:\n        case 2:\n            a()\n",
    ),
    ("@cache\ndef f():\n    return 1\n", "def f():\n    return 1\n"),
    ("class A(B):\n    pass\n", "class A(C):\n    pass\n"),
    ("class A:\n    x: int\n", "class A:\n    x: float\n"),
    ("X = A\n", "X = B\n"),
    (
        "def f():\n    def g():\n        return 1\n    return g\n",
        "def f():\n    def g():\n        return 2\n    return g\n",
    ),
]


@pytest.mark.parametrize(("old", "new"), DIFFERENT)
def test_behaviour_is_not_form(old: str, new: str) -> None:
    """Values, defaults, nesting, handlers, decorators, bases and fields of a class are what it does."""
    assert digests(old) != digests(new)


def test_order_of_fields_is_behaviour_and_order_of_methods_is_not() -> None:
    """A dataclass takes its arguments in the order of its fields."""
    a = digests("class A:\n    x: int\n    y: int\n    def f(self): return 1\n    def g(self): return 2\n")
    methods = digests("class A:\n    x: int\n    y: int\n    def g(self): return 2\n    def f(self): return 1\n")
    fields = digests("class A:\n    y: int\n    x: int\n    def f(self): return 1\n    def g(self): return 2\n")
    assert a["A"] == methods["A"]
    assert a["A"] != fields["A"]


def test_a_class_is_told_without_its_methods() -> None:
    """The text of a class ends where its methods begin, so that a method's hunk is not its class's too."""
    found = modules("class A:\n    x = 1\n    def f(self):\n        return 2\n")[0].symbols[0]
    assert found.text == "class A:\n    x = 1\n"


def test_text_that_is_no_python_says_why() -> None:
    """A file that cannot be parsed has no symbols and a reason."""
    found = module("x.py", "def f(:\n")
    assert found.symbols == ()
    assert found.broken


@pytest.mark.parametrize("text", ["", "\x00", "# only a comment\n", "x = (" * 400 + ")" * 400])
def test_odd_text_never_fails(text: str) -> None:
    """Whatever a release contains, a scan goes on."""
    module("x.py", text)


def test_code_beyond_the_parser_is_broken_not_empty() -> None:
    """A file the parser gives up on says so: its symbols are unknown, never removed."""
    found = module("x.py", "def f():\n  return 2\nx=" + "-" * 100_000 + "1")
    assert found.broken
    assert not found.symbols


@pytest.mark.parametrize("mark", ["\f", "\x85", "\u2028", "\x1c"])
def test_only_the_parsers_lines_count(mark: str) -> None:
    """A character that str.splitlines ends a line at shifts no symbol's text."""
    found = module("a.py", f'def f():\n    return "{mark}"\n\n\ndef g():\n    return 2\n')
    assert [each.text for each in found.symbols] == [
        f'def f():\n    return "{mark}"\n',
        "def g():\n    return 2\n",
    ]
