"""Files beside an evaluation: copied as data, linked, and never a page."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kb.config import read
from kb.library import open_library
from kb.site.attached import LARGEST, MOST, Attached, attached
from tests.site.building import Elements, built, changed, copied, files

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ID = "orbit-push-vs-pull"
FOLDER = f"evaluations/{ID}"
ACTIVE = (
    '<!doctype html><svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"><script>window.pwned=1</script>'
)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return copied(tmp_path / "base")


def put(base: Path, name: str, content: bytes = b"{}") -> Path:
    place = base / "entries" / FOLDER / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return place


def found(base: Path) -> dict[str, Attached]:
    config = read(base)
    return {each.name: each for each in attached(config, open_library(config)).get(ID, ())}


@pytest.mark.parametrize(
    ("name", "content", "target"),
    [
        ("raw/push/run1.json", b"{}", "files/raw-push-run1.json"),
        ("raw/run.CSV", b"a,b", "files/raw-run.csv"),
        ("raw/runs.jsonl", b"{}\n{}", "files/raw-runs-jsonl.txt"),
        ("raw/server.log", b"up", "files/raw-server-log.txt"),
        ("raw/profile.gz", b"\x1f\x8b\x08\0\xff", "files/raw-profile.gz"),
        ("raw/trace.dat", b"\0\xff\xfe", "files/raw-trace-dat.bin"),
        ("raw/page.html", ACTIVE.encode(), "files/raw-page-html.txt"),
        ("raw/drawing.svg", ACTIVE.encode(), "files/raw-drawing-svg.txt"),
        ("raw/run.php.json", b"{}", "files/raw-run-php.json"),
        ("raw/no-ending", ACTIVE.encode(), "files/raw-no-ending.txt"),
        ("raw/script.xhtml.gz", b"\x1f\x8b", "files/raw-script-xhtml.gz"),
        ('raw/"><script>alert(1)<', b"x", "files/raw-script-alert-1.txt"),
        ("raw/a\nb\u202e.json", b"{}", "files/raw-a-b.json"),
        ("raw/日本.json", b"{}", "files/raw.json"),
        ("index.html", ACTIVE.encode(), "files/index-html.txt"),
    ],
)
def test_what_a_file_is_called_on_the_site(base: Path, name: str, content: bytes, target: str) -> None:
    """One ending, and that one data; no sign that means anything in an address or on a disk."""
    put(base, name, content)
    assert [each.target for each in found(base).values()] == [target]


def test_two_files_never_share_a_name(base: Path) -> None:
    """Also where a disk takes capital letters for small ones."""
    for name in ("raw/a/b.json", "raw/a-b.json", "raw/A-B.json"):
        put(base, name)
    targets = [str(each.target).casefold() for each in found(base).values()]
    assert len(set(targets)) == len(targets) == 3


def test_what_is_no_regular_file_of_the_folder_stays_where_it_is(base: Path, tmp_path: Path) -> None:
    """Links, also to folders, pipes, hidden files, folders that belong to no record."""
    put(base, "raw/run.json")
    (tmp_path / "secret.json").write_text("secret")
    folder = base / "entries" / FOLDER
    (folder / "raw" / "link.json").symlink_to(tmp_path / "secret.json")
    (folder / "linked").symlink_to(tmp_path)
    os.mkfifo(folder / "raw" / "pipe.json")
    put(base, "raw/.env", b"KEY=1")
    put(base, ".git/config", b"x")
    put(base, "../no-such-record/raw/run.json")
    assert list(found(base)) == ["raw/run.json"]
    built(base, tmp_path / "out")
    assert not [path for path, content in files(tmp_path / "out").items() if content == b"secret"]
    assert not [path for path in files(tmp_path / "out") if "no-such-record" in path]


def test_a_folder_that_is_a_link_is_left_out(base: Path, tmp_path: Path) -> None:
    """A whole folder from elsewhere is nobody's raw data."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "run.json").write_text("{}")
    (base / "entries" / FOLDER).symlink_to(tmp_path / "elsewhere")
    assert not found(base)


def test_a_file_that_is_too_large_is_named_only(base: Path, tmp_path: Path) -> None:
    """With its size, and without a link."""
    with put(base, "raw/all.json").open("wb") as file:
        file.truncate(LARGEST + 1)
    assert found(base)["raw/all.json"].target is None
    built(base, tmp_path / "out")
    site = files(tmp_path / "out")
    page = Elements(site[f"{FOLDER}/index.html"])
    assert "all.json 8.0 MiB" in " ".join(page.text.split())
    assert not [each for each in page.named("a") if "files/" in each.get("href", "")]
    assert not [path for path in site if path.startswith(f"{FOLDER}/files/")]


def test_copies_are_linked_from_the_page_and_from_its_text(base: Path, tmp_path: Path) -> None:
    """As downloads under raw data; a link of the text to the file leads to its copy, in translations too."""
    put(base, "raw/push/run 1.json", b'{"ttft": 300}')
    text = f"\nThe raw file is [here](<{ID}/raw/push/run 1.json>), or [so]({ID}/raw/push/run%201.json).\n"
    for name in (f"{ID}.md", f"{ID}.ja.md"):
        changed(base, f"evaluations/{name}", lambda was: was + text)
    done = built(base, tmp_path / "out")
    assert done.broken == ()
    site = files(tmp_path / "out")
    assert site[f"{FOLDER}/files/raw-push-run-1.json"] == b'{"ttft": 300}'
    for page, root in ((f"{FOLDER}/index.html", "../../"), (f"{FOLDER}/ja/index.html", "../../../")):
        links = [each for each in Elements(site[page]).named("a") if "files/" in each.get("href", "")]
        assert {each["href"] for each in links} == {f"{root}{FOLDER}/files/raw-push-run-1.json"}
        assert "download" in links[-1]


def test_without_files_nothing_is_said(base: Path, tmp_path: Path) -> None:
    """No heading over nothing."""
    built(base, tmp_path / "out")
    assert "Raw files" not in Elements(files(tmp_path / "out")[f"{FOLDER}/index.html"]).text


@pytest.fixture
def served(base: Path, tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A site with a hostile file beside a record, on disk and from a plain web server."""
    put(base, "raw/page.html", ACTIVE.encode())
    put(base, "raw/drawing.svg", ACTIVE.encode())
    built(base, tmp_path / "out")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path / "out")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield tmp_path / "out", f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_a_copy_runs_nothing_when_a_browser_opens_it(served: tuple[Path, str], browser: Browser) -> None:
    """From a server and from a folder it is text."""
    out, address = served
    tab = browser.new_page()
    copies = [str(path.relative_to(out)) for path in sorted((out / FOLDER / "files").iterdir())]
    assert len(copies) == 2
    for root in (address, out.as_uri()):
        for path in copies:
            tab.goto(f"{root}/{path}")
            assert tab.evaluate("document.contentType") == "text/plain"
            assert tab.evaluate("window.pwned") is None
    tab.close()


def test_files_beyond_the_most_are_told(base: Path, tmp_path: Path) -> None:
    """They are not copied, and the page says how many they are."""
    for number in range(MOST + 3):
        put(base, f"runs/{number:04}.json")
    assert sum(each.target is None for each in found(base).values()) == 3
    built(base, tmp_path / "out")
    page = files(tmp_path / "out")[f"{FOLDER}/index.html"].decode()
    assert "and 3 more, not copied here" in page
