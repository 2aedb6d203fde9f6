"""kb.cli.options: what commands share."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kb.cli.options import print_json, say

STEERING = "\x1b[2J \x7f \x85 \x9b31m \u061c \u200e \u200f \u2028 \u202e \u2066 \u2069 \udc9b"
READABLE = {"ja": "転送遅延", "pt": "transferência", "en": 'a "quote" \\ and a tab\t', "sign": "× … → 🙂"}


def printed(value: Any, capsys: pytest.CaptureFixture[str]) -> str:
    print_json(value)
    return capsys.readouterr().out


def test_json_steers_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters, turners of direction and what is no text are spelt out, in keys as in values."""
    out = printed({STEERING: [STEERING]}, capsys)
    assert all(char.isprintable() or char == "\n" for char in out)
    assert json.loads(out) == {STEERING: [STEERING]}


def test_json_is_readable(capsys: pytest.CaptureFixture[str]) -> None:
    """Letters of every language stand as they are."""
    out = printed(READABLE, capsys)
    assert json.loads(out) == READABLE
    assert all(word in out for word in ("転送遅延", "transferência", "× … → 🙂"))


def test_json_has_no_numbers_without_an_end(capsys: pytest.CaptureFixture[str]) -> None:
    """An unlimited rate is "inf", as it is written in a record; other numbers stay numbers."""
    value = {"rates": [float("inf"), 1.5, 2], "deep": ({"low": float("-inf"), "none": None, "yes": True},)}
    out = printed(value, capsys)
    found = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert found == {"rates": ["inf", 1.5, 2], "deep": [{"low": "-inf", "none": None, "yes": True}]}


def test_talk_steers_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A file's name in a sentence is only text; letters of every language stay."""
    say(f"転送 ação: {STEERING}\tends")
    err = capsys.readouterr().err
    assert err.startswith("転送 ação: ")
    assert err.endswith("\tends\n")
    assert all(char.isprintable() or char in "\n\t" for char in err)
