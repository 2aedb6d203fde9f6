"""What somebody writes into a record is text on the page, whatever it is."""

from __future__ import annotations

import re
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from kb.site.body import html
from tests.site.building import Elements, built, files
from tests.site.hostile import BODY, PAYLOAD, SCRIPT, hostile

OURS = {"static/theme.js", "static/compare-rules.js", "static/compare.js"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("hostile")
    done = built(hostile(folder / "base"), folder / "out")
    assert done.unread == ()
    return files(folder / "out")


def test_the_payload_is_there(site: dict[str, bytes]) -> None:
    """As text: in titles, claims, limits, setups, signals, decisions and words."""
    for path in (
        "evaluations/orbit-push-vs-pull/index.html",
        "changes/orbit-7-reader-thread/index.html",
        "vocabulary.html",
    ):
        page = Elements(site[path])
        assert page.text.count("window.pwned=1") > 5, path
        assert "{{ 7*7 }}" in page.text, path


def test_nothing_of_it_is_an_element(site: dict[str, bytes]) -> None:
    """No script of its own, no handler, no style, no frame; the page's frame is whole; nothing turns the text."""
    for path, content in site.items():
        if not path.endswith(".html"):
            continue
        page = Elements(content)
        for tag, attributes in page.found:
            assert tag not in {"iframe", "object", "embed", "base", "style", "math"}, (path, tag)
            assert not any(name.startswith("on") or name == "style" for name in attributes), (path, tag, attributes)
        assert all(re.fullmatch(r"(\.\./)*static/[\w.-]+\.js", each.get("src", "")) for each in page.named("script")), (
            path
        )
        for tag in ("html", "head", "body", "main"):
            assert len(page.named(tag)) == 1, (path, tag)
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", content.decode()), path


def test_no_address_of_it_is_followed_or_loaded(site: dict[str, bytes]) -> None:
    """Links have schemes that lead to pages; nothing is loaded from another host, or sent to one."""
    for path, content in site.items():
        if path.endswith(".html"):
            page = Elements(content)
            for each in page.named("a"):
                assert urlsplit(each.get("href", "")).scheme in {"", "http", "https", "mailto"}, (path, each)
            loaded = [each.get("src", "") for each in (*page.named("img"), *page.named("script"))]
            loaded += [each.get("href", "") for each in page.named("link") if each.get("rel") in {"stylesheet", "icon"}]
            loaded += [each.get("action", "") for each in page.named("form")]
            assert not [each for each in loaded if urlsplit(each).scheme or urlsplit(each).netloc], path


def test_ids_of_a_text_are_not_those_of_the_page(site: dict[str, bytes]) -> None:
    """A text cannot take the place of a part of the page, or dress up as a verdict."""
    page = Elements(site["evaluations/orbit-push-vs-pull/index.html"])
    ids = [attributes["id"] for _, attributes in page.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    body = Elements(html(BODY).encode())
    assert not [each for _, each in body.found if "outcome" in each.get("class", "") or each.get("id") == "main"]


def test_data_stays_data(site: dict[str, bytes]) -> None:
    """The feed is well-formed; a script that carries data ends no script; a cell starts no formula."""
    ElementTree.fromstring(site["feed.xml"])
    for path, content in site.items():
        if path.endswith(("compare.js", "compare-data.js")):
            assert b"</script" not in content.lower(), path
    rows = site["evaluations/orbit-push-vs-pull/points.csv"].decode().splitlines()
    assert not [row for row in rows if re.search(r"(^|,)\"?[=@]", row)]


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        (SCRIPT, "<script"),
        ("<img src=x onerror=alert(1)>", "onerror"),
        ("[x](javascript:alert(1))", "javascript:"),
        ("[x](JaVaScRiPt:alert(1))", "alert"),
        ("[x](&#106;avascript:alert(1))", "avascript"),
        ("[x](data:text/html,hi)", "data:"),
        ("[x](//evil.example/)", "evil"),
        ("![x](https://evil.example/x.png)", "evil"),
        ("<svg><script>1</script></svg>", "<s"),
        ("<p style='color:red'>x</p>", "style"),
        ("<p class='outcome-holds'>x</p>", "outcome"),
        ("<p id='main'>x</p>", "main"),
        ("<form action='/x'><input></form>", "<form"),
        ("a\u202eb", "\u202e"),
        (PAYLOAD, "<script"),
    ],
)
def test_taken_out(text: str, gone: str) -> None:
    """What a text may not hold is not in its HTML."""
    assert gone not in html(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("| a | b |\n|---|---|\n| 1 | 2 |", "<td>1</td>"),
        ("a[^1]\n\n[^1]: note", 'class="footnote-ref"'),
        ("```python\nx < 1\n```", "x &lt; 1"),
        ("!!! note\n    watch this", 'class="admonition"'),
        ("# Head", "<h3"),
        ("$a < b$", "$a &lt; b$"),
        ("[x](https://example.org/)", 'rel="noopener noreferrer"'),
        ("[x](#text-head)", 'href="#text-head"'),
        ("プッシュ型の転送", "プッシュ型の転送"),
        ("**bold** `code`", "<strong>bold</strong> <code>code</code>"),
    ],
)
def test_kept(text: str, kept: str) -> None:
    """What a text may hold is there."""
    assert kept in html(text)
