"""Findings as lines: for people, for GitHub's annotations; and the pages of checks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from kb.finding import Finding
from kb.present.text import Page, clean, table, wrap
from kb.vocabulary import Severity

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def gravest_last(findings: Iterable[Finding]) -> list[Finding]:
    """Errors where a terminal stands when all is printed; below that as they come."""
    return sorted(findings, key=lambda each: list(_GITHUB).index(each.severity), reverse=True)


def text(findings: Iterable[Finding], page: Page) -> list[str]:
    """`path:line: CODE [severity] message`, and under it its hint; what several in a row advise alike is said once."""
    lines: list[str] = []
    for _, group in groupby(findings, key=lambda each: (each.path, each.code, _advice(each.hint))):
        same = list(group)
        lines += [line for each in same for line in _line(each, page)]
        lines += _hint(_joined([each.hint for each in same if each.hint]), page)
    return lines


def _line(each: Finding, page: Page) -> list[str]:
    mark = {Severity.ERROR: page.style.red, Severity.WARNING: page.style.yellow}.get(each.severity, page.style.dim)
    severity = f"[{each.severity}]"
    line = f"{each.path}:{each.line}: {each.code} {severity} {each.message}".replace("\n", " ")
    lines = wrap(line, page.width, "", "    ") if page.terminal else [clean(line)]
    return [each.replace(severity, mark(severity), 1) for each in lines]


def _hint(hint: str, page: Page) -> list[str]:
    if not hint:
        return []
    return wrap(f"hint: {hint}", page.width, "    ") if page.terminal else [clean(f"    hint: {hint}")]


_LISTING = re.compile(r"(?s)(.*: )\[([^\[\]]+)\]")
"""Advice that ends in a list, such as `not_stated: [router.name]`."""


def _advice(hint: str | None) -> str:
    """A hint without its list."""
    found = _LISTING.fullmatch(hint or "")
    return found[1] if found else hint or ""


def _joined(hints: Sequence[str]) -> str:
    """One hint of several that give the same advice: their lists in one, to be copied."""
    lists = [found[2] for each in hints if (found := _LISTING.fullmatch(each))]
    if len(lists) < 2 or len(lists) < len(hints):
        return hints[0] if hints else ""
    return f"{_advice(hints[0])}[{', '.join(dict.fromkeys(lists))}]".replace("state it,", "state them,", 1)


def github(findings: Iterable[Finding]) -> list[str]:
    """Workflow commands that GitHub shows beside the line of a file."""
    return [_annotation(each) for each in findings]


def _annotation(each: Finding) -> str:
    message = each.message + (f"\nhint: {each.hint}" if each.hint else "")
    place = f"file={_property(each.path)},line={each.line},title={_property(f'{each.code} {each.name}'.strip())}"
    return f"::{_GITHUB[each.severity]} {place}::{_escaped(message)}"


def _escaped(message: str) -> str:
    return clean(message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(value: str) -> str:
    return _escaped(value).replace(":", "%3A").replace(",", "%2C")


def summary(counts: Mapping[str, int], hidden: int = 0) -> str:
    """`no errors, 2 warnings, 14 infos`."""
    words = [f"{count or 'no'} {name}{'' if count == 1 else 's'}" for name, count in counts.items()]
    return ", ".join(words) + (f" ({hidden} not shown)" if hidden else "")


def every_check(known: Iterable[tuple[str, str, str, str]], page: Page) -> list[str]:
    """Code, name, severity and title of every check."""
    lines = table(
        [list(each) for each in known], page.width, ["code", "name", "severity", "what"], indent="", page=page
    )
    how = "`kb explain CODE` prints a check's page; `allow: [{check: NAME, because: ...}]` excuses a record."
    return [*lines, "", *wrap(how, page.width)]


def one_page(code: str, name: str, page_text: str, page: Page) -> list[str]:
    """A check's page; its headings are the docstring's."""
    title, _, rest = page_text.strip().partition("\n")
    lines = [*map(page.style.bold, wrap(f"{code} {name}: {title}", page.width))]
    for paragraph in _paragraphs(rest.rstrip()):
        if paragraph.startswith("## "):
            lines.append(page.style.bold(paragraph.removeprefix("## ")))
        else:
            as_it_is = not paragraph.strip() or paragraph.startswith("    ")
            lines += [paragraph.rstrip()] if as_it_is else wrap(paragraph, page.width, "  ")
    return lines


def _paragraphs(text: str) -> Iterator[str]:
    """Lines of running text joined; headings, examples and empty lines one by one."""
    running: list[str] = []
    for line in text.split("\n"):
        if line.strip() and not line.startswith(("## ", "    ")):
            running.append(line)
            continue
        if running:
            yield " ".join(running)
            running = []
        yield line
    if running:
        yield " ".join(running)
