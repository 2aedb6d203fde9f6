"""What holds for any code: made-up modules, changed in ways that are or are not behaviour."""

from __future__ import annotations

import ast
import copy
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from kb.scan.match import Status
from tests.scan.made import matched, statuses

NAMES = st.sampled_from(["read", "post", "wait", "lease", "close"])
VALUES = st.sampled_from(["1", "2.5", "'x'", "None", "[1, 2]", "a + 7", "self.go(a, 3)", "f'{a}'", "{'k': 4}"])
SIMPLE = st.one_of(
    st.builds(lambda n, v: f"{n} = {v}", NAMES, VALUES),
    st.builds(lambda n, v: f"self.{n}({v})", NAMES, VALUES),
    st.builds(lambda v: f"return {v}", VALUES),
    st.builds(lambda v: f"raise E({v})", VALUES),
)


def indent(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def compound(body: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    return st.one_of(
        st.builds(lambda v, b: [f"if {v}:", *indent(b)], VALUES, body),
        st.builds(lambda v, b, c: [f"if {v}:", *indent(b), "else:", *indent(c)], VALUES, body, body),
        st.builds(lambda n, b: [f"for {n} in a:", *indent(b)], NAMES, body),
        st.builds(lambda b, c: ["try:", *indent(b), "except E as e:", *indent(c)], body, body),
        st.builds(lambda a, b: [*a, *b], body, body),
    )


BODIES = st.recursive(SIMPLE.map(lambda line: [line]), compound, max_leaves=5)
FIELDS = st.builds(lambda n, v: [f"{n}_{v[0]}: int = {v[1]}"], NAMES, st.sampled_from([("x", "1"), ("y", "'z'")]))


def function(name: str, body: list[str], owner: bool) -> list[str]:
    return [f"def {name}({'self, ' if owner else ''}a, b=5):", *indent(body)]


@st.composite
def modules(draw: st.DrawFn) -> str:
    """A module of constants, functions and classes, each name once."""
    lines: list[str] = [
        f"LIMIT_{n} = {value}"
        for n, value in enumerate(draw(st.lists(VALUES.filter(lambda v: "a" not in v), max_size=2)))
    ]
    for n, body in enumerate(draw(st.lists(BODIES, min_size=1, max_size=3))):
        lines += function(f"f{n}", body, False)
    for n, methods in enumerate(draw(st.lists(st.lists(BODIES, min_size=1, max_size=3), max_size=2))):
        lines += [f"class C{n}:", *indent(draw(FIELDS)), "    limit = 9"]
        for m, body in enumerate(methods):
            lines += indent(function(f"m{m}", body, True))
    return "\n".join(lines) + "\n"


def quiet(old: str, new: str, path: str = "pkg/worker.py") -> bool:
    """Whether nothing is changed, added or removed."""
    found = matched({"pkg/worker.py": old}, {path: new}).matches
    return {each.status for each in found} <= {Status.UNCHANGED, Status.MOVED}


@given(modules())
@settings(deadline=None, max_examples=60)
def test_reformatting_is_no_change(text: str) -> None:
    """Text written anew from its syntax tree does the same."""
    assert quiet(text, f"# comment\n\n{ast.unparse(ast.parse(text))}\n\n")


@given(modules(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_order_of_functions_and_methods_is_no_change(text: str, chance: random.Random) -> None:
    """Definitions may stand in any order; fields keep theirs."""
    tree = ast.parse(text)
    for body in [tree.body, *(each.body for each in tree.body if isinstance(each, ast.ClassDef))]:
        movable = [each for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef)]
        rest = [each for each in body if each not in movable]
        chance.shuffle(movable)
        body[:] = [*rest, *movable]
    assert quiet(text, ast.unparse(tree))


@given(modules(), st.sampled_from(["pkg/other.py", "pkg/worker/core.py", "pkg/deep/er/w.py"]))
@settings(deadline=None, max_examples=40)
def test_renaming_the_file_is_no_change(text: str, path: str) -> None:
    """Everything is moved, nothing else."""
    found = matched({"pkg/worker.py": text}, {path: text}).matches
    assert {each.status for each in found} == {Status.MOVED}


@given(modules(), modules())
@settings(deadline=None, max_examples=40)
def test_splitting_a_file_is_no_change(one: str, two: str) -> None:
    """Two files of one, whatever their names."""
    two = two.replace("def f", "def g").replace("class C", "class D").replace("LIMIT_", "MOST_")
    found = matched({"pkg/w.py": one + two}, {"pkg/x.py": one, "pkg/y.py": two}).matches
    assert {each.status for each in found} == {Status.MOVED}


@given(modules())
@settings(deadline=None, max_examples=60)
def test_words_and_annotations_are_no_change(text: str) -> None:
    """Docstrings everywhere, every parameter and result annotated."""
    tree = ast.parse(text)
    for each in ast.walk(tree):
        if isinstance(each, ast.FunctionDef):
            each.returns = ast.Name("int")
            for one in each.args.args:
                one.annotation = ast.Constant("Any")
        if isinstance(each, ast.FunctionDef | ast.ClassDef | ast.Module):
            each.body.insert(0, ast.Expr(ast.Constant("What it is for.")))
    assert quiet(text, ast.unparse(ast.fix_missing_locations(tree)))


def constants(tree: ast.Module) -> list[tuple[str, ast.Constant]]:
    """Every constant with the symbol it belongs to; parts of a formatted text are left out."""
    found: list[tuple[str, ast.Constant]] = []
    for owner in tree.body:
        inner = [owner] if not isinstance(owner, ast.ClassDef) else owner.body
        prefix = "" if not isinstance(owner, ast.ClassDef) else f"{owner.name}."
        for each in inner:
            name = (
                each.name
                if isinstance(each, ast.FunctionDef)
                else ast.unparse(getattr(each, "target", None) or each.targets[0])
            )
            found += [(prefix + name, one) for one in ast.walk(each) if isinstance(one, ast.Constant)]
    return found


@given(modules(), st.data())
@settings(deadline=None, max_examples=120)
def test_one_other_constant_is_one_changed_symbol(text: str, data: st.DataObject) -> None:
    """Exactly the symbol whose constant it is."""
    tree = copy.deepcopy(ast.parse(text))
    name, constant = data.draw(st.sampled_from(constants(tree)), label="constant")
    constant.value = 4711
    assert statuses(text, ast.unparse(tree)) == {name: "changed"}


@given(BODIES, BODIES)
@settings(deadline=None, max_examples=60)
def test_swapped_bodies_are_changed(one: list[str], two: list[str]) -> None:
    """Methods of one name in two classes that change their bodies are changed, both."""

    def made(a: list[str], b: list[str]) -> str:
        parts = ("class A:", *indent(function("go", a, True)), "class B:", *indent(function("go", b, True)))
        return "\n".join(parts) + "\n"

    differ = ast.dump(ast.parse(made(one, two))) != ast.dump(ast.parse(made(two, one)))
    assert statuses(made(one, two), made(two, one)) == ({"A.go": "changed", "B.go": "changed"} if differ else {})


@given(BODIES, st.booleans())
@settings(deadline=None, max_examples=60)
def test_a_deleted_function_beside_a_similar_one_is_removed(body: list[str], twin: bool) -> None:
    """The neighbour was there before: it is not where the function went."""
    other = body if twin else [*body, "self.more(1)"]
    both = "\n".join([*function("gone", body, False), *function("stays", other, False)]) + "\n"
    assert statuses(both, "\n".join(function("stays", other, False)) + "\n") == {"gone": "removed"}
