"""The drawings in a real browser: one at a time, letters large enough and inside, on both grounds."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kb.config import read
from kb.library import open_library
from kb.site.charts import Chart
from tests.site.test_charts import of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "kb" / "site" / "static"
SOME = ("vllm-35264-push-branch", "aws-push-vs-pull-efa", "dynamo-motif3-1p1d-2p1d", "daocloud-glm52-b300",
        "llmd-nixl-backends-2026-06-23", "sglang-26406-nixl-vs-mooncake")  # fmt: skip


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of charts under the site's own policy."""
    library = open_library(read(ROOT))
    charts = [chart for id_ in SOME for chart in of(library.evaluations[id_], id_)]
    folder = tmp_path_factory.mktemp("charts")
    for name in ("site.css", "charts.css"):
        (folder / name).write_bytes((STATIC / name).read_bytes())
    policy = "default-src 'none'; style-src 'self' file:"
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    head += '<meta name="viewport" content="width=device-width">'
    links = '<link rel="stylesheet" href="site.css"><link rel="stylesheet" href="charts.css">'
    page = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Charts</title>{head}{links}</head>'
    (folder / "sheet.html").write_text(f"{page}<body><main>{''.join(map(_figure, charts))}</main>", encoding="utf-8")
    return folder / "sheet.html"


def _figure(chart: Chart) -> str:
    caption = f"<figcaption>{escape(chart.title)}</figcaption>"
    return f'<figure class="chart"><div class="scroll">{chart.svg}</div>{caption}</figure>'


def opened(browser: Browser, sheet: Path, width: int, scheme: str = "light") -> Page:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(sheet.as_uri())
    return page


SHOWN = "[...document.querySelectorAll('svg.drawing')].filter(each => each.getClientRects().length)"


@pytest.mark.parametrize(
    ("width", "size"), [(320, "narrow"), (360, "narrow"), (500, "narrow"), (560, "wide"), (1200, "wide")]
)
def test_one_drawing_is_shown_and_its_letters_are_readable(
    browser: Browser, sheet: Path, width: int, size: str
) -> None:
    """The one that fits, with letters of 11 pixels at least, and no sideways scroll."""
    page = opened(browser, sheet, width)
    classes = page.evaluate(f"{SHOWN}.map(each => each.getAttribute('class'))")
    assert set(classes) == {f"drawing {size}"}
    smallest = page.evaluate(
        f"Math.min(...{SHOWN}.map(each => 12.5 * each.getBoundingClientRect().width / each.viewBox.baseVal.width))"
    )
    assert smallest >= 11
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(
        "[...document.querySelectorAll('.scroll')].every(each => each.scrollWidth <= each.clientWidth)"
    )
    page.close()


@pytest.mark.parametrize("width", [320, 760])
def test_letters_stay_inside_their_drawing(browser: Browser, sheet: Path, width: int) -> None:
    """With the fonts that are there."""
    page = opened(browser, sheet, width)
    outside = page.evaluate(
        f"""{SHOWN}.flatMap(svg => [...svg.querySelectorAll('text')].filter(each => {{
            const box = each.getBoundingClientRect(), all = svg.getBoundingClientRect();
            return box.left < all.left - 2 || box.right > all.right + 2 || box.bottom > all.bottom + 2;
        }}).map(each => each.textContent))"""
    )
    assert outside == []
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_and_marks_stand_out_on_both_grounds(browser: Browser, sheet: Path, scheme: str) -> None:
    """Text 4.5 to 1, marks 3 to 1, as the ground is."""
    page = opened(browser, sheet, 760, scheme)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    for selector, least in (("text", 4.5), (".mark:not(.hollow)", 3.0)):
        marks = f"[...document.querySelectorAll('svg.wide {selector}')]"
        fills = page.evaluate(f"[...new Set({marks}.map(each => getComputedStyle(each).fill))]")
        assert fills
        assert min(contrast(each, ground) for each in fills) >= least
    page.close()


def contrast(one: str, other: str) -> float:
    """Of two colours as browsers write them (WCAG 2.2)."""
    light, dark = sorted((_light(each) for each in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _light(colour: str) -> float:
    parts = [int(each) / 255 for each in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
