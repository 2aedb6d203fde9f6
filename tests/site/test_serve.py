"""The site on this machine: pages that reload, for this machine alone, built again when a record changes."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from kb.config import read
from kb.errors import RecordError
from kb.site import serve
from tests.site.building import changed, copied

PAGE = b"<html><head><meta content=\"default-src 'none'; script-src 'self'\"></head><body>x</body></html>"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """A server of one page and one file."""
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


def test_pages_reload_and_files_stay(port: int) -> None:
    """A page gets the script and may ask this server; a file is as it is on disk."""
    status, page = asked(port, "/a/")
    assert status == 200
    assert b"connect-src 'self'" in page
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
