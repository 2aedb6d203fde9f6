"""kb.once: answers kept by the identity of what was asked about."""

from __future__ import annotations

from typing import Any

import kb.once
from kb.once import by_identity


def test_a_value_is_asked_about_once() -> None:
    """By what it is, not by what it equals; further arguments tell answers apart."""
    asked: list[tuple[Any, ...]] = []

    @by_identity
    def told(value: list[int], more: str = "") -> str:
        asked.append((value, more))
        return f"{value}{more}"

    one, other = [1], [1]
    assert told(one) == told(one) == told(other) == "[1]"
    assert told(one, "x") == "[1]x"
    assert len(asked) == 3


def test_an_identity_that_comes_again_is_not_mistaken(monkeypatch: Any) -> None:
    """A value stays as long as its answer does; of too many both go."""
    monkeypatch.setattr(kb.once, "MOST", 10)

    @by_identity
    def told(value: list[int]) -> int:
        return value[0]

    assert [told([number]) for number in range(1000)] == list(range(1000))
