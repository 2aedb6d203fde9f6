"""KB175 builds-out-of-order."""

from __future__ import annotations

import sys

from . import cases, fires, quiet, rows
from .test_ambiguous_build import DIGEST, builds


@cases(
    (
        builds("commit: abcdef1234, version: 0.18.0, order: 900", "commit: beef567890, version: 0.19.0, order: 700"),
        "abcdef1234 is number 900",
    ),
    (
        builds(
            "commit: abcdef1234, version: 0.19.0, order: 700",
            "commit: beef567890, after: 0.18.0, before: 0.19.0, order: 900",
        ),
        "beef567890 is number 900 and lies before abcdef1234, number 700",
    ),
    (
        builds("commit: abcdef1234, version: 0.18.0, order: 700", "commit: beef567890, version: 0.19.0, order: 700"),
        "both number 700",
    ),
    (
        builds(
            "commit: abcdef1234, after: 0.18.0, before: 0.19.0, order: 700",
            "commit: beef567890, version: 0.18.0, order: 800",
        ),
        "lies before",
    ),
)
def test_fires(fragment: str, says: str) -> None:
    """A greater number on an earlier place; one number twice."""
    fires("builds-out-of-order", fragment, says)


@rows(
    builds("commit: abcdef1234, version: 0.18.0, order: 700", "commit: beef567890, version: 0.19.0, order: 900"),
    builds("commit: beef567890, version: 0.19.0, order: 900", "commit: abcdef1234, version: 0.18.0, order: 700"),
    builds(
        "commit: abcdef1234, after: 0.18.0, before: 0.19.0, order: 900",
        "commit: beef567890, after: 0.18.0, before: 0.19.0, order: 700",
    ),
    builds("commit: abcdef1234, version: 0.18.0, order: 900", "commit: beef567890, version: 0.18.0, order: 700"),
    builds(
        "commit: abcdef1234, version: 0.18.0, order: 700",
        "commit: beef567890, after: 0.18.0, before: 0.19.0, order: 800",
    ),
    builds("commit: abcdef1234, version: 0.19.0", "commit: beef567890, version: 0.18.0, order: 900"),
    builds(f"image: '{DIGEST}', version: 0.19.0", "commit: beef567890, version: 0.18.0, order: 900"),
)
def test_is_quiet(fragment: str) -> None:
    """Numbers that rise with the places, in any order of the list; commits without one, and images."""
    quiet("builds-out-of-order", fragment)


def test_many_builds_cost_little() -> None:
    """Both checks of builds look at each once: eight times as many take nowhere near sixty-four times as many calls."""

    def calls(count: int) -> int:
        fragment = builds(*(f"commit: {n:07x}abc, version: 0.18.0, order: {n + 1}" for n in range(count)))
        made = 0

        def tally(_frame: object, event: str, _argument: object) -> None:
            nonlocal made
            made += event in {"call", "c_call"}

        before = sys.getprofile()
        sys.setprofile(tally)
        try:
            quiet("ambiguous-build", fragment)
            quiet("builds-out-of-order", fragment)
        finally:
            sys.setprofile(before)
        return made

    calls(10)
    assert calls(1600) < 12 * calls(200)
