"""A real browser for the tests of the site: Debian's chromium, driven by playwright without a browser of its own."""

from __future__ import annotations

from collections.abc import Iterator
from shutil import which
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")


def program() -> str | None:
    """Where the browser is."""
    return next((path for name in NAMES if (path := which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless chromium."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install -e '.[dev]'")
    found = program()
    if found is None:
        pytest.skip("no chromium: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])  # CI runs as root
        yield started
        started.close()
