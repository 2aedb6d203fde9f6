"""The package index, served on this machine."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kb.errors import KbError
from kb.scan import listing, pipconfig
from kb.scan.index import Index
from kb.scan.presence import Kind, Marker, looked_for
from kb.scan.web import Offline
from kb.vocabulary import Artifact


def sdist(name: str, version: str) -> bytes:
    """An sdist with one module."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for path, data in (("PKG-INFO", b"Name: x\n"), (f"{name}/__init__.py", version.encode())):
            info = tarfile.TarInfo(f"{name}-{version}/{path}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return made.getvalue()


def wheel(name: str, version: str) -> bytes:
    """A wheel with one module."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(f"{name}/__init__.py", f"wheel {version}")
    return made.getvalue()


@dataclass
class Server:
    """A package index on this machine."""

    running: ThreadingHTTPServer
    answers: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.running.server_port}"

    def stop(self) -> None:
        """As when the network is away."""
        self.running.shutdown()
        self.running.server_close()

    def offer(self, name: str, files: dict[str, bytes], **more: object) -> None:
        """Serve files and their JSON page."""
        for file, data in files.items():
            self.answers[f"/files/{file}"] = ("application/octet-stream", data)
        links = [
            {
                "filename": file,
                "url": f"../../files/{file}",
                "hashes": {"sha256": hashlib.sha256(data).hexdigest()},
                "size": len(data),
                **more,
            }
            for file, data in files.items()
        ]
        self.answers[f"/simple/{name}/"] = (
            "application/vnd.pypi.simple.v1+json",
            json.dumps({"files": links}).encode(),
        )


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that stops with the test."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append((self.path, self.headers.get("Authorization")))
            kind, body = made.answers.get(self.path, ("", b""))
            if kind == "location":
                self.send_response(302)
                self.send_header("Location", body.decode())
            else:
                self.send_response(200 if kind else 404)
                self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made = Server(running)
    threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
    yield made
    made.stop()


def index(tmp_path: Path, *indexes: str, links: tuple[str, ...] = ()) -> Index:
    """An index with a cache of its own."""
    return Index(tmp_path / "cache", pipconfig.Settings(indexes, links, timeout=5))


def test_sdist_before_wheel(tmp_path: Path, server: Server) -> None:
    """A release is read from its sdist; its wheel on request."""
    server.offer("conn", {"conn-1.0.tar.gz": sdist("conn", "1.0"), "conn-1.0-py3-none-any.whl": wheel("conn", "1.0")})
    asked = index(tmp_path, f"{server.address}/simple")
    assert asked.tree("Conn", "1.0").text("conn/__init__.py") == "1.0"
    assert asked.tree("conn", "1.0", Artifact.WHEEL).text("conn/__init__.py") == "wheel 1.0"


def test_kept(tmp_path: Path, server: Server) -> None:
    """What was fetched once is not asked for again, with or without a network."""
    server.offer("conn", {"conn-1.0.tar.gz": sdist("conn", "1.0"), "conn-1.1.tar.gz": sdist("conn", "1.1")})
    index(tmp_path, f"{server.address}/simple").tree("conn", "1.0")
    server.asked.clear()
    assert index(tmp_path, f"{server.address}/simple").tree("conn", "1.0.0").label == "1.0.0"
    assert not server.asked
    gone = index(tmp_path, "http://127.0.0.1:9/simple")
    assert gone.tree("conn", "1.0").text("conn/__init__.py") == "1.0"
    assert [each.version for each in gone.releases("conn")] == ["1.0", "1.1"]
    assert gone.listing("conn").kept
    server.stop()
    with pytest.raises(Offline, match="could not be reached"):
        gone.tree("conn", "1.1")


def test_offline(tmp_path: Path) -> None:
    """Without network and without a kept list there is one sentence and what to do."""
    with pytest.raises(Offline, match=r"could not be reached at 127\.0\.0\.1:9") as error:
        index(tmp_path, "http://127.0.0.1:9/simple").releases("conn")
    assert "--old and --new" in str(error.value.hint)


def test_unknown(tmp_path: Path, server: Server) -> None:
    """An unknown distribution and an unknown release are told apart."""
    server.offer("conn", {"conn-1.10.tar.gz": sdist("conn", "1.10")})
    asked = index(tmp_path, f"{server.address}/simple")
    with pytest.raises(KbError, match='no distribution "con" on the package index'):
        asked.releases("con")
    with pytest.raises(KbError, match=r"conn has no release 1\.1 ") as error:
        asked.tree("conn", "1.1")
    assert error.value.hint == 'did you mean "1.10"?'
    with pytest.raises(KbError, match=r"conn 1\.10 has no wheel"):
        asked.tree("conn", "1.10", Artifact.WHEEL)


@pytest.mark.parametrize("name", ["../conn", "", "a/b", "--help", "a?b"])
def test_no_name(tmp_path: Path, server: Server, name: str) -> None:
    """What is no name never reaches the index or the disk."""
    with pytest.raises(KbError, match="is no name of a distribution"):
        index(tmp_path, f"{server.address}/simple").tree(name, "1")
    assert not server.asked


def test_releases(tmp_path: Path, server: Server) -> None:
    """Releases come in their order, with the day of their first file; one without any file left is withdrawn."""
    server.offer(
        "conn", {"conn-0.10.0.tar.gz": b"", "conn-0.9.0.tar.gz": b""}, **{"upload-time": "2026-07-25T01:02:03.4Z"}
    )
    kind, page = server.answers["/simple/conn/"]
    links = json.loads(page)["files"]
    links += [
        {**links[0], "filename": "conn-0.10.0-py3-none-any.whl", "upload-time": "2026-07-24T00:00:00Z", "yanked": "bad"}
    ]
    links += [{**links[0], "filename": "conn-0.11.0-py3-none-any.whl", "yanked": "worse"}]
    links += [
        {**links[0], "filename": name}
        for name in ("conn-0.12.0.exe", "other-1.0.tar.gz", "conn-1.0.tar.gz.asc", "conn.tar.gz")
    ]
    server.answers["/simple/conn/"] = (kind, json.dumps({"files": links}).encode())
    found = index(tmp_path, f"{server.address}/simple").releases("conn")
    assert [(each.version, each.date, each.yanked) for each in found] == [
        ("0.9.0", "2026-07-25", False),
        ("0.10.0", "2026-07-24", False),
        ("0.11.0", "2026-07-25", True),
    ]


def test_page_without_json(tmp_path: Path, server: Server) -> None:
    """An index that only has HTML pages is read; it states no days."""
    data = sdist("conn", "1.0")
    digest = hashlib.sha256(data).hexdigest()
    page = (
        f'<a href="/files/conn-1.0.tar.gz#sha256={digest}">x</a><a href="conn-0.9-py3-none-any.whl" data-yanked>y</a>'
    )
    server.answers["/simple/conn/"] = ("text/html", page.encode())
    server.answers["/files/conn-1.0.tar.gz"] = ("application/gzip", data)
    asked = index(tmp_path, f"{server.address}/simple/")
    assert [(each.version, each.date, each.yanked) for each in asked.releases("conn")] == [
        ("0.9", None, True),
        ("1.0", None, False),
    ]
    assert asked.tree("conn", "1.0").text("conn/__init__.py") == "1.0"


def test_hash(tmp_path: Path, server: Server) -> None:
    """A file that is not the listed one is refused and not kept; a kept one that rotted is fetched again."""
    server.offer("conn", {"conn-1.0.tar.gz": sdist("conn", "1.0")})
    right = server.answers["/files/conn-1.0.tar.gz"]
    server.answers["/files/conn-1.0.tar.gz"] = ("application/gzip", b"other")
    with pytest.raises(KbError, match="hash differs"):
        index(tmp_path, f"{server.address}/simple").tree("conn", "1.0")
    assert not list((tmp_path / "cache").rglob("*.gz*"))
    server.answers["/files/conn-1.0.tar.gz"] = right
    kept = index(tmp_path, f"{server.address}/simple").file("conn", "1.0")
    kept.write_bytes(b"rotten")
    assert index(tmp_path, f"{server.address}/simple").tree("conn", "1.0").text("conn/__init__.py") == "1.0"


def test_file_gone(tmp_path: Path, server: Server) -> None:
    """A listed file that the server no longer has says so."""
    server.offer("conn", {"conn-1.0.tar.gz": b""})
    del server.answers["/files/conn-1.0.tar.gz"]
    with pytest.raises(KbError, match="listed by the package index but cannot be fetched"):
        index(tmp_path, f"{server.address}/simple").tree("conn", "1.0")


def test_all_places(tmp_path: Path, server: Server) -> None:
    """Further indexes, folders and pages that pip is told of are all looked in; one that is away does not matter."""
    server.offer("conn", {"conn-1.0.tar.gz": sdist("conn", "1.0")})
    links = tmp_path / "links"
    links.mkdir()
    (links / "conn-1.1-py3-none-any.whl").write_bytes(wheel("conn", "1.1"))
    (links / "other-2.0.tar.gz").write_bytes(b"")
    mirror = tmp_path / "mirror" / "conn"
    mirror.mkdir(parents=True)
    (mirror / "conn-1.2.tar.gz").write_bytes(sdist("conn", "1.2"))
    (mirror / "index.html").write_text('<a href="conn-1.2.tar.gz">conn-1.2.tar.gz</a>')
    asked = index(
        tmp_path,
        "http://127.0.0.1:9/simple",
        f"{server.address}/simple",
        mirror.parent.as_uri(),
        links=(str(links), str(tmp_path / "nothing")),
    )
    assert [each.version for each in asked.releases("conn")] == ["1.0", "1.1", "1.2"]
    assert [asked.tree("conn", each).text("conn/__init__.py") for each in ("1.1", "1.2")] == ["wheel 1.1", "1.2"]


def test_page_pointing_here(tmp_path: Path, server: Server) -> None:
    """A page from the network that points at files of this machine is not followed."""
    server.answers["/simple/conn/"] = ("text/html", b'<a href="file:///etc/conn-1.0.tar.gz">x</a>')
    with pytest.raises(KbError, match="no distribution"):
        index(tmp_path, f"{server.address}/simple").tree("conn", "1.0")
    server.answers["/simple/conn/"] = ("location", b"file:///etc/passwd")
    with pytest.raises(KbError, match="answered 302"):
        index(tmp_path, f"{server.address}/simple").tree("conn", "1.0")


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"files": [1]}', b'{"files": [{}]}'])
def test_no_page(tmp_path: Path, server: Server, body: bytes) -> None:
    """A page that cannot be understood gives one sentence."""
    server.answers["/simple/conn/"] = ("application/json", body)
    with pytest.raises(KbError, match="is no page of a package index"):
        index(tmp_path, f"{server.address}/simple").releases("conn")


def test_password(tmp_path: Path, server: Server) -> None:
    """A password in pip's configuration goes to that index, and not with a redirect to another host."""
    server.offer("conn", {"conn-1.0.tar.gz": sdist("conn", "1.0")})
    port = server.address.rpartition(":")[2]
    moved = server.answers.pop("/files/conn-1.0.tar.gz")
    server.answers["/files/conn-1.0.tar.gz"] = ("location", f"http://localhost:{port}/elsewhere".encode())
    server.answers["/elsewhere"] = moved
    index(tmp_path, f"http://me:s%40cret@127.0.0.1:{port}/simple").tree("conn", "1.0")
    header = "Basic " + base64.b64encode(b"me:s@cret").decode()
    assert server.asked == [("/simple/conn/", header), ("/files/conn-1.0.tar.gz", header), ("/elsewhere", None)]


def test_password_is_not_shown(tmp_path: Path) -> None:
    """An error names the host without user and password."""
    with pytest.raises(Offline) as error:
        index(tmp_path, "http://me:secret@127.0.0.1:9/simple").releases("conn")
    assert "secret" not in str(error.value)


def test_metadata_beside_a_wheel(tmp_path: Path, server: Server) -> None:
    """METADATA that the index offers is read without the wheel; where it offers none there is none."""
    server.offer("conn", {"conn-1.0-py3-none-any.whl": wheel("conn", "1.0")}, **{"core-metadata": True})
    server.answers["/files/conn-1.0-py3-none-any.whl.metadata"] = ("text/plain", b"Requires-Dist: nixl==1.3.2\n")
    asked = index(tmp_path, f"{server.address}/simple")
    assert asked.metadata("conn", asked.listing("conn").choose("1.0")) == "Requires-Dist: nixl==1.3.2\n"
    assert [path for path, _ in server.asked] == ["/simple/conn/", "/files/conn-1.0-py3-none-any.whl.metadata"]


def test_each(tmp_path: Path, server: Server) -> None:
    """Final releases of a range, opened one by one; one without the artifact asked for cannot be opened."""
    files = {f"conn-{version}.tar.gz": sdist("conn", version) for version in ("0.9.0", "0.10.0rc1", "0.10.0", "0.11.0")}
    server.offer("conn", {**files, "conn-0.10.1-py3-none-any.whl": wheel("conn", "0.10.1")})
    asked = index(tmp_path, f"{server.address}/simple")
    found = looked_for(Marker(Kind.STRING, "0.10"), asked.each("conn", ">=0.9,<0.11", Artifact.SDIST))
    assert {version: each.value for version, each in found.items()} == {
        "0.9.0": "no",
        "0.10.0": "yes",
        "0.10.1": "not-established",
    }


def test_which_wheel() -> None:
    """A pure wheel goes before a Linux one, x86-64 before others, a newer Python before an older."""
    names = [
        "nixl_cu12-1.0-cp310-cp310-manylinux_2_28_x86_64.whl",
        "nixl_cu12-1.0-cp312-cp312-manylinux_2_28_x86_64.whl",
        "nixl_cu12-1.0-cp313-cp313-manylinux_2_28_aarch64.whl",
        "nixl_cu12-1.0-cp39-cp39-macosx_11_0_arm64.whl",
    ]
    pure = "nixl_cu12-1.0-py3-none-any.whl"

    def chosen(offered: list[str]) -> str:
        links = [{"filename": name, "url": name} for name in offered]
        return listing.Listing("nixl-cu12", tuple(listing.files(links, "nixl_cu12"))).choose("1.0").name

    assert chosen(names) == names[1]
    assert chosen([*names, pure]) == pure
    assert chosen(names[2:]) == names[2]


def test_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    """What is kept lies under the cache folder of the machine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    server.offer("conn", {"conn-1.0.tar.gz": sdist("conn", "1.0")})
    told: list[str] = []
    asked = Index(settings=pipconfig.Settings((f"{server.address}/simple",)), tell=lambda file: told.append(file.name))
    assert asked.file("conn", "1.0").is_relative_to(tmp_path / "xdg" / "evalkb")
    assert told == ["conn-1.0.tar.gz"]


def test_damaged_cache(tmp_path: Path, server: Server) -> None:
    """A list in the cache that cannot be read is as none."""
    server.offer("conn", {"conn-1.0.tar.gz": sdist("conn", "1.0")})
    for text in ("{", '{"files": [{"old": 1}], "day": ""}'):
        (tmp_path / "cache" / "conn").mkdir(parents=True, exist_ok=True)
        (tmp_path / "cache" / "conn" / "list.json").write_text(text)
        assert index(tmp_path, f"{server.address}/simple").tree("conn", "1.0").paths
