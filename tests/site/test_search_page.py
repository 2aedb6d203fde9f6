"""The search page as a reader uses it, in a real browser."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from benchmarks.quality import build
from benchmarks.sitesearch import write
from kb.document import Document
from kb.search import search
from kb.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script> hostilemark \u202e"
Opener = Callable[..., "Page"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The shipped records, one hostile record and some outcomes."""
    store = build(tmp_path_factory.mktemp("base"), 0)
    hostile = Document(
        "hostile",
        "change",
        HOSTILE,
        "h.md",
        tags=(HOSTILE,),
        body=HOSTILE,
        facets={"model": (HOSTILE,)},
        claims=(HOSTILE,),
    )
    with store.writing() as writer:
        writer.document(hostile)
        writer.outcomes({"aws-push-vs-pull-efa": {"holds": 1, "recheck": 2}, "vllm-35264-push-branch": {"recheck": 1}})
    return store


@pytest.fixture(scope="module")
def site(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "below" / "kb"
    folder.mkdir(parents=True)
    write(folder, store)
    return folder


@pytest.fixture
def opened(site: Path, browser: Browser) -> Iterator[Opener]:
    """Opens the page with a state; in the end nothing must have been complained of, and nothing asked of others."""
    complaints: list[str] = []
    contexts = []

    def open_(state: dict[str, Any] | None = None, base: str = site.as_uri(), **options: Any) -> Page:
        contexts.append(browser.new_context(**options))
        tab = contexts[-1].new_page()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("dialog", lambda dialog: complaints.append(dialog.message))
        tab.on("request", lambda request: complaints.extend(_elsewhere(request.url, base)))
        tab.goto(f"{base}/search.html?{urlencode(state or {}, doseq=True)}")
        if options.get("java_script_enabled", True):
            tab.wait_for_selector("[data-shown]")
        return tab

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


def _elsewhere(url: str, base: str) -> list[str]:
    return [] if url.startswith((base, "data:")) else [url]


def ids(tab: Page) -> list[str | None]:
    return [each.get_attribute("data-id") for each in tab.query_selector_all(".search-hit")]


def status(tab: Page) -> str:
    return tab.inner_text(".search-status")


def settle(tab: Page, act: Callable[[], object]) -> None:
    """Do something that searches, and wait for all of it."""
    tab.evaluate("document.querySelector('.search').removeAttribute('data-settled')")
    act()
    tab.wait_for_selector("[data-settled]")


def ask(tab: Page, text: str) -> None:
    tab.fill("#search-q", text)
    settle(tab, lambda: tab.press("#search-q", "Enter"))


@pytest.mark.parametrize("text", ["push pull kv", "初回トークン遅延", "latencia", "component:nixl qps:>=4", "kv-tr*"])
def test_hits_are_those_of_kb_search(text: str, opened: Opener, store: Store) -> None:
    """A query in the address is answered at once, in any language."""
    tab = opened({"q": text})
    found = search(store, text)
    assert ids(tab) == [head.id for head in found.heads]
    assert status(tab).startswith(f"{found.total} entr")


def test_nothing_asked_shows_the_newest(opened: Opener, store: Store) -> None:
    """The empty page shows the newest entries and what there is to filter by, from one data file."""
    requests: list[str] = []
    tab = opened()
    tab.on("request", lambda request: requests.append(request.url))
    assert ids(tab) == [head.id for head in search(store, "").heads]
    assert tab.query_selector('.search-facet[data-field="kind"]')
    assert requests == []


def test_an_order_is_offered_where_something_is_asked(opened: Opener) -> None:
    """Before that the newest come first, as the page says; no other order is named beside it."""
    tab = opened()
    assert status(tab).endswith("the newest first")
    assert not tab.get_by_label("Order").is_visible()
    ask(tab, "push")
    assert tab.get_by_label("Order").input_value() == "relevance"
    assert tab.get_by_label("Order").is_visible()


def test_a_plain_server_below_a_path(opened: Opener, site: Path) -> None:
    """The same files answer over HTTP, below any path."""
    handler = functools.partial(_Quiet, directory=str(site.parent.parent))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        tab = opened({"q": "NixlPushConnector"}, base=f"http://127.0.0.1:{server.server_port}/below/kb")
        assert ids(tab)[0] == "vllm-nixl-push"
    finally:
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def test_typing_searches(opened: Opener) -> None:
    """Hits follow what is typed, the address too, without a key to end it."""
    tab = opened()
    settle(tab, lambda: tab.type("#search-q", "moriio"))
    assert ids(tab)[0] == "vllm-moriio"
    assert tab.url.endswith("?q=moriio")


def test_facets_narrow_and_count(opened: Opener) -> None:
    """A value leaves as many entries as were counted; several values of a facet widen, several facets narrow."""
    tab = opened()
    ask(tab, "push")
    before = status(tab)
    count = _count(tab, "kind", "evaluation")
    settle(tab, lambda: tab.check('[data-field="kind"] input[value="evaluation"]'))
    assert status(tab).startswith(f"{count} ")
    assert "kind=evaluation" in tab.url
    other = _count(tab, "kind", "change")
    settle(tab, lambda: tab.check('[data-field="kind"] input[value="change"]'))
    assert status(tab).startswith(f"{count + other} ")
    year = _count(tab, "year", "2026")
    settle(tab, lambda: tab.check('[data-field="year"] input[value="2026"]'))
    assert status(tab).startswith(f"{year} ")
    settle(tab, lambda: tab.click("text=Remove all filters"))
    assert status(tab) == before


def _count(tab: Page, field: str, value: str) -> int:
    return int(tab.inner_text(f'[data-field="{field}"] li:has(input[value="{value}"]) .search-count'))


def test_outcomes_are_a_facet(opened: Opener) -> None:
    """Counts of claims by outcome stand with the hits and filter them."""
    tab = opened({"q": "push", "outcome": "holds"})
    assert ids(tab) == ["aws-push-vs-pull-efa"]
    assert [each.inner_text() for each in tab.query_selector_all(".search-outcome")] == ["1 holds", "2 recheck"]


def test_ranges_filter(opened: Opener, store: Store) -> None:
    """A range says the same as the query language."""
    tab = opened()
    ask(tab, "push")
    tab.click(".search-ranges summary")
    tab.fill("#search-qps-from", "4")
    settle(tab, lambda: tab.press("#search-qps-from", "Enter"))
    assert ids(tab) == [head.id for head in search(store, "push qps:>=4").heads]
    assert "qps=4.." in tab.url
    tab.fill("#search-qps-to", "x")
    tab.press("#search-qps-to", "Enter")
    tab.wait_for_selector(".search-problem:not([hidden])")
    assert '"x" is not a number' in tab.inner_text(".search-problem")


def test_a_language_shows_its_document(opened: Opener) -> None:
    """Who filters by Japanese is shown the Japanese text of an entry, marked as such, and sent to its page."""
    tab = opened({"q": "push", "lang": "ja"})
    link = tab.query_selector('[data-id="aws-push-vs-pull-efa"] a')
    assert link is not None
    assert link.get_attribute("lang") == "ja"
    assert str(link.get_attribute("href")).endswith(".ja.html")


def test_state_goes_back_and_forth(opened: Opener) -> None:
    """Back returns to the search before, with its filters."""
    tab = opened({"q": "push", "kind": "change"})
    first = ids(tab)
    ask(tab, "handshake")
    assert ids(tab) != first
    settle(tab, tab.go_back)
    assert (ids(tab), tab.input_value("#search-q")) == (first, "push")
    assert tab.is_checked('[data-field="kind"] input[value="change"]')


def test_more_hits(opened: Opener, store: Store) -> None:
    """More are shown when asked for, and the cursor goes to the first new one."""
    tab = opened()
    ask(tab, "push")
    settle(tab, lambda: tab.click(".search-more"))
    assert ids(tab) == [head.id for head in search(store, "push", limit=20).heads]
    assert tab.evaluate("document.activeElement.closest('.search-hit').dataset.id") == ids(tab)[10]


def test_newest_first(opened: Opener, store: Store) -> None:
    """The order can be that of dates."""
    tab = opened({"q": "push", "sort": "date"})
    assert ids(tab) == [head.id for head in search(store, "push", sort="date").heads]


def test_what_was_found_is_marked(opened: Opener) -> None:
    """Marks stand on what was asked for, by any of its names, and on nothing that is only part of a name."""
    tab = opened()
    ask(tab, "push ttft")
    marks = {each.inner_text().casefold() for each in tab.query_selector_all(".search-hits mark")}
    assert {"push", "ttft"} <= marks
    assert not {"to", "time", "of"} & marks


def test_keyboard_alone(opened: Opener) -> None:
    """/ goes to the box, arrows among the hits, Escape back."""
    tab = opened({"q": "push"})
    tab.keyboard.press("/")
    assert tab.evaluate("document.activeElement.id") == "search-q"
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate("document.activeElement.closest('.search-hit').dataset.id") == ids(tab)[1]
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.id") == "search-q"
    tab.keyboard.type("/")
    assert tab.input_value("#search-q").count("/") == 1


def test_counts_are_announced(opened: Opener) -> None:
    """The count is a live region, and what cannot be understood an alert."""
    tab = opened({"q": "push"})
    assert tab.get_attribute(".search-status", "aria-live") == "polite"
    assert tab.get_attribute(".search-problem", "role") == "alert"
    assert all(
        label for label in tab.evaluate("[...document.querySelectorAll('.search input')].map((i) => i.labels.length)")
    )


def test_nothing_found_says_what_to_try(opened: Opener) -> None:
    """A misspelt word is proposed, each word counted alone, and the filters named where they are to blame."""
    tab = opened()
    ask(tab, "mooncke stroe")
    said = tab.inner_text(".search-nothing")
    assert status(tab) == "Nothing found"
    assert "Did you mean" in said
    assert "Each word alone" in said
    settle(tab, lambda: tab.click('button:text-is("Mooncake store")'))
    assert ids(tab)
    tab.goto(tab.url.split("?")[0] + "?q=moriio&year=1999")
    tab.wait_for_selector("[data-settled]")
    settle(tab, lambda: tab.click("text=without the filters"))
    assert "vllm-moriio" in ids(tab)


def test_nothing_found_blames_what_no_record_has(opened: Opener) -> None:
    """A field that no record of the kind asked for has is named."""
    tab = opened()
    ask(tab, "kind:deployment introduced:0.26")
    assert "No deployment has the field introduced" in tab.inner_text(".search-nothing")


def test_an_unknown_field_is_an_error_with_a_way_out(opened: Opener) -> None:
    """It is no query without hits: the nearest field is one click away."""
    tab = opened({"q": "compnent:nixl"})
    assert 'unknown field "compnent"' in tab.inner_text(".search-problem")
    assert ids(tab) == []
    settle(tab, lambda: tab.click('.search-problem button:has-text("component:nixl")'))
    assert ids(tab)
    assert tab.is_hidden(".search-problem")


def test_hostile_records_stay_text(opened: Opener) -> None:
    """Markup in a title, a facet, a claim or a body is shown as it was written and does nothing."""
    tab = opened()
    ask(tab, "hostilemark")
    assert ids(tab) == ["hostile"]
    assert "<script>alert(2)</script>" in tab.inner_text(".search-hit")
    assert tab.query_selector(".search-hits img, .search-hits script, .search-facets img") is None
    settle(tab, lambda: tab.check('[data-field="model"] input'))
    assert ids(tab) == ["hostile"]


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "constructor", "__proto__"]
)
def test_hostile_queries_stay_text(text: str, opened: Opener) -> None:
    """What comes in by the address does nothing either."""
    tab = opened({"q": text, "model": text})
    assert tab.query_selector(".search img, .search script") is None


def test_a_phone_needs_no_sideways_scroll(opened: Opener) -> None:
    """At 320 pixels everything fits; filters are folded above the hits."""
    tab = opened({"q": "push"}, viewport={"width": 320, "height": 640})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    assert not tab.evaluate("document.querySelector('.search-filters').open")
    tab.click(".search-filters > summary")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320


def test_without_javascript(opened: Opener) -> None:
    """The page says so and names another way."""
    tab = opened({"q": "push"}, java_script_enabled=False)
    assert "needs JavaScript" in tab.inner_text("main")
    assert "kb search" in tab.inner_text("main")


def test_a_missing_data_file_is_said(site: Path, browser: Browser, tmp_path: Path) -> None:
    """Half a site does not look like an empty one."""
    (tmp_path / "static").symlink_to(site / "static")
    (tmp_path / "search.html").write_bytes((site / "search.html").read_bytes())
    tab = browser.new_page()
    tab.goto((tmp_path / "search.html").as_uri())
    tab.wait_for_selector("[data-shown]")
    assert "search/start.js could not be loaded" in tab.inner_text(".search-problem")
    tab.close()


def test_the_box_of_every_page_leads_here(opened: Opener) -> None:
    """The form in the header works by itself: it opens the page with the query in the address."""
    tab = opened()
    tab.fill("#search-box", "moriio")
    tab.press("#search-box", "Enter")
    tab.wait_for_selector('[data-shown*="moriio"]')
    assert ids(tab)[0] == "vllm-moriio"
