"""KB118 large-front-matter."""

from kb.checks.large_front_matter import LARGE

from . import fires, quiet

POINT = "  - {metric: ttft, arm: push, value: 1, unit: s}\n"


def test_fires_above_the_limit() -> None:
    """A sweep that no one reads is named with its size."""
    fires("large-front-matter", "points:\n" + POINT * (LARGE // len(POINT) + 2), "front matter is 64 KiB")


def test_is_quiet_below_and_for_long_bodies_and_lists() -> None:
    """Prose may be long; components are lists by nature."""
    quiet("large-front-matter", "points:\n" + POINT * (LARGE // len(POINT) - 10))
    quiet("large-front-matter", "date: 2026-10-19\n---\n" + "word " * LARGE)
    release = "  - {version: 1.0, date: 2026-10-19}\n"
    quiet("large-front-matter", "# entries/components/it.yaml\nkind: engine\nreleases:\n" + release * 2000)
