"""The command line as people type it, before it is parsed: options in front, `help`, query words like options."""

from __future__ import annotations

import re

from kb.errors import KbError

PLANNED = {
    "export": "the base as sqlite, csv or parquet",
    "mcp": "the base for agents",
}
"""Commands that will come, and what they will answer."""

INSTEAD = {
    "export": "`kb search --json --limit 1000` prints every entry",
    "mcp": "every command that prints data takes --json",
}
GROUPS = ("site",)
"""Commands with commands of their own."""
_SEARCH = ("--kind", "--limit", "--sort", "--facet", "--json", "--quiet", "--root", "--help", "--all")
_FIRST = {"--root": 2, "--json": 1, "--quiet": 1, "-q": 1}
"""Options of commands that may stand before the command, and how many words they take."""


def understood(words: list[str]) -> list[str]:
    """The words in the order and spelling that the parser takes."""
    front, rest = _front(words)
    if not rest:
        return words
    if rest[0] == "help":
        return [*rest[1:2], "--help"]
    if rest[0] in ("version", "-V"):
        return ["--version"]
    after = [_as_query(word) for word in rest[1:]] if rest[0] == "search" and "--" not in rest else rest[1:]
    named = 2 if rest[0] in GROUPS and len(rest) > 1 else 1
    return [*rest[:1], *after[: named - 1], *front, *after[named - 1 :]]


def _front(words: list[str]) -> tuple[list[str], list[str]]:
    """Options of commands that stand before the command, and the rest."""
    end = 0
    while end < len(words) and (taken := 1 if words[end].startswith("--root=") else _FIRST.get(words[end], 0)):
        end += taken
    return words[:end], words[end:]


def _as_query(word: str) -> str:
    """A word of a query that looks like an option (a flag somebody searches for, `-word` to leave out) is none."""
    if re.fullmatch(r"-(?!n\d|-)[^\W\d][\w.:-]+", word) and word not in ("-nq", "-qn"):
        return f" {word}"
    name = word.partition("=")[0]
    if not re.fullmatch(r"--\w[\w.-]+", name) or name in _SEARCH:
        return word
    from kb.suggest import nearest

    return word if nearest(name, _SEARCH) else f" {word}"


def not_yet(name: str) -> KbError | None:
    """What to say of a command that will come; None for one that nobody plans."""
    if name not in PLANNED:
        return None
    return KbError(f"`kb {name}` is not there yet: {PLANNED[name]}", INSTEAD.get(name) or "`kb --help` lists what is")
