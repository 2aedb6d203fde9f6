"""Errors a person can act on.

KbError                 exit 2 unless a subclass says otherwise; always one sentence, with a hint where there is one
├── NoBase              no kb.toml upwards of here
├── BadConfig           kb.toml says something we cannot use
├── RecordError         a record cannot be read: path, line, code
├── NotFound            no record, code or term of that name
├── QueryError          a search query that cannot be understood: position
└── WriteRefused        a write that would lose or overwrite something
"""

from __future__ import annotations


class KbError(Exception):
    """One sentence for a person, and what to try next."""

    exit_code = 2

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NoBase(KbError):
    """No knowledge base at or above the folder asked about."""


class BadConfig(KbError):
    """kb.toml cannot be used."""


class RecordError(KbError):
    """A record that cannot be read; `line` counts from 1 in the file."""

    def __init__(self, code: str, path: str, line: int, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.code = code
        self.path = path
        self.line = line

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.code} {self.message}"


class NotFound(KbError):
    """Nothing of that name."""


class QueryError(KbError):
    """A query that cannot be understood; `position` counts characters from 0."""

    def __init__(self, message: str, position: int = 0, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.position = position


class WriteRefused(KbError):
    """A write that would overwrite or lose something."""
