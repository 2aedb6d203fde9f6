"""What came between the builds that ran and the newest release: lanes, marks, and the same as tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from kb.builds import Known
from kb.config import read
from kb.library import open_library
from kb.site.charts.passages import Lane, Mark, Release, Said, passages
from kb.site.gather import Gathered, gather
from kb.site.pages.passed import between
from kb.site.pages.since import PINNED, since
from tests.site.building import Elements, built, changed, copied
from tests.site.test_charts import classed, drawings, letters

DAYS = {"1.0": "2030-01-10", "1.1": "2030-03-10", "1.2": "2030-05-10", "1.3": "2030-05-12", "2.0": "2031-01-01"}


def release(version: str) -> Release:
    return Release(version, DAYS.get(version))


def mark(name: str, version: str, said: Said = Said.AGAINST, after: str | None = None) -> Mark:
    return Mark(said, release(version), release(after) if after else None, name, f"#since-{name}")


def lane(*marks: Mark, builds: tuple[str, ...] = ("1.0",), stated: bool = True, **more: Any) -> Lane:
    found = tuple(map(release, builds))
    return Lane("pull", "orbit", "pinned at 1.0", stated, found, release("2.0"), marks, more.get("unplaced", 0))


# Drawing


def test_what_a_change_is_to_the_claims_is_told_by_shape() -> None:
    """Three kinds of marks, each with a shape or filling of its own, each named in the key."""
    marks = [mark("a", "1.1"), mark("b", "1.2", Said.OPEN), mark("c", "1.1", Said.SILENT)]
    for root in drawings(passages([lane(*marks)], None)):
        drawn = {name: classed(root, name) for name in ("against", "may", "silent")}
        assert all(len(each) == 2 for each in drawn.values())  # in the key, and in the lane
        assert drawn["against"][0].get("d") != drawn["silent"][0].get("d")
        assert all(kind.value in letters(root) for kind in Said)


def test_a_kind_that_does_not_occur_is_not_in_the_key() -> None:
    """Nothing is named that is not drawn."""
    wide, _ = drawings(passages([lane(mark("a", "1.1"))], None))
    assert not classed(wide, "may")
    assert Said.OPEN.value not in letters(wide)
    assert "measured" not in letters(wide)


def test_an_open_pin_is_a_bar_and_never_a_point() -> None:
    """Also where only one build is left that it can have been: that was inferred."""
    for builds in (("1.0", "1.1", "1.2"), ("1.1",)):
        wide, _ = drawings(passages([lane(builds=builds, stated=False)], None))
        assert classed(wide, "can-be")
        assert not classed(wide, "pin")
    wide, _ = drawings(passages([lane()], None))
    assert classed(wide, "pin")
    assert not classed(wide, "can-be")


def test_a_mark_leads_to_its_row_and_is_named() -> None:
    """Links are outside of what is hidden from readers aloud; the drawing is a group, because an image has none."""
    wide, narrow = drawings(passages([lane(mark("a", "1.1"))], None))
    for root in (wide, narrow):
        assert root.get("role") == "group"
        (link,) = [each for each in root.iter() if each.tag.endswith("}a")]
        assert link.get("href") == "#since-a"
        assert "1.1" in str(link.get("aria-label"))
        hidden = [each for each in root if each.get("aria-hidden") == "true"]
        assert all(link not in list(each.iter()) for each in hidden)


def test_marks_that_would_touch_are_one_with_their_number() -> None:
    """Two days apart in a year is no distance; half a year is."""
    wide, _ = drawings(passages([lane(mark("a", "1.2"), mark("b", "1.3"), mark("c", "1.0"))], None))
    links = [each for each in wide.iter() if each.tag.endswith("}a")]
    assert len(links) == 2
    assert "2 changes" in str(links[1].get("aria-label"))
    assert "| 2 |" in f"| {letters(wide)} |"


def test_what_has_no_day_is_counted_and_drawn_nowhere() -> None:
    """A release without a date has no place; of changes without one the caption tells how many there are."""
    chart = passages([lane(mark("a", "0.1"), unplaced=3)], None)
    wide, _ = drawings(chart)
    assert not [each for each in wide.iter() if each.tag.endswith("}a")]
    assert chart is not None
    assert "3 without such a day" in chart.caption
    unknown = Lane("pull", "orbit", "not stated", False, (), None, (), 0)
    assert passages([unknown], "2030-01-01") is None


def test_where_releases_between_are_not_established_the_mark_has_a_line() -> None:
    """It reaches back to the last release that is known not to carry the change."""
    with_line, _ = drawings(passages([lane(mark("a", "1.2", after="1.0"))], None))
    without, _ = drawings(passages([lane(mark("a", "1.2"))], None))
    assert (len(classed(with_line, "since")), len(classed(without, "since"))) == (1, 0)


# On the page


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return copied(tmp_path / "base")


def gathered(base: Path) -> Gathered:
    return gather(open_library(read(base)))


def found(base: Path, evaluation: str = "orbit-push-vs-pull") -> dict[str, Any]:
    at = gathered(base)
    said = since(at.library.evaluations[evaluation], at)
    assert said is not None
    return said


def test_a_change_that_speaks_has_its_release_its_arm_and_its_claims(base: Path) -> None:
    """As the verdicts have it: the reader thread speaks on the arm that pulls, from the release that carries it on."""
    rows = {row["link"]["id"]: row for row in found(base)["against"]}
    row = rows["orbit-7-reader-thread"]
    assert (row["release"], row["day"], row["arms"]) == ("1.2.0", "2030-05-10", "pull")
    first = row["effects"][0]
    verdicts = {each["claim"]: each["findings"] for each in gathered(base).own["orbit-push-vs-pull"]}
    speaking = {
        claim
        for claim, findings in verdicts.items()
        if any((each["change"], each["outcome"]) == ("orbit-7-reader-thread", "recheck") for each in findings)
    }
    assert first["outcome"]["name"] == "recheck"
    assert {claim["text"] for claim in first["claims"]} == speaking != set()


def test_every_change_of_a_verdict_is_in_one_table_only(base: Path) -> None:
    """Speaking, perhaps speaking, silent: none twice, none of those that speak lost."""
    at = gathered(base)
    for record in at.library.evaluations.values():
        said = since(record, at)
        tables = [row["link"]["id"] for name in ("against", "open", "silent", "others") for row in (said or {})[name]]
        assert len(tables) == len(set(tables))
        findings = [each for verdict in at.own[record.id] for each in verdict["findings"]]
        assert {each["change"] for each in findings if each["change"] and each["outcome"]} <= set(tables)


def test_arms_with_the_same_builds_and_changes_share_a_lane(base: Path) -> None:
    """What differs between arms has lanes of its own, what they share has one."""
    chart = found(base)["drawings"][0]
    lanes = {(row[0], row[1]) for row in chart["rows"]}
    assert {("pull", "orbit, orbit-pull"), ("push", "orbit, orbit-push"), ("both arms", "tether")} == lanes


def test_what_speaks_for_some_builds_of_an_open_pin_may_speak(base: Path) -> None:
    """The pin is the fact that is missing: it says for which builds, and is neither silent nor a plain speaker."""
    released = '  - {version: "1.1.5", date: 2030-04-10}\n  - {version: "1.2.0"'
    changed(base, "components/orbit.yaml", lambda text: text.replace('  - {version: "1.2.0"', released))
    checked = 'versions: "<1.1.5", ships: no', 'versions: ">=1.1.5", ships: yes'
    changed(
        base,
        "changes/orbit-7-reader-thread.md",
        lambda text: (
            text.replace('versions: "<1.2.0", ships: no', checked[0])
            .replace('versions: ">=1.2.0", ships: yes', checked[1])
            .replace("checked: [1.2.0]", "checked: [1.1.5, 1.2.0]")
        ),
    )
    changed(
        base, "evaluations/orbit-push-vs-pull.md", lambda text: text.replace("version: 1.1.0}", "version: unknown}")
    )
    said = found(base)
    (row,) = [row for row in said["open"] if row["link"]["id"] == "orbit-7-reader-thread"]
    effect = row["effects"][0]
    assert effect["outcome"]["name"] == "recheck"
    assert effect["pins"]
    assert all(each.startswith("if orbit 1.") for each in effect["pins"])
    assert "orbit-7-reader-thread" not in {row["link"]["id"] for row in said["against"] + said["silent"]}


def test_nothing_came_between_where_the_newest_release_was_measured(base: Path) -> None:
    """The pin moved to the newest release: no change speaks, none is drawn."""
    changed(base, "evaluations/orbit-push-vs-pull.md", lambda text: text.replace("version: 1.1.0}", "version: 1.2.0}"))
    said = found(base)
    assert not [row for row in said["against"] + said["open"] if row["component"]["id"].startswith("orbit")]


@pytest.mark.parametrize(
    ("facts", "first", "after", "gone"),
    [
        ("<=1.1.0 no >=1.2.0 yes", "1.2.0", "1.1.0", False),  # 1.1.5 lies between, and nobody looked into it
        ("<1.2.0 no >=1.2.0 yes", "1.2.0", None, False),
        ("<1.1.5 no >=1.1.5 yes", "1.1.5", None, False),
        ("<=1.1.5 yes >=1.2.0 no", "1.2.0", None, True),  # lost
        ("<=1.1.0 yes >=1.2.0 no", "1.2.0", "1.1.0", True),
        ("<=1.1.0 yes", None, None, False),  # there already; nobody knows whether it still is
    ],
)
def test_where_a_change_stands(base: Path, facts: str, first: str | None, after: str | None, gone: bool) -> None:
    """At the first release that has what the newest has, with the last that is known not to where one was not read."""
    shipping(base, facts)
    at = gathered(base)
    came = between(at.library.evaluations["orbit-push-vs-pull"], at).changes
    (passed,) = [each for each in came if each.change.id == "orbit-7-reader-thread"]
    found_first = passed.release.version if passed.release else None
    assert (found_first, passed.after.version if passed.after else None, passed.gone) == (first, after, gone)


def shipping(base: Path, facts: str) -> None:
    """The reader thread ships as given, with a release 1.1.5 before the newest."""
    words = facts.split()
    ships = "".join(
        f'  - {{distribution: orbit, artifact: sdist, versions: "{versions}", ships: {answer}, checked: []}}\n'
        for versions, answer in zip(words[::2], words[1::2], strict=True)
    )
    changed(base, "changes/orbit-7-reader-thread.md", lambda text: re.sub(r"(?s)ships:.*?guards:", "guards:", text))
    changed(base, "changes/orbit-7-reader-thread.md", lambda text: text.replace("guards:", f"ships:\n{ships}guards:"))
    released = '  - {version: "1.1.5", date: 2030-04-10}\n  - {version: "1.2.0"'
    changed(base, "components/orbit.yaml", lambda text: text.replace('  - {version: "1.2.0"', released))


@pytest.mark.parametrize(
    ("facts", "words"),
    [("<=1.1.5 yes >=1.2.0 no", "gone since orbit-pull 1.2.0"), ("<1.2.0 no >=1.2.0 yes", "orbit-pull 1.2.0")],
)
def test_what_is_gone_is_not_told_like_what_came(base: Path, tmp_path: Path, facts: str, words: str) -> None:
    """In its row, at the top of the page, and in the review queue."""
    shipping(base, facts)
    built(base, tmp_path / "out")
    page, queue = (
        " ".join(Elements((tmp_path / "out" / path).read_bytes()).text.split())
        for path in ("evaluations/orbit-push-vs-pull/index.html", "reviews.html")
    )
    assert f"{words.replace('orbit-pull ', '')} 2030-05-10" in page
    assert words in page
    assert f"{words}, 2030-05-10" in queue
    assert ("gone" in words) == ("gone since" in page) == ("gone since" in queue)


def test_a_release_that_was_not_looked_into_gives_no_day(base: Path) -> None:
    """Facts without a release that carries the change: it is listed, and has neither release nor day."""
    changed(base, "changes/orbit-7-reader-thread.md", lambda text: text.replace("ships: yes", "ships: not-established"))
    said = found(base)
    rows = {row["link"]["id"]: row for name in ("against", "open", "silent", "others") for row in said[name]}
    assert rows["orbit-7-reader-thread"]["release"] is None
    assert rows["orbit-7-reader-thread"]["between"]


def test_every_way_to_know_a_pin_has_its_words() -> None:
    """A commit that a record places and a release that nobody recorded, too."""
    assert set(PINNED) == set(Known)
