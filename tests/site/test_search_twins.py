"""The JavaScript tokenizer and query reader say what the Python ones say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kb.site.search import SCRIPTS
from tests.site.twins import EXTRA, FIXTURES, as_text, fixtures

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STATIC = Path(__file__).parents[2] / "kb" / "site" / "static"


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Page:
    tab = browser.new_page()
    for script in (*(STATIC / name for name in SCRIPTS[:2]), Path(__file__).with_name("twins.js")):
        tab.evaluate(script.read_text(encoding="utf-8") + "null")
    return tab


def told(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "content"), fixtures().items())
def test_fixtures_are_what_python_says(name: str, content: Any) -> None:
    """The files are those that `python -m tests.site.twins` writes."""
    assert (FIXTURES / name).read_text(encoding="utf-8") == as_text(content)


def test_tokens(tab: Page) -> None:
    """Parts, names, units, places, keys and folded forms of every text are the same."""
    assert tab.evaluate("(expected) => kbTwins.tokens(expected)", told("tokens.json")) == []


def test_queries(tab: Page) -> None:
    """Every query is read as the same values, or refused with the same message, place and hint."""
    read = "([expected, extra]) => kbTwins.queries(expected, extra)"
    assert tab.evaluate(read, [told("queries.json"), EXTRA]) == []


def test_near_names(tab: Page) -> None:
    """A misspelt field is taken for the same one."""
    assert tab.evaluate("(expected) => kbTwins.near(expected)", told("near.json")) == []


def test_a_difference_is_noticed(tab: Page) -> None:
    """What is not the same is told."""
    expected = [{**told("tokens.json")[0], "parts": ["other"]}]
    assert len(tab.evaluate("(expected) => kbTwins.tokens(expected)", expected)) == 1
