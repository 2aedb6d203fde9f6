"""Rules of a verdict: pages, codes, and that the table of verdicts holds each from both sides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kb import rules
from kb.lint import page
from kb.rules import MODULES, Rule, claim_rules, last_rules, passage_rules

from .audit.table import cases, several

SECTIONS = ["What it flags", "Why it matters", "What it leaves alone", "Example", "What to do"]
ALL = rules.rules()
PER_RULE = pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.NAME)


def test_no_module_is_forgotten() -> None:
    """Every module of the folder is in the list."""
    assert {path.stem for path in Path(rules.__file__).parent.glob("*.py")} - {"__init__"} == set(MODULES)


def test_codes_rise_and_names_are_the_files() -> None:
    """Codes rise through the list, and a rule is called after its file."""
    codes = [each.CODE for each in ALL]
    assert codes == sorted(set(codes))
    assert all(re.fullmatch(r"KB2\d\d", code) for code in codes)
    assert [each.NAME.replace("-", "_") for each in ALL] == list(MODULES)


@PER_RULE
def test_a_rule_is_asked_somewhere(rule: Rule) -> None:
    """It judges claims, or passages, or comes last."""
    asked = [each.NAME for each in (*claim_rules(), *passage_rules(), *last_rules())]
    assert rule.NAME in asked


@PER_RULE
def test_a_page_has_its_sections(rule: Rule) -> None:
    """A title in one line, then its sections, each with text; `kb explain` prints it."""
    title, *_ = rule.__doc__.splitlines()
    assert title.endswith(".")
    assert re.findall(r"^## (.+)$", rule.__doc__, re.MULTILINE) == SECTIONS
    assert all(part.strip() for part in re.split(r"^## .+$", rule.__doc__, flags=re.MULTILINE))
    assert page(rule.CODE) == page(rule.NAME) == (rule.CODE, rule.NAME, rule.__doc__)


@PER_RULE
def test_a_rule_speaks_in_the_table(rule: Rule) -> None:
    """There is a row in which it decides or speaks."""
    expected = (found for case in cases() for found in (case.expect, *case.expect.get("also", ())))
    spoken = {name for found in expected for name in several(found.get("rule", []))}
    assert rule.NAME in spoken


@PER_RULE
def test_a_rule_that_decides_is_silent_in_the_table(rule: Rule) -> None:
    """There is a row in which it must not speak: its own name is listed as absent, or the row holds."""
    holds = any(case.expect["outcome"] == "holds" for case in cases())
    absent = {name for case in cases() for name in case.expect.get("absent", ())}
    assert rule.NAME in absent or holds
