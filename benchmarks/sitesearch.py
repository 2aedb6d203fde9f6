"""Search in the browser, headless Chromium on file://: what is loaded, how long the first and later queries take.

`python -m benchmarks.sitesearch [ENTRIES]...` (default: 1000 10000). Each query is asked first in a page of its own, as
the first one that its reader asks, from a link or typed into the box (`typed`); then all of them one after another in
one page. Times are those the page takes from the key that starts the search until the hits stand in it (`hits`), and
until facets and snippets do, too (`all`); `cpu` is what the page's thread worked for all of it. Of several tries the
quickest counts, as in timeit: what the others took longer was other programs' doing.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Sequence
from os import cpu_count, getloadavg
from pathlib import Path
from shutil import copy, which
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.timing import p50, p95
from kb.site.search import SCRIPTS, STYLES, box, page, shards
from kb.store import Head, Store

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

STATIC = Path(__file__).parent.parent / "kb" / "site" / "static"
FIRST_LOAD, FIRST_QUERY, LATER_QUERY = 150_000, 100.0, 40.0
"""Bounds: bytes, milliseconds, milliseconds (medians)."""
TRIES = 5
TYPING = 400
"""Milliseconds from the box to the key that starts the search: a quick hand."""

QUERIES = (
    "latency", "NixlPushConnector", "nixl push connector", "Qwen3-32B", "0.26", "#35264", "push pull ttft",
    "cache transfer", "descriptors scheduler", "初回トークン遅延", "転送", "latência", "tempo até o primeiro token",
    '"the transfer of"', "trans*", "latancy~", "handshake OR lease", "transfer -router", "kind:evaluation",
    "hardware:H200 qps:>=8", "ttft:[200 TO 400]", "version:>=0.26", "date:2026-10", "title:push",
)  # fmt: skip

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'"
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Search</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
{head}</head>
<body><header>{box}</header><main><h1>Search</h1>
{page}
</main></body></html>
"""


def address(head: Head) -> str:
    """A page for every document."""
    return f"{head.kind}s/{head.id}{'' if head.rid % 16 == 0 else f'.{head.lang}'}.html"


def write(folder: Path, store: Store, **more: Any) -> dict[str, bytes]:
    """A site that is nothing but its search page."""
    files = shards(store, address, **more)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / "static").mkdir(exist_ok=True)
    for name in (*STYLES, *SCRIPTS):
        copy(STATIC / name, folder / "static" / name)
    styles = [f'<link rel="stylesheet" href="static/{name}">\n' for name in STYLES]
    scripts = [f'<script defer src="static/{name}"></script>\n' for name in SCRIPTS]
    html = _PAGE.format(policy=POLICY, head="".join([*styles, *scripts]), box=box(""), page=page())
    (folder / "search.html").write_text(html, encoding="utf-8")
    return files


def build(folder: Path, entries: int) -> tuple[dict[str, bytes], float]:
    """A synthetic base's search site in `folder`; its data files and the seconds they took."""
    from benchmarks.generate import write_base
    from kb.config import read
    from kb.workspace import Workspace

    store = Workspace(read(write_base(folder / "base", entries))).store
    began = perf_counter()
    files = write(folder / "site", store)
    return files, perf_counter() - began


def first_load(site: Path) -> int:
    """Bytes that the search page loads before anything is asked."""
    loaded = ["search.html", "search/start.js", *(f"static/{name}" for name in (*SCRIPTS, *STYLES))]
    return sum((site / name).stat().st_size for name in loaded)


class Times(NamedTuple):
    """Milliseconds of one query."""

    hits: float
    all: float
    cpu: float


def asked(tab: Page, text: str) -> Times:
    """Ask and wait until everything stands in the page."""
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _worked(session)
    tab.evaluate("document.querySelector('.search').removeAttribute('data-settled')")
    tab.fill("#search-q", text)
    tab.press("#search-q", "Enter")
    tab.wait_for_selector("[data-settled]", timeout=60_000)
    hits, everything = (tab.get_attribute(".search", f"data-{name}") for name in ("milliseconds", "settled"))
    return Times(float(hits or "nan"), float(everything or "nan"), _worked(session) - before)


def _worked(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def firsts(browser: Browser, url: str, queries: Iterable[str], entered: bool = False) -> list[Times]:
    """Each query as the first of a fresh page; with `entered` by somebody who went into the box and typed it."""
    return [_quickest(_first(browser, url, query, entered) for _ in range(TRIES)) for query in queries]


def _first(browser: Browser, url: str, query: str, entered: bool) -> Times:
    tab = _opened(browser, url, entered)
    times = asked(tab, query)
    tab.context.close()
    return times


def _quickest(tries: Iterable[Times]) -> Times:
    return Times(*map(min, zip(*tries, strict=True)))


def laters(browser: Browser, url: str, queries: Sequence[str]) -> list[Times]:
    """Each query after another one in the same page."""
    tries = [_later(browser, url, queries) for _ in range(TRIES)]
    return [_quickest(each) for each in zip(*tries, strict=True)]


def _later(browser: Browser, url: str, queries: Sequence[str]) -> list[Times]:
    tab = _opened(browser, url)
    asked(tab, "warm")
    times = [asked(tab, query) for query in queries]
    tab.context.close()
    return times


def _opened(browser: Browser, url: str, entered: bool = False) -> Page:
    tab = browser.new_context().new_page()
    if not entered:  # what the page fetches ahead when the box is entered would flatter a query that comes from a link
        tab.add_init_script("addEventListener('focus', (event) => event.stopImmediatePropagation(), true)")
    tab.goto(url)
    tab.wait_for_selector("[data-shown]")
    if entered:
        tab.focus("#search-q")
        tab.wait_for_timeout(TYPING)
    return tab


def report(name: str, times: Sequence[Times]) -> str:
    """One line: medians and 95th percentiles."""
    columns = ([each[n] for each in times] for n in range(3))
    return f"{name:16}" + "".join(f"{p50(each):9.1f}{p95(each):8.1f}" for each in columns)


def measure(browser: Browser, folder: Path, entries: int) -> bool:
    """Print the figures for one size; whether the bounds are kept."""
    files, seconds = build(folder, entries)
    site = folder / "site"
    url = (site / "search.html").as_uri()
    loaded, sizes = first_load(site), [len(content) for content in files.values()]
    print(
        f"{entries} entries: {len(files)} data files, {sum(sizes) / 1e6:.1f} MB, the largest {max(sizes) / 1e3:.0f} kB,"
    )
    print(f"written in {seconds:.1f} s; {loaded / 1e3:.0f} kB loaded before anything is asked")
    print(f"load average {getloadavg()[0]:.1f} on {cpu_count()} cores")
    print(f"{'ms':16}" + "".join(f"{name + ' p50':>9}{'p95':>8}" for name in Times._fields))
    first, typed = firsts(browser, url, QUERIES), firsts(browser, url, QUERIES, entered=True)
    later = laters(browser, url, QUERIES)
    print(report("first, no box", first))
    print(report("first, typed", typed))
    print(report("later queries", later) + "\n")
    quick = (
        max(p50([t.hits for t in each]) for each in (first, typed)) < FIRST_QUERY
        and p50([t.hits for t in later]) < LATER_QUERY
    )
    return loaded < FIRST_LOAD and quick


def main(sizes: Sequence[int]) -> int:
    """Print the report; 1 when a bound is not kept."""
    from playwright.sync_api import sync_playwright

    program = which("chromium") or which("chromium-browser")
    if program is None:
        print("no chromium: apt-get install chromium")
        return 2
    kept = True
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        print(f"Search in the browser, Chromium {browser.version}, file://, medians over {len(QUERIES)} queries\n")
        for entries in sizes:
            with tempfile.TemporaryDirectory(prefix="kb-sitesearch-") as name:
                kept = measure(browser, Path(name), entries) and kept
        browser.close()
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main([int(each) for each in sys.argv[1:]] or [1000, 10_000]))
