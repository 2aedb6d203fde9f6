"""What is left of a question when no entry holds it as it stands: its words without those that only ask.

Words are AND-ed, so "does prefix caching matter for push" would find nothing for want of an entry that says "does".
This is a second try only; a query that finds something is not touched, unless it is a question that finds little: an
entry that happens to hold "where", "does" and "go" as well is no better an answer than those that hold the rest.
"""

from __future__ import annotations

import re

_JAPANESE = r"\u30a1-\u30fa\u30fc\u4e00-\u9fff"
_PARTICLES = re.compile(rf"(?<=[{_JAPANESE}])[\u3041-\u3096]+(?=[{_JAPANESE}]|$)")
"""Hiragana between or behind other Japanese."""
_SYNTAX = re.compile(r"""["():*~\[\]]|(?<!\S)-|\b(?:AND|OR|NOT)\b""")
_ENGLISH = (
    "a an and are can did do does for from go goes how i in is it matter of on should that the there to was we what"
    " when where which who why with"
)
_PORTUGUESE = "a as com como da das de do dos e em na no o onde os para por qual quais que se um uma"
FILLERS = frozenset(f"{_ENGLISH} {_PORTUGUESE}".split())

_QUESTIONS = "can did do does how is what when where which who why como onde por qual quais quando que"
_ASKING = frozenset(_QUESTIONS.split())
"""Words that questions begin with."""


def is_question(text: str) -> bool:
    """Whether a query of several words begins as a question does."""
    first, _, rest = text.strip().partition(" ")
    return bool(rest) and first.casefold() in _ASKING


def without_fillers(text: str) -> str:
    """The text without its filling words, Japanese cut at its particles; as it is when it holds query syntax."""
    if _SYNTAX.search(text):
        return text
    kept = [word for word in text.split() if word.strip("?？.,!").casefold() not in FILLERS]
    return _PARTICLES.sub(" ", " ".join(kept)).rstrip("?？")
