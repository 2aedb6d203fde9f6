"""Runs every check over every record and gives each problem its code, severity and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from kb import rules
from kb.checks import Check, checks, find, names
from kb.errors import KbError, NotFound
from kb.finding import Finding, Problem
from kb.importers import findings
from kb.library import Library
from kb.model import RecordModel
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.vocabulary import Severity


class Paged(Protocol):
    """What has a code, a name and a page."""

    __doc__: str
    CODE: str
    NAME: str
    SEVERITY: Severity


def lint(library: Library, only: Iterable[str] | None = None) -> list[Finding]:
    """Every finding of the base's own records, or of those whose shown path is in `only`, in order of place."""
    wanted = library.own if only is None else frozenset(only)
    found = [finding for finding in library.findings if finding.path in wanted]
    for loaded in library.loaded:
        if loaded.path in wanted:
            found.extend(_record(loaded, library))
    for loaded in library.partial:
        if loaded.path in wanted:
            found.extend(_rest(loaded, library))
    return sorted(found)


LACKING = frozenset(
    {
        "KB114", "KB120", "KB121", "KB122", "KB123", "KB124", "KB127", "KB128", "KB129", "KB130",
        "KB131", "KB137", "KB138", "KB140", "KB141", "KB142", "KB145", "KB149", "KB150", "KB151",
        "KB152", "KB154", "KB155", "KB156", "KB157", "KB160", "KB162", "KB165", "KB172", "KB180",
        "KB190", "KB193", "KB194",
    }
)  # fmt: skip
"""Checks that say what a record lacks, or that its parts do not fit together: of a record with bad values they would
speak of what stands there and could not be read. tests/test_lint.py takes values out of good records to hold that."""


def _rest(loaded: Loaded, library: Library) -> Iterator[Finding]:
    """What holds of a record with bad values, whatever those were meant to say; a part that could not be read is not
    missing.
    """
    if (rest := loaded.rest) is None or rest.allows_unread:
        return
    for finding in _record(loaded, library, LACKING | ({"KB112"} if rest.nameless else frozenset())):
        if not any(f'"{name}"' in finding.message for name in rest.lost):
            yield finding


def _record(loaded: Loaded, library: Library, without: frozenset[str] = frozenset()) -> Iterator[Finding]:
    allowed = _allowed(loaded) | without
    for module in checks():
        if not hasattr(module, "check") or {module.CODE, module.NAME} & allowed:
            continue
        for problem in module.check(loaded, library):
            yield _finding(module, loaded, problem)


def _allowed(loaded: Loaded) -> frozenset[str]:
    record = loaded.record
    return frozenset(each.check for each in record.allow) if isinstance(record, RecordModel) else frozenset()


def _finding(module: Check, loaded: Loaded, problem: Problem) -> Finding:
    line = loaded.line(problem.loc)
    message = loaded.row(problem.loc) + problem.message
    return Finding(loaded.path, line, module.CODE, message, module.NAME, module.SEVERITY, problem.hint)


def count(findings: Iterable[Finding]) -> dict[str, int]:
    """Counts of errors, warnings and infos; every severity is there, zero included."""
    counts = {severity.value: 0 for severity in Severity}
    for finding in findings:
        counts[finding.severity.value] += 1
    return counts


def page(code: str) -> tuple[str, str, str]:
    """Code, name and page of a check, a rule or a finding on imports, by code or name. Raises NotFound."""
    module = find(code) or rules.find(code) or findings.find(code)
    if module is None:
        known = (*names(), *rules.names(), *findings.names())
        raise NotFound(f'no check is called "{code}"', did_you_mean(code, known) or "`kb explain` lists them all")
    return module.CODE, module.NAME, text_of(module)


def text_of(module: Paged) -> str:
    """A page as it stands in its module. Raises KbError where Python has left such texts out."""
    if text := module.__doc__:
        return text
    raise KbError("Python was told to leave out the pages of checks", "run kb without -OO and PYTHONOPTIMIZE=2")


def pages() -> tuple[Paged, ...]:
    """Every check, rule and finding on imports, in the order of codes."""
    return (*checks(), *rules.rules(), *findings.kinds())
