"""Environment variables that code in other languages reads, by line: what is done with them is not followed.

C and C++ (`getenv`), Rust (`std::env::var`), Go (`os.Getenv`, `os.LookupEnv`), JavaScript (`process.env`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.scan.facts import UNKNOWN, Fact, What
from kb.scan.texts import lines

_READS = {
    r"c|cc|cpp|cxx|cu|cuh|h|hh|hpp|hip": r"\b(?:secure_)?getenv\s*\(\s*\"(\w+)\"",
    r"rs": r"\benv::var(?:_os)?\s*\(\s*\"(\w+)\"",
    r"go": r"\bos\.(?:Getenv|LookupEnv)\s*\(\s*\"(\w+)\"",
    r"js|mjs|ts|tsx": r"\bprocess\.env(?:\.(\w+)|\[\s*['\"](\w+)['\"])",
}
_KINDS = tuple((re.compile(rf"\.(?:{ends})$"), re.compile(reads)) for ends, reads in _READS.items())
_ASIDE = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/", re.DOTALL)
"""Texts, which stay, and comments, which go; what begins first counts."""


def is_foreign(path: str) -> bool:
    """Whether a file is in one of these languages."""
    return any(ends.search(path) for ends, _ in _KINDS)


def variables(path: str, text: str) -> Iterator[Fact]:
    """Variables that a file reads; with which default is not established."""
    reads = next((reads for ends, reads in _KINDS if ends.search(path)), None)
    if reads is None or "env" not in text.lower():
        return
    for number, line in enumerate(lines(_without_comments(text)), 1):
        for found in reads.finditer(line):
            yield Fact(What.ENV, next(filter(None, found.groups())), UNKNOWN, path, number)


def _without_comments(text: str) -> str:
    """Comments as empty lines: numbers of lines stay."""
    return _ASIDE.sub(lambda found: "\n" * found[0].count("\n") if found[0].startswith("/") else found[0], text)
