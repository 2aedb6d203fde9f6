"""`make gallery`: a page of each kind of the shipped base as pictures, light, dark and on a phone, for docs/gallery.md.

The browser writes WebP itself. The pictures are small: a gallery is looked through, and the pages are a command away.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kb.config import read
from kb.site.build import build
from kb.workspace import Workspace
from tests.site.conftest import program

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "gallery"

PUSH, READER, WRITES = "aws-push-vs-pull-efa", "vllm-45211-reader-thread-author", "nixl-1626-fi-more-write-batching"
KINDS = {
    "home": ("Home: what needs attention, with the honest denominator", "index.html"),
    "evaluation": ("An evaluation: what was compared, how big, does it hold", f"evaluations/{PUSH}/index.html"),
    "charts": ("Its charts, each with its table", "evaluations/sglang-26406-nixl-vs-mooncake/index.html"),
    "translation": ("The same in Japanese", f"evaluations/{PUSH}/ja/index.html"),
    "evaluations": ("All evaluations", "evaluations/index.html"),
    "question": ("A question: current answer, envelope, disagreement", "questions/push-vs-pull-handoff/index.html"),
    "questions": ("All questions", "questions/index.html"),
    "component": ("A component: releases, changes, who rests on it", "components/vllm-nixl-pull/index.html"),
    "components": ("All components", "components/index.html"),
    "change": ("A change: when it is reached, whom it touches and whom not", f"changes/{WRITES}/index.html"),
    "changes": ("All changes", "changes/index.html"),
    "deployment": ("A deployment: what applies to it", "deployments/efa-p5en-1p1d-pull/index.html"),
    "reviews": ("The review queue", "reviews.html"),
    "compare": ("Two evaluations side by side", f"compare.html?a={READER}&b=vllm-50913-reader-thread-3p1d"),
    "search": ("Search, in the browser", "search.html?q=push+ttft"),
    "rule": ("A rule's page", "rules/change-touches.html"),
    "vocabulary": ("The vocabulary in three languages", "vocabulary.html"),
    "fields": ("Fields of a record", "fields/evaluation.html"),
    "about": ("How it decides", "about.html"),
}  # fmt: skip
LOOKS = {
    "light": {"viewport": {"width": 1180, "height": 760}, "color_scheme": "light", "device_scale_factor": 0.65},
    "dark": {"viewport": {"width": 1180, "height": 760}, "color_scheme": "dark", "device_scale_factor": 0.65},
    "phone": {"viewport": {"width": 375, "height": 700}, "color_scheme": "light", "device_scale_factor": 0.8},
}
QUALITY = 30


def main() -> int:
    """Build the site of our own records and take the pictures."""
    found = program()
    if found is None:
        sys.stderr.write("no chromium: apt-get install chromium\n")
        return 2
    with TemporaryDirectory(prefix="kb-gallery-") as name:
        site = Path(name) / "site"
        build(Workspace(read(ROOT)), site, ROOT / ".kb" / "site")  # first: it uses both processors while alone
        photographed(found, site)
    (ROOT / "docs" / "gallery.md").write_text(page(), encoding="utf-8")
    size = sum(path.stat().st_size for path in PICTURES.iterdir())
    sys.stderr.write(f"{len(KINDS) * len(LOOKS)} pictures, {size / 1e6:.1f} MB\n")
    return 0


def photographed(program: str, site: Path) -> None:
    """Every kind in every look."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        rmtree(PICTURES, ignore_errors=True)
        PICTURES.mkdir()
        for kind in KINDS:
            for look in LOOKS:
                take(browser, site, kind, look)
        browser.close()


def take(browser: Browser, site: Path, kind: str, look: str) -> None:
    """One picture of what a reader sees first."""
    path, _, rest = KINDS[kind][1].partition("?")
    context = browser.new_context(**LOOKS[look])  # type: ignore[arg-type]
    tab = context.new_page()
    address = (site / path).as_uri() + (f"?{rest}" if rest else "")
    tab.goto(address)
    if kind == "compare":
        tab.wait_for_selector("#verdict")
    if kind == "search":
        tab.wait_for_selector("[data-settled]")
    tab.evaluate("document.fonts.ready")
    if kind == "charts":
        tab.locator("figure.chart").first.evaluate('(chart) => chart.scrollIntoView({behavior: "instant"})')
        tab.wait_for_timeout(300)  # what comes into view is laid out only now
        tab.locator("figure.chart").first.evaluate('(chart) => chart.scrollIntoView({behavior: "instant"})')
    session = context.new_cdp_session(tab)
    taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    picture = PICTURES / f"{kind}-{look}.webp"
    picture.write_bytes(base64.b64decode(taken["data"]))
    context.close()


def page() -> str:
    """The page that shows them."""
    parts = [
        "# Gallery",
        "",
        "The site of the shipped records, as `kb site build` makes it; `make gallery` takes the pictures.",
    ]
    for kind, (title, _) in KINDS.items():
        shown = [
            f'<img src="gallery/{kind}-{look}.webp" alt="{title}, {look}" width="{WIDTHS[look]}">' for look in LOOKS
        ]
        parts += ["", f"## {title}", "", "\n".join(shown)]
    return "\n".join(parts) + "\n"


WIDTHS = {"light": 380, "dark": 380, "phone": 150}

if __name__ == "__main__":
    sys.exit(main())
