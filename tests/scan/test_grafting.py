"""kb.scan.grafting: a file parsed beside itself holds what it holds when it is parsed alone."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.scan.grafting import SHORTEST, grafted
from kb.scan.normal import Def, nodes
from kb.scan.reads import _Reader, read, read_in, resolved
from kb.scan.symbols import Module, taken_apart
from kb.scan.taking import Job, _known, closely

LONG = "        note = 'long enough to be worth it, and then some more of it'\n"
ONE = f"    def one(self, a):\n        from math import sqrt as root\n{LONG}{LONG}        return root(a)\n"
TWO = f"    def two(self, a):\n{LONG}{LONG}        return 2\n\n"
OLD = f"class A(B):\n{ONE}\n{TWO}\n\ndef last():\n    pass\n"


def plain(module: Module) -> tuple[object, ...]:
    """Everything of a module but its trees."""
    symbols = [(s.name, s.kind, s.line, s.text, s.aliases, s.code.number, s.digest) for s in module.symbols]
    return symbols, module.exports, module.origins, module.bases, module.broken


def known(text: str) -> dict[str, Def]:
    module, _ = taken_apart("a.py", text)
    return _known({text: module})


@pytest.mark.parametrize(
    ("new", "used"),
    [
        (OLD.replace("pass", "return"), 2),
        ("import os\n\n\n" + OLD, 2),
        (OLD.replace(ONE, ONE.replace("root(a)", "root(b)")), 1),
        (OLD.replace(TWO, ""), 1),
        (f"class A(B):\n{ONE}\n\nclass C:\n{TWO}", 2),
        (f"class A(B):\n    if x:\n        pass\n{ONE}", 1),
        (f"class A(B):\n{TWO}\n{ONE}", 1),
        (OLD.rstrip("\n"), 2),
        # what stands there is another thing now
        (OLD.replace(ONE, f"    @cached\n{ONE}"), 0),
        (OLD.replace(ONE, f"    T = '''\n{ONE}    '''\n"), 0),
        (OLD.replace(ONE, f"    def whole(self):\n        if a:\n            return 1\n    # {{\n{ONE}"), 2),
        (f"def f():\n    x = 1\n{ONE}", 0),
        (f"for each in x:\n{ONE}", 1),
        (OLD.replace(ONE, ONE.replace("    def", "    async def", 1)), 1),
        # lines do not tell where a statement stands
        (OLD.replace("class A(B):\n", "class A(B):\n    \\\n"), 0),
        (OLD.replace("\n", "\r\n"), 0),
        (OLD.replace("class", "\fclass"), 0),
        # no Python
        (OLD.replace("pass", "pass pass"), 0),
        (OLD.replace(TWO, f"{TWO}   x = 1\n"), 0),
        (OLD.replace(ONE, f"    x = (\n{ONE}"), 0),
        ("", 0),
    ],
)
def test_a_file_is_what_it_is_alone(new: str, used: int) -> None:
    """Names, lines, texts, digests, imports and bases; and how many functions were taken over."""
    there = known(OLD)
    found = grafted(new, there)
    assert (len(found.grafted) if found else 0) == used
    assert plain(taken_apart("a.py", new, there)[0]) == plain(taken_apart("a.py", new)[0])


def test_a_function_of_an_odd_file_is_not_known() -> None:
    """Its text may not be all there is to it."""
    assert known(OLD)
    assert not known(OLD.replace("class A", "\fclass A"))
    assert len(TWO) > SHORTEST


FACTS = """\
import os
CFG = "x"
class Worker:
    def first(self, cfg):
        options = self.config.kv_connector_extra_config
        self.kept = options
        return os.environ.get("A", "1")

    def second(self):
        value = self.kept.get("lease", 30)
        for name in ("B", "C"):
            self.note(name, "and some more text so that it is long enough", value)
        return [os.getenv(each) for each in NAMES]

    def third(self):
        for each in ("D", "E"):
            self.note(each, "and some more text so that it is long enough", 2)
        return os.getenv(CFG) or "and some more text so that it is long enough"

    def fourth(self):
        for each in ("F", "G"):
            self.note(each, "and some more text so that it is long enough", 2)
        return "and some more text so that it is long enough"
"""


@pytest.mark.parametrize("ahead", ["", "import sys\n\n", "X = 1\nclass FirstConfig:\n    a: int = 1\n"])
def test_facts_are_those_of_the_whole_tree(ahead: str) -> None:
    """Options read off a name that only another function gives a value, and loops that only their variable ties."""
    new = ahead + FACTS.replace('"A", "1"', '"A", "2"')
    module, tree = taken_apart("a.py", new, known(FACTS))
    assert tree
    assert tree.grafted
    whole = ast.parse(new)
    every = set(resolved(_Reader(nodes(whole), whole).reading, "a.py", {}, lambda _: None))
    assert set(resolved(read_in(tree, new), "a.py", {}, lambda _: None)) == every
    assert set(resolved(read(new), "a.py", {}, lambda _: None)) == every
    assert {each.name for each in every} >= {"A", "lease", "D", "E", "F", "G", "x"}
    assert module.symbols


PIECES = [
    ONE,
    TWO,
    "    x = 1\n",
    "    '''\n",
    "    y = (1,\n",
    "    )\n",
    "    @d\n",
    "    if x:\n",
    "class C:\n",
    "\n",
    "\\\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.lists(st.sampled_from(PIECES), max_size=8))
@settings(max_examples=150, deadline=None)
def test_any_files(before: list[str], after: list[str]) -> None:
    """Whatever is put together, and whether it is Python or not."""
    old, new = ("class A:\n" + "".join(parts) for parts in (before, after))
    found = closely(Job("a.py", old, new))
    for module, text in ((found.old, old), (found.new, new)):
        alone, _ = taken_apart("a.py", text)
        assert module
        assert plain(module) == plain(alone)
