"""Secrets that files carry along: keys, tokens, passwords, users in addresses. Nothing of them leaves this room."""

from __future__ import annotations

import re

REDACTED = "<redacted>"

_NAME = re.compile(
    r"(?:^|[_\-. ])(?:api[_-]?keys?|keys?|secrets?|passw(?:or)?d|credentials?|authorization|tokens?|bearer)$"
    r"|api[_-]?key|key[_-]id$",
    re.IGNORECASE,
)
"""The end of a name says it: HF_TOKEN is a secret, `max_tokens` and `tokenizer` are none."""

_COUNTS = re.compile(
    r"(?:max|min|num|n|input|output|total|batched|prompt|draft|speculative)[_-](?:\w+[_-])*tokens?$", re.IGNORECASE
)

_VALUE = re.compile(
    r"hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|AKIA[A-Z0-9]{12,}"
    r"|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]+)?|(?i:bearer)\s+[\w.~+/=-]{6,}"
)
_USER = re.compile(r"(?<=://)[^/@\s\"']+@")
# a name is looked at from its first letter on, and not for ever: texts of a million letters come by
_GIVEN = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]{0,200}(?:api[_-]?key|token|secret|passw(?:or)?d|authorization)[\w-]{0,80})(?P<sep>[\"']?\s*[=:]\s*|\s+)(?P<quote>[\"']?)(?P<value>[^\s\"',}]+)",
    re.IGNORECASE,
)


def is_secret(name: str) -> bool:
    """Whether a name of an option or variable says that its value is a secret."""
    return bool(_NAME.search(name)) and not _COUNTS.search(name)


def redacted(text: str) -> str:
    """The text without tokens, keys and users in addresses."""
    clean = _USER.sub(f"{REDACTED}@", _VALUE.sub(REDACTED, text))
    return _GIVEN.sub(_given, clean)


def _given(match: re.Match[str]) -> str:
    if not is_secret(match["name"].lstrip("-")) or match["value"].startswith(("$", "<", "--")):
        return match[0]
    return f"{match['name']}{match['sep']}{match['quote']}{REDACTED}"
