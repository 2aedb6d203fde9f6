"""Runs every check over every record and gives each problem its code, severity and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from kb import rules
from kb.checks import Check, checks, find, names
from kb.errors import NotFound
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
            found.extend(_references(loaded, library))
    return sorted(found)


REFERENCES = frozenset({"KB108", "KB110", "KB111", "KB112", "KB115", "KB117", "KB143", "KB144"})
"""Checks that hold of what could be read of a record, whatever the rest of it says."""


def _references(loaded: Loaded, library: Library) -> Iterator[Finding]:
    """Reference errors of a record with bad values; a part that could not be read is not missing."""
    lost = loaded.rest.lost if loaded.rest else frozenset()
    for finding in _record(loaded, library, REFERENCES):
        if not any(f'"{name}"' in finding.message for name in lost):
            yield finding


def _record(loaded: Loaded, library: Library, codes: frozenset[str] | None = None) -> Iterator[Finding]:
    allowed = _allowed(loaded)
    for module in checks():
        if codes is not None and module.CODE not in codes:
            continue
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
    return module.CODE, module.NAME, module.__doc__


def pages() -> tuple[Paged, ...]:
    """Every check, rule and finding on imports, in the order of codes."""
    return (*checks(), *rules.rules(), *findings.kinds())
