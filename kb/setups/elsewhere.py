"""Options that stand elsewhere: a variable nobody sets here, a file that is named. They may hold a KV transfer."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.setups.arguments import Argument
from kb.setups.gathering import Gathering
from kb.setups.source import Text

_OPEN = re.compile(r"\$[\w{(@*]|\{\{")
_OPTIONS = re.compile(r"arg|opt|flag|extra|param|config|cfg|conf|kv|transfer|connector|[@*]", re.IGNORECASE)
"""What a variable that stands for whole options is called; any other one is a value."""

MAY = "it may hold a KV transfer configuration, so that none here says nothing of the topology"


def is_open(text: str) -> bool:
    """Whether a word is filled in elsewhere."""
    return _OPEN.search(text) is not None


def may_be_options(text: str) -> bool:
    """Whether a word is filled in elsewhere, with options by its name."""
    return is_open(text) and _OPTIONS.search(text) is not None


def filled_in(rest: Iterable[Text], options: Iterable[Argument], into: Gathering) -> None:
    """Words between the options, and values of options, that another place fills in: with more options, perhaps."""
    for word in rest:
        if is_open(word):
            into.may_transfer = True
            into.skip(word, word.line, f"filled in elsewhere; {MAY}")
    for each in options:
        if each.name != "kv-transfer-config" and _alone(each.value) and may_be_options(each.value):
            into.may_transfer = True
            into.skip(f"{each.spelled} {each.value}", each.line, f"filled in elsewhere; {MAY}")


def _alone(value: str) -> bool:
    """Whether a value is a variable and nothing else."""
    return re.fullmatch(r"\$(?:\w+|[@*]|\{[^}]*\}|\([^)]*\))|\{\{.*\}\}", value) is not None


def named_file(each: Argument, into: Gathering) -> None:
    """An option that names a file with more options."""
    into.may_transfer = True
    into.skip(f"{each.spelled} {each.value}", each.line, f"what the file states was not read; {MAY}")
