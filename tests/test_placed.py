"""kb.placed: where a commit or an image lies, and what of two builds can be chosen together."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from kb.builds import Builds, Known
from kb.component import Build
from kb.lines import Line
from kb.placed import Mark, mark
from kb.present.component import component
from kb.present.text import Page, Style
from tests.audit.table import SHIPPED, base

SHIPPED_BASE = base(SHIPPED)

FULL = "sha256:" + "0123456789abcdef" * 4
KNOWN = (
    Build(commit="abcdef1234", after="1.1.0", before="1.2.0", order=500),
    Build(commit="abcdef1999", version="1.0.0"),
    Build(commit="1234567890123456789012345678901234567890", version="1.2.0"),
    Build(image=FULL, version="1.3.0"),
)


@pytest.mark.parametrize(
    ("pin", "place"),
    [
        ({"commit": "abcdef1234"}, 0),
        ({"commit": "abcdef12"}, 0),
        ({"commit": "abcdef1234567890"}, 0),
        ({"commit": "abcdef19"}, 1),
        ({"commit": "1234567"}, 2),
        ({"commit": "abcdef1"}, None),
        ({"commit": "7654321"}, None),
        ({"commit": "unknown"}, None),
        ({"image": f"registry.example/ember:1.3, {FULL}"}, 3),
        ({"image": f"registry.example/ember@{FULL[:30]}"}, 3),
        ({"image": "registry.example/ember:1.3.0"}, None),
        ({"image": FULL[:-1] + "0"}, None),
        ({"commit": "unknown", "image": FULL}, 3),
        ({"version": "1.0.0"}, None),
        ({}, None),
    ],
)
def test_where_a_pin_lies(pin: dict[str, str], place: int | None) -> None:
    """By as many digits as are stated, where they name one; tags name none."""
    assert mark(pin, KNOWN)[1] == (KNOWN[place] if place is not None else None)


def test_a_mark_is_known_as_far_as_either_side_says() -> None:
    """The longer of the two names, with the order that the record gives."""
    assert mark({"commit": "abcdef12"}, KNOWN)[0] == Mark("abcdef1234", 500)
    assert mark({"commit": "abcdef123456"}, KNOWN)[0] == Mark("abcdef123456", 500)
    assert mark({"commit": "7654321"}, KNOWN)[0] == Mark("7654321")
    assert Mark("abcdef1").same(Mark("abcdef1234"))
    assert not Mark("abcdef1").same(Mark("abcdee1"))


def line(was: Mark | None, now: Mark | None) -> set[tuple[str | None, str | None]]:
    both = ("1.1.0", "1.2.0")
    ran, runs = (Builds(both, Known.PLACED, "a commit", mark=each) for each in (was, now))
    return {(choice.was, choice.now) for choice in Line("ember", None, (), ran, runs).choices}


@pytest.mark.parametrize(
    ("was", "now", "lacking"),
    [
        (Mark("aaaaaaa", 500), Mark("bbbbbbb", 700), {("1.2.0", "1.1.0")}),
        (Mark("bbbbbbb", 700), Mark("aaaaaaa", 500), {("1.1.0", "1.2.0")}),
        (Mark("aaaaaaa"), Mark("aaaaaaa99"), {("1.1.0", "1.2.0"), ("1.2.0", "1.1.0")}),
        (Mark("aaaaaaa", 500), Mark("bbbbbbb"), set()),
        (Mark("aaaaaaa", 500), Mark("bbbbbbb", 500), set()),
        (Mark("aaaaaaa", 500), None, set()),
        (None, None, set()),
    ],
)
def test_commits_of_a_known_order(was: Mark | None, now: Mark | None, lacking: set[tuple[str, str]]) -> None:
    """One commit is one build; the later of two is of no earlier release; without an order nothing is left out."""
    every = {(a, b) for a in ("1.1.0", "1.2.0") for b in ("1.1.0", "1.2.0")}
    assert line(was, now) == every - lacking


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"version": "1.0.0"}, "one of the two"),
        ({"commit": "abcdef1", "image": FULL, "version": "1.0.0"}, "one of the two"),
        ({"commit": "abcdef1"}, "after one release and before another"),
        ({"commit": "abcdef1", "after": "1.0.0"}, "after one release and before another"),
        ({"commit": "abcdef1", "after": "1.0.0", "before": "1.0.0"}, "before 1.0.0 is not after 1.0.0"),
        ({"commit": "abcdef1", "after": "unknown", "before": "1.0.0"}, "is not after"),
        ({"commit": "abcdef1", "version": "1.0.0", "after": "1.0.0"}, "does not lie between"),
        ({"commit": "abcdef1", "version": "unknown"}, "left out"),
        ({"image": FULL, "version": "1.0.0", "order": 3}, "an image has none"),
        ({"image": "ember:latest", "version": "1.0.0"}, "image"),
        ({"commit": "abc", "version": "1.0.0"}, "commit"),
    ],
)
def test_what_says_nothing_is_refused(fields: dict[str, Any], says: str) -> None:
    """A build has one name and one place."""
    with pytest.raises(ValidationError, match=says):
        Build(**fields)


def test_a_component_shows_its_builds() -> None:
    """With where each lies and how that is known."""
    build = Build(commit="abcdef1234", after="1.1.0", before="1.2.0", read_in="git tags")
    record = SHIPPED_BASE.components["nixl"].model_copy(update={"builds": (build,)})
    text = "\n".join(component(record, SHIPPED_BASE, Page(80, Style(False))))
    assert "abcdef1234  between 1.1.0 and 1.2.0  git tags" in text
    none = record.model_copy(update={"builds": ()})  # the shipped record has some since its tags were read
    assert "Commits and images" not in "\n".join(component(none, SHIPPED_BASE, Page(80, Style(False))))
