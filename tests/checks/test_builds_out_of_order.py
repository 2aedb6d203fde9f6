"""KB175 builds-out-of-order."""

from __future__ import annotations

import time

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
    """Both checks of builds look at each once: eight times as many take nowhere near sixty-four times as long."""

    def seconds(count: int) -> float:
        fragment = builds(*(f"commit: {n:07x}abc, version: 0.18.0, order: {n + 1}" for n in range(count)))
        began = time.process_time()
        quiet("ambiguous-build", fragment)
        quiet("builds-out-of-order", fragment)
        return time.process_time() - began

    seconds(50)
    assert seconds(4000) < 24 * max(seconds(500), 0.01)
