"""kb.turns: the releases in which a symbol's code is another one."""

from __future__ import annotations

import pytest

from kb.turns import is_part, turns

from .test_digests import table


@pytest.mark.parametrize(
    ("symbol", "first", "second", "expected"),
    [
        ("LIMIT", "1.0", "3.0", []),
        ("Worker.read", "1.0", "3.0", [("1.1", "1.0"), ("3.0", "2.1")]),
        ("Worker.read", "3.0", "1.0", [("1.1", "1.0"), ("3.0", "2.1")]),
        ("Worker.read", "1.1", "2.1", []),
        ("Pull.log", "2.0", "3.0", []),
        ("twice", "1.0", "3.0", [("1.1", "1.0"), ("2.0", "1.1")]),
        ("gone", "1.0", "3.0", [("2.1", "2.0")]),
        ("gone", "1.0", "2.0", []),
        ("late", "1.0", "3.0", [("2.1", "2.0")]),
        ("Pull", "2.0", "3.0", [("3.0", "2.1")]),
        ("nothing", "1.0", "3.0", []),
        ("gone", "1.0", "1.0", []),
        ("gone", "1.0", "9.0", []),
    ],
)
def test_turns(symbol: str, first: str, second: str, expected: list[tuple[str, str]]) -> None:
    """Changed behaviour, coming and going; neither moves nor logging; between scanned releases only."""
    assert [(each.release, each.after) for each in turns(table(), symbol, first, second)] == expected


def test_names_of_a_turn() -> None:
    """What it was called before and after, and where an inherited member is defined."""
    last = turns(table(), "Worker.read", "1.0", "3.0")[-1]
    assert last.names == {"Worker.read", "Pull.read"}
    [inherited] = turns(table(), "Pull.renew", "1.1", "2.0")
    assert inherited.names == {"Pull.renew", "Base.renew"}


def test_an_heir_of_its_own_mind_is_not_its_base() -> None:
    """What an heir puts in the place of what it inherited: the base is no name of it, as nothing turned there."""
    [own] = turns(table(), "Push.renew", "2.0", "2.1")
    assert own.names == {"Push.renew"}


def test_a_member_is_part_of_its_class() -> None:
    """And of no class whose name begins alike."""
    assert is_part("Pull.read", "Pull")
    assert is_part("Pull", "Pull")
    assert not is_part("Puller.read", "Pull")
    assert not is_part("Pull", "Pull.read")
