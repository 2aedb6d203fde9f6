"""Secrets out of every string that is read from a tool's file: keys, tokens, headers, users in addresses.

Importers and readers of setups share it: what one of them would miss, both would print.
"""

from __future__ import annotations

import re
from typing import TypeVar, overload

HIDDEN = "***"

_NAME = (
    r"(?:api[-_ ]?key|(?:access|auth|hf|bearer)[-_ ]?token|token"
    r"|secret(?:[-_ ]?(?:access[-_ ]?)?key)?|private[-_ ]?key|ssl[-_ ]?key|credentials?|cookie|password|passwd)"
)
_VALUE = r"(?!None\b|null\b|true\b|false\b|\*|\[\s*(?:(?:None|null)?\s*\]|\\?['\"]?\*))[^\s'\",;&}\])\\]+"
_EMPTY = r"(?!None\b|null\b|true\b|false\b|\*)"
# quotes of a JSON text in a JSON text are escaped; what stands in quotes may have blanks
_QUOTED = (
    (rf'"{_EMPTY}(?:\\.|[^"\\\n])+"', '"'),
    (rf"'{_EMPTY}(?:\\.|[^'\\\n])+'", "'"),
    (rf'\\"{_EMPTY}[^"\\\n]+\\"', r'\\"'),
    (rf"\\'{_EMPTY}[^'\\\n]+\\'", r"\\'"),
)
_GIVEN = (rf"(?<![A-Za-z0-9]){_NAME}\\?['\"]?\s*[:=]\s*", rf"--(?:[A-Za-z0-9]{{1,40}}-){{0,6}}{_NAME}\s+")
_PATTERNS = (
    (r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)", HIDDEN),
    # user and password of an address, a signature among its parameters
    (r"(\b[a-z][a-z0-9+.-]{0,20}://)[^/\s'\"?#]+@", rf"\1{HIDDEN}@"),
    (r"([?&](?:sig|(?:x-amz-)?(?:signature|credential|security-token))=)[^&\s'\"]+", rf"\1{HIDDEN}"),
    # Authorization: Bearer xyz in any quoting, and a bearer alone
    (
        r"(authorization\\?['\"]?\s*[:=]\s*\\?['\"]?\s*)(?:(?:bearer|basic|token|apikey|digest)\s+)?[^\s'\",;}\])\\]+",
        rf"\1{HIDDEN}",
    ),
    (r"\b(bearer\s+)(?!\*)[A-Za-z0-9._~+/=-]{6,}", rf"\1{HIDDEN}"),
    # api_key=xyz, "api_key": "xyz", OPENAI_API_KEY=xyz, --api-key xyz; in quotes and lists first
    *((f"({name}){quoted}", rf"\1{quote}{HIDDEN}{quote}") for name in _GIVEN for quoted, quote in _QUOTED),
    *(
        (rf"({name}\[\s*\\?['\"]?){_EMPTY}[^\[\]\n'\"\s][^\[\]\n]*?(?=\\?['\"]?\s*\])", rf"\1{HIDDEN}")
        for name in _GIVEN
    ),
    *((rf"({name}\\?['\"]?){_VALUE}", rf"\1{HIDDEN}") for name in _GIVEN),
    # keys known by how they look
    (
        r"\b(?:[spr]k-[\w-]{16,}|hf_[A-Za-z0-9]{16,}|nvapi-[\w-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}"
        r"|xox[abeprs]-[\w-]{10,}|AIza[\w-]{30,})",
        HIDDEN,
    ),
    (r"(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]+)?", HIDDEN),
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in _PATTERNS)
_SECRET_NAME = re.compile(
    rf"(?:^|[-_. ])(?:{_NAME}|authorization|api[-_ ]?keys|secrets|bearer)$"
    r"|[a-z0-9][-_](?:access[-_])?keys?(?:[-_]id)?$",
    re.IGNORECASE,
)
"""The end of a name says it: HF_TOKEN and OPENAI_KEY are secrets, `max_tokens` and `tokenizer` are none."""

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Characters that steer a terminal or the order of letters, or are none; a record can hold none of them."""

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
    """A named value without secrets: hidden whole where its name says so; unseen characters become visible."""
    if not isinstance(value, str):
        return value
    if is_secret(name) and value and value not in {"None", "null"}:
        return HIDDEN
    return redacted(value if value.isprintable() else _UNSEEN.sub("\ufffd", value))
