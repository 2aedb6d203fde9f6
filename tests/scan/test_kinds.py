"""What kind of difference it is."""

# ruff: noqa: E501  a row of a table reads better unbroken

from __future__ import annotations

import pytest

from tests.scan.made import kinds, scanned

KINDS = [
    ("docs", "def f():\n    return 1\n", "def f():\n    '''One.'''\n    return 1  # one\n", "unchanged docs"),
    ("types", "def f(a):\n    return a\n", "def f(a: int) -> int:\n    return a\n", "unchanged types"),
    ("assertion of a type", "def f(a):\n    return a.b\n", "def f(a):\n    assert a is not None\n    return a.b\n", "changed types"),
    ("log", "def f(a):\n    return a\n", "def f(a):\n    logger.info('%s', a)\n    return a\n", "changed logging"),
    ("log below its own condition", "def f(a):\n    return a\n", "def f(a):\n    if a > 2:\n        logger.warning('much')\n    return a\n", "changed logging"),
    ("counter", "def f(a):\n    return a\n", "def f(a):\n    self.xfer_stats.record_transfer(a)\n    return a\n", "changed logging"),
    ("words of an error", "def f():\n    raise E('no')\n", "def f():\n    raise E(f'not {x}')\n", "changed logging"),
    ("local renamed", "def f(a):\n    b = a + 1\n    return b\n", "def f(a):\n    c = a + 1\n    return c\n", "changed refactor"),
    ("value", "def f():\n    return 1\n", "def f():\n    return 2\n", "changed behaviour"),
    ("parameter renamed", "def f(a):\n    return a\n", "def f(b):\n    return b\n", "changed behaviour"),
    ("log that takes something", "def f(q):\n    return q\n", "def f(q):\n    logger.info('%s', q.pop())\n    return q\n", "changed behaviour"),
    ("another error", "def f():\n    raise E('no')\n", "def f():\n    raise F('no')\n", "changed behaviour"),
    ("locals swapped", "def f(a):\n    x = 1\n    y = 2\n    return x\n", "def f(a):\n    x = 1\n    y = 2\n    return y\n", "changed behaviour"),
    ("assertion that may fail", "def f(a):\n    return a\n", "def f(a):\n    assert a > 2\n    return a\n", "changed behaviour"),
    ("condition around an action", "def f(a):\n    a.go()\n", "def f(a):\n    if a:\n        a.go()\n", "changed behaviour"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said"), [pytest.param(*row[1:], id=row[0]) for row in KINDS])
def test_kinds_of_one_function(old: str, new: str, said: str) -> None:
    """Quiet kinds are told from behaviour, and behaviour is never called quiet."""
    assert kinds(old, new) == {"f": said}


WHOLE = """
class W:
    def go(self, a):
        x = self.open(a)
        for each in x:
            each.post()
        self.done = True
        return x
"""
PART = """
class W:
    def go(self, a):
        x = self.open(a)
        self._post_all(x)
        return x
    def _post_all(self, things):
        for thing in things:
            thing.post()
        self.done = True
"""


def test_a_helper_with_the_old_body_is_a_refactoring() -> None:
    """Put where it is called, the helper gives the old body, its own names for the same things included."""
    assert kinds(WHOLE, PART) == {"W.go": "changed refactor", "W._post_all": "added refactor"}


def test_a_helper_put_back_is_a_refactoring() -> None:
    """The same in the other direction."""
    assert kinds(PART, WHOLE) == {"W.go": "changed refactor", "W._post_all": "removed refactor"}


def test_a_helper_that_returns_a_value() -> None:
    """`x = helper(a)` stands for what the helper computes."""
    old = "def f(a):\n    b = a + 1\n    c = b * 2\n    return c + a\n"
    new = "def f(a):\n    c = g(a)\n    return c + a\ndef g(a):\n    b = a + 1\n    return b * 2\n"
    assert kinds(old, new) == {"f": "changed refactor", "g": "added refactor"}


HELPERS = [
    pytest.param(PART.replace("thing.post()", "thing.post(2)"), id="its body is another"),
    pytest.param(PART.replace("self._post_all(x)", "self._post_all(a)"), id="it is given something else"),
    pytest.param(PART.replace("        self.done = True\n", ""), id="something is left out"),
    pytest.param(PART.replace("        return x\n", "        return None\n"), id="the rest changed too"),
]


@pytest.mark.parametrize("new", HELPERS)
def test_a_helper_with_another_body_is_behaviour(new: str) -> None:
    """What is not the old body is no refactoring."""
    assert kinds(WHOLE, new)["W.go"] == "changed behaviour"


def test_an_early_return_in_a_helper_is_behaviour() -> None:
    """A return in the middle of a helper leaves the helper, not its caller."""
    old = "def f(a):\n    if a:\n        return 1\n    b(a)\n    return 2\n"
    new = "def f(a):\n    g(a)\n    return 2\ndef g(a):\n    if a:\n        return 1\n    b(a)\n"
    assert kinds(old, new)["f"] == "changed behaviour"


def test_callers_of_a_renamed_function_are_refactored() -> None:
    """A caller that only follows the new name does the same."""
    body = "    a = x.open()\n    b = a.post()\n    c = b.wait()\n    return c\n"
    found = kinds(
        f"def old(x):\n{body}def f(x):\n    return old(x)\n", f"def new(x):\n{body}def f(x):\n    return new(x)\n"
    )
    assert found == {"new": "moved refactor", "f": "changed refactor"}


def test_a_class_that_handed_its_methods_to_a_new_base_is_split() -> None:
    """The class has another base now, and that base is new: the class itself does the same."""
    body = "        a = x.open()\n        b = a.post()\n        return b\n"
    old = f"class W:\n    def go(self, x):\n{body}    def one(self, x):\n{body}"
    new = f"class B:\n    def one(self, x):\n{body}class W(B):\n    def go(self, x):\n{body}"
    assert kinds(old, new) == {"B": "added refactor", "B.one": "moved refactor", "W": "changed refactor"}


QUIET = [
    ("logger = init(__name__)\n", "added logging"),
    ("Handle = tuple[int, str]\n", "added types"),
    ("T = TypeVar('T')\n", "added types"),
    ("class PushStats:\n    pass\n", "added logging"),
    ("def tell(a):\n    logger.info(a)\n", "added logging"),
    ("def must(self):\n    raise NotImplementedError\n", "added types"),
    ("def must(self):\n    raise NotImplementedError('x')\n", "added types"),
    ("LIMIT = 3\n", "added behaviour"),
    ("Stub = make('x')\n", "added behaviour"),
    ("def nothing():\n    pass\n", "added behaviour"),
]


@pytest.mark.parametrize(("text", "said"), QUIET)
def test_kinds_of_what_is_new(text: str, said: str) -> None:
    """A logger, a metric's class and a name of a type are told from what acts."""
    assert list(kinds("X = 1\n", f"X = 1\n{text}").values()) == [said]


def test_every_kind_says_why() -> None:
    """A reader can check each judgement."""
    found = {each.name: each.why for each in scanned(WHOLE, PART).symbols if each.kind}
    assert found["W.go"] == "same name; its old body is in _post_all"
    assert found["W._post_all"] == "its body was and is part of what calls it"
