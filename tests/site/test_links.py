"""The link checker: what is inside must be there, what is outside is only listed."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from kb.site.census import taken
from kb.site.links import Found, broken, read
from tests.site.building import built, files
from tests.site.hostile import hostile

PAGES = {
    "index.html": read(b'<h2 id="top">x</h2><a href="a/index.html#here">a</a>'),
    "a/index.html": read(b'<p id="here">x</p><p id="\xe5\x88\x9d">x</p>'),
}
FILES = ("static/site.css", "a/record.json")


@pytest.mark.parametrize(
    "href",
    [
        "#top",
        "a/index.html",
        "a/index.html#here",
        "a/index.html#%E5%88%9D",
        "./a/../index.html",
        "static/site.css",
        "a/record.json",
        "https://example.org/x",
        "mailto:a@example.org",
        "index.html?q=1",
    ],
)
def test_whole(href: str) -> None:
    """What is there, and what is outside."""
    page = read(f'<h2 id="top">x</h2><a href="{href}">x</a>'.encode())
    assert list(broken({**PAGES, "index.html": page}, FILES)) == []


@pytest.mark.parametrize(
    ("href", "why"),
    [
        ("#nowhere", "no such place on the page"),
        ("a/index.html#nowhere", "no such place on the page"),
        ("b/index.html", "no such file"),
        ("a/", "no such file"),
        ("../outside.html", "no such file"),
        ("/index.html", "an address from the server's root: the site may lie below a folder"),
        ("javascript:alert(1)", "no address that a page of this site may have"),
        ("//example.org/x", "no address that a page of this site may have"),
        ("ftp://example.org/x", "no address that a page of this site may have"),
    ],
)
def test_broken(href: str, why: str) -> None:
    """What leads nowhere, with the reason."""
    page = read(f'<a href="{href}">x</a>'.encode())
    assert list(broken({**PAGES, "index.html": page}, FILES)) == [("index.html", href, why)]


@pytest.mark.parametrize(
    "tag", ['<img src="no.png">', '<script src="no.js"></script>', '<link href="no.css">', '<form action="no">']
)
def test_everything_that_points_is_checked(tag: str) -> None:
    """Images, scripts, sheets and forms as well as links."""
    assert [each.why for each in broken({"index.html": read(tag.encode())}, ())] == ["no such file"]


def test_a_redirect_is_checked() -> None:
    """Where a page sends its reader by itself."""
    page = read(b'<meta http-equiv="refresh" content="0; url=gone.html">')
    assert [each.href for each in broken({"index.html": page}, ())] == ["gone.html"]


def test_external_are_listed_once() -> None:
    """Addresses outside, each once, in order; mail is none."""
    addresses = ("https://b.org", "https://a.org", "https://b.org", "mailto:x")
    page = read("".join(f'<a href="{each}">x</a>' for each in addresses).encode())
    assert list(taken({"index.html": page}, ()).external) == ["https://a.org", "https://b.org"]


class _Reader(HTMLParser):
    """The same read by the reader of HTML that takes anything."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.names: dict[str, None] = {}
        self.targets: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is not None and (name == "id" or (name == "name" and tag == "a")):
                self.names[value] = None
            elif value is not None and name in {"href", "src", "action", "poster", "data"}:
                self.targets[value] = None
            elif tag == "meta" and name == "content" and "; url=" in (value or ""):
                self.targets[(value or "").partition("=")[2]] = None


def test_pages_are_read_as_a_reader_of_html_reads_them(tmp_path: Path) -> None:
    """Every page of the made-up base with hostile text in every field: the same names and targets, in order."""
    built(hostile(tmp_path / "base"), tmp_path / "out")
    pages = [content for path, content in files(tmp_path / "out").items() if path.endswith(".html")]
    for content in pages:
        reader = _Reader()
        reader.feed(content.decode())
        assert read(content) == Found(tuple(reader.names), tuple(reader.targets))
    assert len(pages) > 50
