"""Checks and rules: the page of each is its module's docstring, as `kb explain` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from inspect import cleandoc
from typing import Any

from kb.checks import checks
from kb.importers import findings
from kb.lint import text_of
from kb.rules import rules
from kb.site.gather import Gathered
from kb.site.page import Later, Page

TITLES = {
    "rules": ("Rules of a verdict", "A change or a condition against a claim."),
    "checks": ("Checks of a record", "Form and completeness of what people write."),
    "findings": ("Findings of an import", "What result files of tools leave open."),
}


def pages(gathered: Gathered) -> Iterator[Later]:
    """One page for each, and their list."""
    yield Later("rules", gathered.keys.facts, partial(_made, gathered))


def _made(gathered: Gathered) -> Iterator[Page]:
    groups = {"rules": rules(), "checks": checks(), "findings": findings.kinds()}
    used = _used(gathered)
    listed = []
    for name, modules in groups.items():
        rows = [_row(each, used) for each in modules]
        title, means = TITLES[name]
        listed.append({"title": title, "means": means, "rows": rows})
        for row, each in zip(rows, modules, strict=True):
            yield Page(
                row["href"],
                "rule",
                f"{row['code']} {row['name']}",
                {"row": row, "body": {"text": _text(each), "links": {}}, "group": title},
                section="rules",
                description=row["first"],
            )
    yield Page("rules/index.html", "rules", "Checks and rules", {"groups": listed}, section="rules")


def _used(gathered: Gathered) -> dict[str, int]:
    """Rule -> claims that it speaks of."""
    found: dict[str, set[tuple[str, str]]] = {}
    for brief in gathered.all_briefs:
        for each in brief.findings:
            found.setdefault(each.rule, set()).add((brief.evaluation, brief.claim))
    return {name: len(claims) for name, claims in found.items()}


def _row(module: Any, used: dict[str, int]) -> dict[str, Any]:
    return {
        "code": module.CODE,
        "name": module.NAME,
        "severity": module.SEVERITY.value,
        "first": _text(module).partition("\n\n")[0].replace("\n", " "),
        "href": f"rules/{module.NAME}.html",
        "claims": used.get(module.NAME, 0),
    }


def _text(module: Any) -> str:
    return cleandoc(text_of(module))
