"""The compare page and `kb compare` give the same answers: every pair of our own records, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import pytest

from kb.compare import Named, compare
from kb.config import shipped_config
from kb.errors import KbError
from kb.evaluation import Evaluation
from kb.library import Library, open_library
from kb.reading import Loaded
from kb.registry import Registry
from kb.site.gather import Gathered
from kb.site.pages import beside
from kb.site.pages.twins import as_json
from kb.site.render import STATIC
from tests.test_comparability import points
from tests.test_compare import LIBRARY, REFUSED, _of, full

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LEFT_OUT = ("claims", "disagreements")
"""What the page shows claim by claim instead."""


@pytest.fixture(scope="module")
def library() -> Library:
    return open_library(shipped_config())


@pytest.fixture(scope="module")
def tab(browser: Browser, library: Library) -> Iterator[Page]:
    """A page that knows our own records."""
    page = knowing(browser, library)
    yield page
    page.close()


def knowing(browser: Browser, library: Library) -> Page:
    """An empty page that knows the rules and the facts of a library."""
    gathered = Gathered(library, Registry(library), {"": {}})
    spoken = (key for each in library.evaluations.values() for key in beside.stated(each, library))
    asked = beside.asked(spoken)
    page = browser.new_page()
    page.add_script_tag(path=str(STATIC / "compare-rules.js"))
    facts = {id_: beside.facts(each, asked, library) for id_, each in library.evaluations.items()}
    page.evaluate("(text) => { window.facts = JSON.parse(text); }", as_json(facts).decode())
    page.evaluate("(text) => kbCompareRules.know(JSON.parse(text))", as_json(beside.shared(gathered)).decode())
    return page


def evaluation_of(record: Evaluation) -> Loaded:
    """A made-up evaluation as a library holds it."""
    return Loaded(record, f"entries/evaluations/{record.id}.md", "", 1, "", 1)


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


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row[0])
def test_what_refuses_a_ratio_refuses_it_here(row: tuple[str, dict[str, Any], Any, str], browser: Browser) -> None:
    """Another definition, statistic, load point, build or setup, in made-up records: the reasons of the command."""
    one, other = full(), full(**{"id": "two", **row[1]})
    library = replace(LIBRARY, loaded=(*LIBRARY.loaded, evaluation_of(one), evaluation_of(other)))
    page = knowing(browser, library)
    for arms in ((None, None), ("new", "new"), ("new", "old")):
        a, b = Named(one, arms[0]), Named(other, arms[1])
        expected = told(a, b, library)
        assert shown(page, a, b) == expected
    assert expected["comparable"] != "yes"
    page.close()


@pytest.mark.parametrize(
    ("a", "b"), [(1234.5, 1.0), (1235.5, 1.0), (2.00050, 1.0), (1.0, 3.0), (7.0, 8.0), (1e-7, 3e5)]
)
def test_ratios_are_rounded_alike(a: float, b: float, browser: Browser) -> None:
    """Four digits, a tie to the even one; where two languages round by themselves they differ there."""
    pair = [evaluation_of(full(id=name, points=[_of("new", value)])) for name, value in (("one", a), ("two", b))]
    library = replace(LIBRARY, loaded=(*LIBRARY.loaded, *pair))
    page = knowing(browser, library)
    one, other = (Named(library.evaluations[name], "new") for name in ("one", "two"))
    assert shown(page, one, other)["metrics"] == told(one, other, library)["metrics"] != []
    page.close()


METERS = [("tpot", "a.tpot"), ("itl", "a.itl"), ("itl", "b.itl"), ("tpot", None)]


@pytest.mark.parametrize(("mine", "theirs"), list(combinations_with_replacement(METERS, 2)))
def test_tpot_and_itl_meet_by_definition_alone(mine: Any, theirs: Any, browser: Browser) -> None:
    """The label never joins two numbers, and never keeps apart what is computed alike."""
    records = [
        evaluation_of(full(id=name, points=points(metric=metric, definition=definition)))
        for name, (metric, definition) in (("one", mine), ("two", theirs))
    ]
    library = replace(LIBRARY, loaded=(*LIBRARY.loaded, *records))
    page = knowing(browser, library)
    one, other = (Named(library.evaluations[name], "new") for name in ("one", "two"))
    expected = told(one, other, library)
    assert shown(page, one, other) == expected
    meet = (mine == theirs and mine[1]) or {mine, theirs} == {("itl", "b.itl"), ("tpot", "a.tpot")}
    assert any(each["ratio"] for each in expected["metrics"]) == bool(meet)
    page.close()
