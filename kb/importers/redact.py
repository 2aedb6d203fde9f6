"""Secrets out of every string that leaves an importer: keys, tokens, authorization headers, users in addresses."""

from __future__ import annotations

import re
from typing import TypeVar, overload

HIDDEN = "***"

_NAME = (
    r"(?:api[-_ ]?key|(?:access|auth|hf|bearer)[-_ ]?token|token"
    r"|secret(?:[-_ ]?(?:access[-_ ]?)?key)?|password|passwd)"
)
_VALUE = r"(?!None\b|null\b|true\b|false\b|\*)[^\s'\",;&}\])]+"
_PATTERNS = (
    # user and password of an address
    (r"(\b[a-z][a-z0-9+.-]*://)[^/\s@'\"]+@", rf"\1{HIDDEN}@"),
    # Authorization: Bearer xyz in any quoting, and a bearer alone
    (r"(authorization['\"]?\s*[:=]\s*['\"]?\s*)(?:(?:bearer|basic|token)\s+)?[^\s'\",;}\])]+", rf"\1{HIDDEN}"),
    (r"\b(bearer\s+)(?!\*)[A-Za-z0-9._~+/=-]{6,}", rf"\1{HIDDEN}"),
    # api_key=xyz, "api_key": "xyz", OPENAI_API_KEY=xyz
    (rf"((?<![A-Za-z0-9])(?:[A-Za-z0-9]+[-_])*{_NAME}['\"]?\s*[:=]\s*['\"]?){_VALUE}", rf"\1{HIDDEN}"),
    # --api-key xyz
    (rf"(--(?:[A-Za-z0-9]+-)*{_NAME}\s+['\"]?){_VALUE}", rf"\1{HIDDEN}"),
    # keys known by how they look
    (
        r"\b(?:[spr]k-[\w-]{16,}|hf_[A-Za-z0-9]{16,}|nvapi-[\w-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16})",
        HIDDEN,
    ),
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in _PATTERNS)
_SECRET_NAME = re.compile(rf"(?:^|[-_. ])(?:{_NAME}|authorization)$", re.IGNORECASE)

Value = TypeVar("Value")


def redacted(text: str) -> str:
    """The text without secrets; a text that has none comes back as it is."""
    for pattern, instead in _COMPILED:
        text = pattern.sub(instead, text)
    return text


def is_secret(name: str) -> bool:
    """Whether a value under this name is a secret whatever it looks like."""
    return bool(_SECRET_NAME.search(name))


@overload
def clean(name: str, value: str) -> str: ...
@overload
def clean(name: str, value: Value) -> Value: ...
def clean(name: str, value: object) -> object:
    """A named value without secrets: hidden whole where its name says so."""
    if not isinstance(value, str):
        return value
    return HIDDEN if is_secret(name) and value and value not in {"None", "null"} else redacted(value)
