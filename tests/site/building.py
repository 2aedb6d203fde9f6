"""Building the site of the made-up base, as it is or with something put into its records."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

from kb.config import read
from kb.site.build import Built, build
from kb.workspace import Workspace
from tests.cli.running import FIXTURE


def copied(folder: Path) -> Path:
    """A copy of the made-up base."""
    shutil.copytree(FIXTURE, folder, ignore=shutil.ignore_patterns(".kb", "site"))
    return folder


def built(base: Path, out: Path, kept: Path | None = None) -> Built:
    """Build it."""
    return build(Workspace(read(base)), out, kept)


def files(out: Path) -> dict[str, bytes]:
    """Every file of a site."""
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def changed(base: Path, place: str, change: Callable[[str], str]) -> None:
    """Rewrite one record."""
    path = base / "entries" / place
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")


class Elements(HTMLParser):
    """Elements of a page with their attributes, and its text."""

    def __init__(self, content: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(content.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data

    def named(self, tag: str) -> list[dict[str, str]]:
        """Attributes of every element of that name."""
        return [attributes for name, attributes in self.found if name == tag]
