"""The site on this machine: pages that reload, for this machine alone, built again when a record changes."""

from __future__ import annotations

import http.client
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from kb.config import read
from kb.errors import RecordError
from kb.site import serve
from kb.site.page import Page as Made
from kb.site.render import POLICY, Renderer
from tests.site.building import Elements, changed, copied

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SHARED = {"site": {"title": "x", "url": "", "day": "", "nav": (), "styles": [], "scripts": []}}
PAGE = Renderer(SHARED).render(Made("a/index.html", "missing", "x"))


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """A server of one page, as the site writes it, and one file."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").write_bytes(PAGE)
    (tmp_path / "a.json").write_bytes(b"{}")
    server = ThreadingHTTPServer(
        (serve.HOST, 0), partial(serve.Handler, directory=str(tmp_path), served=serve.Served())
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def asked(port: int, path: str, host: str | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(serve.HOST, port)
    connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{port}"})
    answer = connection.getresponse()
    return answer.status, answer.read()


def policy(page: bytes) -> str:
    """What a browser is told to allow."""
    (found,) = [each["content"] for each in Elements(page).named("meta") if "http-equiv" in each]
    return found


def test_pages_reload_and_files_stay(port: int) -> None:
    """A page gets the script and may ask this server, which the same page on disk may not; a file is as it is there."""
    status, page = asked(port, "/a/")
    assert status == 200
    assert (policy(PAGE), policy(page)) == (POLICY, f"{POLICY}; connect-src 'self'")
    assert serve.SCRIPT.encode() in page
    assert asked(port, "/a.json") == (200, b"{}")
    assert asked(port, serve.NUMBER) == (200, b"0")
    assert asked(port, serve.SCRIPT)[0] == 200
    assert asked(port, "/none.html")[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "192.168.0.1:8000", ""])
def test_only_this_machine_is_answered(port: int, host: str) -> None:
    """A name of somebody else that points here gets nothing."""
    assert asked(port, "/a/", host or " ")[0] == 403


@pytest.mark.parametrize("path", ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd"])
def test_nothing_outside_of_the_site(port: int, path: str) -> None:
    """Paths do not lead out of the folder."""
    assert asked(port, path)[0] == 404


def test_a_changed_record_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once at the start, once for what changed meanwhile; a record that cannot be read is said, and it goes on."""
    base = copied(tmp_path / "base")
    monkeypatch.setattr(serve, "EVERY", 0.05)
    said: list[str] = []
    built: list[int] = []

    def build() -> object:
        built.append(len(built))
        if len(built) == 1:
            changed(base, "changes/orbit-5-log-lines.md", lambda text: f"{text}\nmore\n")
        if len(built) == 2:
            raise RecordError("KB101", "x.md", 1, "not a record")
        return SimpleNamespace(pages=1, rendered=1, seconds=0.0, broken=())

    serve.serve(build, read(base), tmp_path, 0, said.append, rounds=5)
    assert len(built) == 2
    assert any("http://127.0.0.1:" in line for line in said)
    assert any("not a record" in line for line in said)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return copied(tmp_path / "base")


@pytest.fixture
def address(base: Path) -> Iterator[str]:
    """Where `kb site serve` shows the base, in a process of its own."""
    words = [sys.executable, "-m", "kb", "site", "serve", "--port", "0", "--out", str(base.parent / "out")]
    with subprocess.Popen(words, cwd=base, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        said = iter(process.stdout)
        yield next(found[0] for line in said if (found := re.search(r"http://127.0.0.1:\d+", line)))
        process.terminate()


def test_a_browser_shows_a_changed_record_by_itself(address: str, base: Path, browser: Browser) -> None:
    """The page that is open loads again once the site is built anew, and the browser has nothing to complain of."""
    complaints: list[str] = []
    tab = browser.new_page()
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    with tab.expect_response(f"{address}{serve.NUMBER}"):
        tab.goto(f"{address}/evaluations/orbit-one-arm/index.html")
    title = "title: Renamed while it was looked at"
    changed(base, "evaluations/orbit-one-arm.md", lambda text: re.sub("title: .*", title, text, count=1))
    tab.get_by_role("heading", name="Renamed while it was looked at").wait_for()
    tab.close()
    assert complaints == []
