"""The pages in a real browser: narrow, dark, by keyboard, without scripts, below a folder, on paper, read aloud."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.running import kb
from tests.site.building import built, changed, copied
from tests.site.hostile import hostile

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

KINDS = (
    "index.html",
    "evaluations/index.html",
    "evaluations/orbit-push-vs-pull/index.html",
    "evaluations/orbit-push-vs-pull/ja/index.html",
    "evaluations/orbit-one-arm/index.html",
    "questions/index.html",
    "questions/push-or-pull/index.html",
    "components/index.html",
    "components/orbit/index.html",
    "changes/index.html",
    "changes/orbit-7-reader-thread/index.html",
    "deployments/index.html",
    "deployments/our-cluster/index.html",
    "reviews.html",
    "compare.html",
    "search.html",
    "rules/index.html",
    "rules/change-touches.html",
    "vocabulary.html",
    "fields/index.html",
    "fields/evaluation.html",
    "about.html",
    "404.html",
)
"""One page of every kind."""
Opener = Callable[..., "Page"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    base = copied(folder / "base")
    changed(base, "evaluations/orbit-one-arm.md", lambda text: text.replace("title:", "aliases: [old-name]\ntitle:", 1))
    built(base, folder / "below" / "kb")
    return folder / "below" / "kb"


@pytest.fixture(scope="module")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    built(hostile(folder / "base"), folder / "out")
    return folder / "out"


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    """The site below a folder of a plain web server."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            return

    handler = functools.partial(Quiet, directory=str(site.parents[1]))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/below/kb"
    server.shutdown()
    server.server_close()


@pytest.fixture
def opened(site: Path, browser: Browser) -> Iterator[Opener]:
    """Opens a page; in the end nothing must have been complained of, and nothing asked of others."""
    complaints: list[str] = []
    contexts = []

    def open_(path: str, base: str | None = None, forgive: str = "\0", **options: Any) -> Page:
        root = base or site.as_uri()
        contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options}))
        tab = contexts[-1].new_page()
        tab.on("console", lambda message: complaints.extend([] if forgive in message.text else [message.text]))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("dialog", lambda dialog: complaints.append(dialog.message))
        tab.on("request", lambda request: complaints.extend([] if request.url.startswith(root) else [request.url]))
        tab.goto(f"{root}/{path}")
        return tab

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize("width", [320, 360, 1920])
def test_no_page_scrolls_sideways(opened: Opener, site: Path, width: int) -> None:
    """Neither on a phone nor on a wide screen; what is wider scrolls within itself."""
    tab = opened(KINDS[0], viewport={"width": width, "height": 700})
    for path in KINDS:
        tab.goto(f"{site.as_uri()}/{path}")
        assert tab.evaluate("document.documentElement.scrollWidth") <= width, path


def test_every_kind_opens_without_a_complaint_below_a_folder(opened: Opener, served: str) -> None:
    """No console message, no request to elsewhere, from a plain web server and a sub-path."""
    tab = opened(KINDS[0], served)
    for path in KINDS:
        tab.goto(f"{served}/{path}")
        assert tab.locator("main").count() == 1


def test_nothing_of_a_hostile_base_runs(opened: Opener, hostile_site: Path) -> None:
    """Every kind of page, with the payload in every text."""
    tab = opened(KINDS[0], hostile_site.as_uri(), forgive="ERR_FILE_NOT_FOUND")  # images that are not there
    for path in KINDS:
        if (hostile_site / path).is_file():
            tab.goto(f"{hostile_site.as_uri()}/{path}")
            assert tab.evaluate("window.pwned") is None, path
            assert tab.locator("main").is_visible(), path


def test_dark_follows_the_system_and_the_reader(opened: Opener) -> None:
    """The system's wish first; what the reader chose goes before it and stays on the next page."""
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = (opened("index.html", color_scheme=scheme).evaluate(ground) for scheme in ("light", "dark"))
    assert light != dark
    tab = opened("index.html", color_scheme="light")
    tab.get_by_role("button", name="Light or dark").click()
    assert tab.evaluate(ground) == dark
    tab.get_by_role("link", name="Changes", exact=True).click()
    tab.wait_for_url("**/changes/index.html")
    assert tab.evaluate(ground) == dark


def test_keyboard_alone(opened: Opener) -> None:
    """The first stop skips to the content; every stop shows where it is; details open with Enter."""
    tab = opened("evaluations/orbit-push-vs-pull/index.html")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"
    for _ in range(12):
        tab.keyboard.press("Tab")
        assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    tab.locator("details > summary").first.focus()
    tab.keyboard.press("Enter")
    assert tab.locator("details").first.get_attribute("open") is not None


def test_without_scripts(opened: Opener) -> None:
    """The page is whole; the switch that could do nothing is not shown; links lead on."""
    tab = opened("evaluations/orbit-push-vs-pull/index.html", java_script_enabled=False)
    assert tab.locator("article.claim").count() > 2
    assert not tab.locator("#theme").is_visible()
    tab.get_by_role("link", name="日本語").click()
    tab.wait_for_url("**/ja/index.html")
    assert tab.locator("html").get_attribute("lang") == "ja"


def test_compare_from_the_address(opened: Opener, site: Path) -> None:
    """State is in the address: opened with two, they stand side by side as `kb compare` has them."""
    tab = opened("compare.html?a=orbit-push-vs-pull/pull&b=orbit-reader-thread/after")
    tab.wait_for_selector("#verdict")
    ran = kb("compare", "orbit-push-vs-pull/pull", "orbit-reader-thread/after", "--json", cwd=site.parents[1] / "base")
    told = json.loads(ran.out)
    card = tab.locator("#verdict article")
    assert card.get_attribute("data-comparable") == told["comparable"]
    material = [each for each in told["differences"] if each["material"] == "yes"]
    shown = tab.get_by_role("region", name="Differs, and matters").locator("tbody tr")
    assert (
        [row.split("\t")[1:3] for row in shown.all_inner_texts()] == [[each["a"], each["b"]] for each in material] != []
    )
    assert tab.locator("#compare-a").input_value() == "orbit-push-vs-pull"
    assert tab.locator("#compare-b-arm").input_value() == "after"


def test_compare_two_arms(opened: Opener, site: Path) -> None:
    """Of one evaluation alone its arms stand side by side, with the ratios of the command."""
    tab = opened("compare.html?a=orbit-push-vs-pull")
    tab.wait_for_selector("#verdict")
    told = json.loads(kb("compare", "orbit-push-vs-pull", "--json", cwd=site.parents[1] / "base").out)
    numbers = tab.get_by_role("region", name="Numbers").locator("tbody tr").all_inner_texts()
    assert len(numbers) == len(told["metrics"]) > 0
    for row, each in zip(numbers, told["metrics"], strict=True):
        assert (f"{each['ratio']}x" if each["ratio"] else str(each["refused"])) in row
    heads = tab.get_by_role("region", name="Numbers").locator("thead th").all_inner_texts()
    assert heads[1:3] == [f"orbit-push-vs-pull/{one}" for one in told["arms"][0]] != [heads[1]] * 2


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_compare_on_a_phone(opened: Opener, width: int, scheme: str) -> None:
    """Nothing is wider than the screen or cut off: each key on a line of its own, above its values and the reason."""
    address = "compare.html?a=orbit-push-vs-pull/pull&b=orbit-reader-thread/after"
    tab = opened(address, viewport={"width": width, "height": 800}, color_scheme=scheme)
    tab.wait_for_selector("#verdict")
    tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    cut = "(found) => found.filter((each) => each.scrollWidth > each.clientWidth).length"
    assert tab.locator("#verdict .scroll").evaluate_all(cut) == 0
    rows = tab.locator("#verdict tbody tr")
    assert rows.count() > 3
    for row in rows.all():
        key, *cells = row.locator("th, td").all()
        lines = key.locator("code").evaluate_all("(found) => found.map((each) => each.getClientRects().length)")
        assert set(lines) <= {1}
        low = bottom(key)
        boxes = [box for each in cells if (box := each.bounding_box())]
        assert all(box["y"] >= low and box["x"] + box["width"] <= width for box in boxes)
        assert all(each.get_attribute("data-label") for each in cells)


def bottom(shown: Locator) -> float:
    box = shown.bounding_box()
    assert box is not None
    return box["y"] + box["height"] - 0.5


def test_compare_names_what_is_needed_once(opened: Opener) -> None:
    """Each field that a ratio needs, once, in words."""
    tab = opened("compare.html?a=orbit-push-vs-pull/pull&b=orbit-reader-thread/after")
    tab.wait_for_selector("#verdict")
    needed = tab.locator("#verdict article > p", has_text="needed for a ratio")
    assert needed.inner_text().startswith("Not known on at least one side, and needed")
    names = needed.locator("code").all_inner_texts()
    assert len(names) == len(set(names))
    assert "load point" in names
    assert "where" not in names


def test_compare_four(opened: Opener) -> None:
    """Every two of them get a verdict of their own; both arms of one evaluation can be two of them."""
    tab = opened(
        "compare.html?a=orbit-push-vs-pull/push&b=orbit-push-vs-pull/pull&c=orbit-one-arm&d=orbit-reader-thread"
    )
    tab.wait_for_selector("#verdict")
    assert tab.locator("#verdict > article").count() == 6
    assert tab.locator("#claims h3").count() == 3


def test_compare_by_hand(opened: Opener, served: str) -> None:
    """Chosen in the form; the address follows, and going back empties it."""
    tab = opened("compare.html", served)
    tab.select_option("#compare-a", "orbit-push-vs-pull")
    tab.select_option("#compare-b", "orbit-one-arm")
    tab.wait_for_selector("#compare-a-arm option[value=push]", state="attached")
    tab.select_option("#compare-a-arm", "push")
    assert tab.locator("#compare-c").is_visible()  # offered now that two are chosen
    assert not tab.locator("#compare-d").is_visible()
    tab.get_by_role("button", name="Compare").press("Enter")
    tab.wait_for_selector("#verdict")
    assert tab.url.endswith("?a=orbit-push-vs-pull/push&b=orbit-one-arm")
    tab.go_back()
    tab.wait_for_selector("#verdict", state="detached")


def test_compare_with_what_is_not_there(opened: Opener) -> None:
    """An id that nobody has is named and left out, whatever it says; an arm that is not there is named, too."""
    tab = opened("compare.html?a=orbit-one-arm&b=../../x")
    tab.wait_for_selector("#compare .warn")
    assert tab.locator("#verdict").count() == 0
    tab = opened("compare.html?a=orbit-push-vs-pull/nobody&b=orbit-reader-thread")
    tab.wait_for_selector("#verdict")
    assert 'has no arm "nobody"' in tab.locator("#verdict").inner_text()
    tab = opened("compare.html?a=nosuch&b=orbit-push-vs-pull")
    tab.wait_for_selector("#compare .warn")
    assert tab.locator("#compare").inner_text() == "Not on this site: nosuch."


def test_compare_with_nothing_chosen(opened: Opener) -> None:
    """The button says what to choose, and the address stays."""
    tab = opened("compare.html")
    tab.get_by_role("button", name="Compare").press("Enter")
    assert tab.locator("#compare .warn").inner_text().startswith("Choose two evaluations, or one")
    assert tab.url.endswith("compare.html")


def test_compare_without_javascript_says_how(opened: Opener) -> None:
    """No form that does nothing; the command that says the same."""
    tab = opened("compare.html", java_script_enabled=False)
    assert not tab.locator("#compare-form").is_visible()
    assert "kb compare A B" in tab.locator("main").inner_text()


def test_an_alias_arrives(opened: Opener) -> None:
    """A renamed record's old address leads to the new one."""
    tab = opened("evaluations/old-name/index.html")
    tab.wait_for_url("**/evaluations/orbit-one-arm/index.html")
    assert tab.locator("article.record").count() == 1


def test_paper(opened: Opener) -> None:
    """Printed, the frame is gone and the ground is white, also for a reader of the dark."""
    tab = opened("evaluations/orbit-push-vs-pull/index.html", color_scheme="dark")
    tab.emulate_media(media="print", color_scheme="dark")
    assert not tab.locator(".main-nav").is_visible()
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened: Opener, served: str, scheme: str) -> None:
    """On every kind of page: contrast, names, landmarks, tables, headings."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe: pip install -e '.[dev]'").Axe()
    tab = opened(KINDS[0], served, color_scheme=scheme, bypass_csp=True)
    found = []
    for path in KINDS:
        tab.goto(f"{served}/{path}")
        for each in axe.run(tab).response["violations"]:
            if each["impact"] in {"serious", "critical"}:
                found.append((path, each["id"], [node["html"][:160] for node in each["nodes"][:3]]))
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_was_found_can_be_read(scheme: str, opened: Opener) -> None:
    """The words of a query stand out in the hits with enough contrast, light and dark."""
    tab = opened("search.html?q=push", color_scheme=scheme)
    tab.wait_for_selector(".search mark")
    script = "(mark) => [getComputedStyle(mark).color, getComputedStyle(mark).backgroundColor]"
    colours = tab.locator(".search mark").first.evaluate(script)
    ink, paper = sorted(luminance(each) for each in colours)
    assert (paper + 0.05) / (ink + 0.05) >= 4.5


def luminance(colour: str) -> float:
    """Relative luminance of `rgb(r, g, b)`, as WCAG defines it."""
    parts = [int(each) / 255 for each in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
