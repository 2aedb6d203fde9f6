"""The compare page and `kb compare` give the same answers: every pair of our own records, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import pytest

from kb.compare import Named, compare
from kb.config import shipped_config
from kb.errors import KbError
from kb.library import Library, open_library
from kb.registry import Registry
from kb.site.gather import Gathered
from kb.site.pages import beside
from kb.site.pages.twins import as_json
from kb.site.render import STATIC

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LEFT_OUT = ("claims", "disagreements")
"""What the page shows claim by claim instead."""


@pytest.fixture(scope="module")
def library() -> Library:
    return open_library(shipped_config())


@pytest.fixture(scope="module")
def tab(browser: Browser, library: Library) -> Iterator[Page]:
    """An empty page that knows the rules and all facts."""
    gathered = Gathered(library, Registry(library), {"": {}})
    asked = beside.asked(library.evaluations.values(), library)
    page = browser.new_page()
    page.add_script_tag(path=str(STATIC / "compare-rules.js"))
    facts = {id_: beside.facts(each, asked, library) for id_, each in library.evaluations.items()}
    page.evaluate("(text) => { window.facts = JSON.parse(text); }", as_json(facts).decode())
    page.evaluate("(text) => kbCompareRules.know(JSON.parse(text))", as_json(beside.shared(gathered)).decode())
    yield page
    page.close()


def told(a: Named, b: Named, library: Library) -> dict[str, Any]:
    """What `kb compare --json` says, or why it does not."""
    try:
        found = compare(a, b, library).as_dict()
    except KbError as error:
        return {"refused": error.message}
    return {key: value for key, value in json.loads(as_json(found)).items() if key not in LEFT_OUT}


def shown(page: Page, a: Named, b: Named) -> dict[str, Any]:
    """What the browser says."""
    script = "([a, b, x, y]) => kbCompareRules.compare(facts[a], facts[b], x, y)"
    found: dict[str, Any] = page.evaluate(script, [a.evaluation.id, b.evaluation.id, a.arm, b.arm])
    return {key: value for key, value in found.items() if key not in {"about", "hint"}}


def named(library: Library) -> list[Named]:
    """Every evaluation, and every arm of those that have several."""
    found = []
    for each in library.evaluations.values():
        found.append(Named(each))
        found += [Named(each, arm.id) for arm in each.arms if len(each.arms) > 1]
    return found


def test_every_pair_gets_the_answer_of_the_command(tab: Page, library: Library) -> None:
    """Verdict, arms, reasons, differences, what is the same, numbers and ratios; or the same refusal."""
    seen: dict[str, int] = {}
    for a, b in combinations_with_replacement(named(library)[::3], 2):
        expected = told(a, b, library)
        assert shown(tab, a, b) == expected, (a.evaluation.id, a.arm, b.evaluation.id, b.arm)
        answer = expected.get("comparable", "refused")
        seen[answer] = seen.get(answer, 0) + 1
    assert min(seen.get(each, 0) for each in ("yes", "no", "unknown", "refused")) > 0, seen
