"""What is seen first of an evaluation, as values and in a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kb.config import read
from kb.evaluation import Source
from kb.library import open_library
from kb.site.gather import gather
from kb.site.page import Later, Page
from kb.site.pages.evaluation import pages, source
from kb.site.pages.glance import REASONS, _builds, _since
from tests.site.building import Elements, built, changed, copied

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ID = "orbit-push-vs-pull"
PAGE = f"evaluations/{ID}/index.html"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return copied(tmp_path / "base")


def values(base: Path, path: str = PAGE) -> dict[str, Any]:
    found = gather(open_library(read(base)))
    made = (page for later in pages(found) if isinstance(later, Later) for page in later.make())
    return next(dict(each.values) for each in made if isinstance(each, Page) and each.path == path)


def test_every_claim_is_in_the_count(base: Path) -> None:
    """Also those that nobody has shown: how many hold is said of all of them."""
    page = values(base)
    claims = [claim for group in page["groups"] for claim in group["claims"]]
    assert page["glance"]["total"] == len(claims)
    assert page["glance"]["holds"] == sum(claim["verdict"]["name"] == "holds" for claim in claims)


def test_reasons_are_those_that_decided_each_once_with_its_claims(base: Path) -> None:
    """A change by name and the release it came in; what speaks goes before what is not known."""
    glance = values(base)["glance"]
    assert len(glance["reasons"]) <= REASONS
    speaking = [each for each in glance["reasons"] if each["outcome"]["name"] != "unknown"]
    assert glance["reasons"][: len(speaking)] == speaking
    named = [each for each in speaking if each["change"]]
    assert ("orbit-7-reader-thread", "orbit-pull 1.2.0") in [(each["change"]["id"], each["since"]) for each in named]
    assert all(1 <= each["claims"] <= glance["total"] for each in glance["reasons"])


def test_points_without_a_claim_are_said_to_be_that(base: Path, tmp_path: Path) -> None:
    """Somebody measured; nobody has drawn anything from it yet."""
    record = (
        "---\nschema_version: 1\nid: n1\ntitle: Numbers only\nkind: controlled\ndate: 2026-01-01\n"
        "arms: [{id: pull, title: Pull, role: baseline}]\npoints:\n"
        "  - {id: a, arm: pull, metric: ttft, stat: p50, value: 310, unit: ms}\n"
        "  - {id: b, arm: pull, metric: ttft, stat: p50, value: 320, unit: ms, where: {concurrency: 2}}\n---\n"
    )
    (base / "entries/evaluations/n1.md").write_text(record, encoding="utf-8")
    built(base, tmp_path / "out")
    page = Elements((tmp_path / "out/evaluations/n1/index.html").read_bytes())
    assert "2 points, no measured claim drawn from them yet." in page.text
    assert "It measures nothing." not in page.text


def test_an_open_pin_is_said_in_few_words(base: Path) -> None:
    """Which fact is missing, not every build that it can be."""
    changed(base, f"evaluations/{ID}.md", lambda text: text.replace("version: 1.1.0}", "version: unknown}"))
    said = [each["message"] for each in values(base)["glance"]["reasons"] if not each["change"]]
    assert "the answer depends on the version of orbit, which is not stated" in said


def test_a_change_that_speaks_for_some_builds_says_for_which() -> None:
    """Where claims agree on them; else the release it came in is all that is true of every one."""
    suffix = _builds("vllm 0.9.0 lacks this fix (for vllm 0.9.0..0.10.0)")
    assert suffix == " (for vllm 0.9.0..0.10.0)"
    assert _builds("vllm 0.33.0 (the newest) carries it") == ""
    assert _since({"since": "vllm 0.24.0", "builds": {suffix: None}}) == "vllm 0.24.0 (for vllm 0.9.0..0.10.0)"
    assert _since({"since": "vllm 0.24.0", "builds": {suffix: None, "": None}}) == "vllm 0.24.0"
    assert _since({"since": None, "builds": {suffix: None}}) is None


def test_a_question_shows_a_size_before_anything_is_opened(base: Path, tmp_path: Path) -> None:
    """With its metric, its arms, where and which statistic: the newest claim of each answer."""
    built(base, tmp_path / "out")
    text = " ".join(Elements((tmp_path / "out/questions/push-or-pull/index.html").read_bytes()).text.split())
    assert re.search(r"newest: ≈?[\d.]+x time to first token, push / pull; req/s 4; p50 \(heavy-load\)", text)
    assert "What was tested" in text


def test_what_is_silent_is_counted_by_change(base: Path) -> None:
    """Not once for every arm that it is silent in."""
    for group in values(base)["silent"]:
        assert group["number"] == len({row["link"]["id"] for row in group["rows"]})
    claims = [each for group in values(base)["groups"] for each in group["claims"]]
    assert 2 in {each["verdict"]["silent"] for each in claims}


def test_what_fired_or_is_overdue_goes_before_what_waits(base: Path) -> None:
    """Of several signals those that ask for something now are seen first."""
    changed(
        base,
        f"evaluations/{ID}.md",
        lambda text: text.replace(
            "signals:\n", "signals:\n  - {id: soon, what: Somebody asks., until: 2031-01-01}\n"
            "  - {id: late, what: Nobody came., until: 2030-01-02}\n"
        ),
    )  # fmt: skip
    glance = values(base)["glance"]
    shown = [each["state"] for each in glance["signals"]]
    assert shown == sorted(shown, key=["fired", "overdue", "waiting", "unwatched"].index)
    assert "late" in {each["id"] for each in glance["signals"]}
    assert len(glance["signals"]) + glance["more_signals"] == 3


@pytest.mark.parametrize("scripts", [True, False])
def test_compared_size_standing_and_next_are_seen_without_scrolling(
    base: Path, tmp_path: Path, browser: Browser, scripts: bool
) -> None:
    """On a laptop's screen: arms, figures, how many hold, the reason, and what would change it."""
    built(base, tmp_path / "out")
    context = browser.new_context(viewport={"width": 1280, "height": 900}, java_script_enabled=scripts)
    tab = context.new_page()
    tab.goto((tmp_path / "out" / PAGE).as_uri())
    for seen in (".arms", ".answers .figure", ".standing", ".why a", ".signals-brief"):
        place = tab.locator(f".glance {seen}").first.bounding_box()
        assert place is not None, seen
        assert place["y"] + place["height"] <= 900, seen
    context.close()


def test_a_mark_is_reached_by_keyboard_and_opens_its_row(base: Path, tmp_path: Path, browser: Browser) -> None:
    """Also one whose row lies in a folded table; the hidden drawing is not in the way."""
    spoken = (base / "entries/changes/orbit-7-reader-thread.md").read_text(encoding="utf-8")
    quiet = spoken.replace("orbit-7-reader-thread", "orbit-6-words").replace("kind: performance", "kind: docs")
    for was, is_ in (
        ("1.2.0", "1.1.5"),
        ("[1.0.0, 1.1.0]", "[1.1.0]"),
        ("checked: [1.1.5]", "checked: [1.1.5, 1.2.0]"),
    ):
        quiet = quiet.replace(was, is_)
    (base / "entries/changes/orbit-6-words.md").write_text(quiet, encoding="utf-8")
    released = '  - {version: "1.1.5", date: 2030-03-20}\n  - {version: "1.2.0"'
    changed(base, "components/orbit.yaml", lambda text: text.replace('  - {version: "1.2.0"', released))
    built(base, tmp_path / "out")
    tab = browser.new_page(viewport={"width": 360, "height": 740})
    tab.goto((tmp_path / "out" / PAGE).as_uri())
    marks = tab.locator(".chart-passages svg.narrow a")
    rows = [tab.locator(f"#since-{name}") for name in ("orbit-7-reader-thread", "orbit-6-words")]
    assert [row.is_visible() for row in rows] == [True, False]
    tab.locator("#since .chart-passages .scroll").first.focus()
    for at in range(marks.count()):
        tab.keyboard.press("Tab")
        target = marks.nth(at).get_attribute("href")
        assert tab.evaluate("document.activeElement.getAttribute('href')") == target
        tab.keyboard.press("Enter")
        assert tab.locator(f"[id='{str(target).removeprefix('#')}']").is_visible(), target
        marks.nth(at).focus()
    assert all(row.is_visible() for row in rows)
    tab.close()


def test_on_paper_every_measured_claim_is_there(base: Path, tmp_path: Path, browser: Browser) -> None:
    """What folds at the top of a screen does not on paper."""
    effect = "effect: {form: parity, metric: ttft, arm: push, against: pull}"
    more = "".join(f"  - {{id: more-{n}, kind: measured, says: Once more., {effect}}}\n" for n in range(4))
    changed(base, f"evaluations/{ID}.md", lambda text: text.replace("stages:\n", f"{more}stages:\n", 1))
    built(base, tmp_path / "out")
    tab = browser.new_page()
    tab.goto((tmp_path / "out" / PAGE).as_uri())
    last = tab.locator(".glance .answers tr").last
    assert not last.is_visible()
    tab.emulate_media(media="print")
    assert last.is_visible()
    tab.close()


@pytest.mark.parametrize(
    ("relation", "said"),
    [("own", ""), ("vendor", "how much was read is not stated"), (None, "how much was read is not stated")],
)
def test_nobody_reads_his_own_measurement(relation: str | None, said: str) -> None:
    """How much of a source was read is asked of the sources of others."""
    found = source(Source.model_validate({"relation": relation, "by": "us"}))
    assert found is not None
    assert found["depth"] == said
