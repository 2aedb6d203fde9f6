"""Checks of a record's form and completeness (KB1xx), one module each; its docstring is its page.

A check has CODE, NAME (so that "allow NAME" is English), SEVERITY and, unless the reader itself raises it,
`check(loaded, library)` yielding Problems. `kb explain CODE` prints the docstring.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from kb.vocabulary import Severity

if TYPE_CHECKING:
    from kb.finding import Problem
    from kb.library import Library
    from kb.reading import Loaded


class Check(Protocol):
    """What every module of this folder offers."""

    __doc__: str
    CODE: str
    NAME: str
    SEVERITY: Severity

    def check(self, loaded: Loaded, library: Library) -> Iterator[Problem]:
        """Problems of one record, seen in its library."""


MODULES = (
    "not_a_record",
)
"""Every check by module name, in the order of codes."""
