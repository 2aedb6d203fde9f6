"""Findings as lines: for people, for GitHub's annotations; and the pages of checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kb.finding import Finding
from kb.present.text import Page, clean, table, wrap
from kb.vocabulary import Severity

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def gravest_last(findings: Iterable[Finding]) -> list[Finding]:
    """Errors where a terminal stands when all is printed; below that as they come."""
    return sorted(findings, key=lambda each: list(_GITHUB).index(each.severity), reverse=True)


def text(findings: Iterable[Finding], page: Page) -> list[str]:
    """`path:line: CODE [severity] message`, and its hint under it."""
    return [line for each in findings for line in _text(each, page)]


def _text(each: Finding, page: Page) -> list[str]:
    mark = {Severity.ERROR: page.style.red, Severity.WARNING: page.style.yellow}.get(each.severity, page.style.dim)
    severity = f"[{each.severity}]"
    line = f"{each.path}:{each.line}: {each.code} {severity} {each.message}".replace("\n", " ")
    first, *rest = wrap(line, page.width, "", "    ") if page.terminal else [clean(line)]
    hint = f"    hint: {each.hint}" if each.hint else ""
    hints = wrap(hint.strip(), page.width, "    ") if page.terminal and hint else [clean(hint)] if hint else []
    return [*(line.replace(severity, mark(severity), 1) for line in (first, *rest)), *hints]


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
