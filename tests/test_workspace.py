"""kb.workspace: an opened base and its derived file."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from kb.config import Config
from kb.config import read as read_config
from kb.errors import NotFound, RecordError
from kb.record import make_base
from kb.search import search
from kb.sync import current, seen
from kb.workspace import DERIVED, Workspace
from tests.cli.running import FIXTURE, kb


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "base"
    shutil.copytree(FIXTURE, folder, ignore=shutil.ignore_patterns(".kb"))
    return folder


def opened(base: Path, said: list[str] | None = None) -> Workspace:
    return Workspace(read_config(base), None if said is None else said.append)


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("orbit-push-vs-pull", "orbit-push-vs-pull"),
        ("courier comparison", "orbit-push-vs-pull"),
        ("CourierConnector", "orbit-pull"),
        ("orbit pull", "orbit-pull"),
        ("Orbit", "orbit"),
        ("#7", "orbit-7-reader-thread"),
    ],
)
def test_find(base: Path, name: str, id_: str) -> None:
    """An entry is found by its id, an alias, a class name or its number, in any spelling."""
    assert opened(base).find(name).id == id_


def test_find_nothing(base: Path) -> None:
    """An unknown name gets the nearest one."""
    with pytest.raises(NotFound) as error:
        opened(base).find("orbit-pusch")
    assert error.value.hint == 'did you mean "orbit-push"?'


def test_changed_record_is_seen(base: Path) -> None:
    """A changed, new or removed file is in the next answer without a separate step."""
    assert search(opened(base).store, "zebra").total == 0
    path = base / "entries/changes/orbit-9-writer-batches.md"
    path.write_text(path.read_text(encoding="utf-8").replace("sixteen", "zebra"), encoding="utf-8")
    assert search(opened(base).store, "zebra").total == 1
    path.unlink()
    assert search(opened(base).store, "zebra").total == 0


def test_derived_file_is_disposable(base: Path) -> None:
    """Deleting, truncating or replacing the derived file loses nothing."""
    total = search(opened(base).store, "push").total
    file = base / DERIVED
    for damage in (b"", b"not a database", file.read_bytes()[:5000]):
        file.write_bytes(damage)
        assert search(opened(base).store, "push").total == total
    shutil.rmtree(base / ".kb")
    assert search(opened(base).store, "push").total == total


def test_unreadable_record_costs_itself(base: Path) -> None:
    """A record that cannot be read is said each time and found by nobody; its neighbours are."""
    (base / "entries/evaluations/broken.md").write_text("no front matter", encoding="utf-8")
    for _ in range(2):
        said: list[str] = []
        workspace = opened(base, said)
        assert search(workspace.store, "push").total > 0
        assert said == ["kb: 1 record cannot be read and is not searched; `kb lint` says what is wrong"]
        with pytest.raises(RecordError, match="no front matter"):
            workspace.find("broken")


def test_folder_in_place_of_a_record(base: Path) -> None:
    """A folder that is named like a record is one unreadable record."""
    (base / "entries/evaluations/folder.md").mkdir()
    assert search(opened(base).store, "push").total > 0


def test_huge_file_is_not_a_record(base: Path) -> None:
    """A file of many megabytes is refused unread."""
    with (base / "entries/evaluations/huge.md").open("wb") as file:
        file.truncate(9 << 20)
    said: list[str] = []
    assert search(opened(base, said).store, "push").total > 0
    with pytest.raises(RecordError, match="larger than 8 MiB"):
        opened(base).find("huge")


def test_entries_in_the_root_itself(base: Path) -> None:
    """`entries = "."` puts the folders of records beside kb.toml; paths are shown without a prefix."""
    shutil.copytree(base / "entries", base / "flat")
    (base / "flat/kb.toml").write_text('[base]\nentries = "."\n', encoding="utf-8")
    assert opened(base / "flat").find("tether").path == "components/tether.yaml"


def test_no_base(tmp_path: Path) -> None:
    """Outside of any base a command that writes or checks says so and what to do."""
    for arguments in (["lint"], ["sync"], ["new", "evaluation", "x"], ["schema"]):
        ran = kb(*arguments, cwd=tmp_path)
        assert ran.code == 2
        assert ran.err.startswith("error: no knowledge base at or above")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["search", "push"], ["show", "aws-push-vs-pull-efa"], ["stats"], ["explain", "post-thread"]]
)
def test_no_base_reads_the_shipped_one(tmp_path: Path, arguments: list[str]) -> None:
    """Outside of any base the shipped one is read, which stderr says, and nothing is written where the user stands."""
    ran = kb(*arguments, cwd=tmp_path)
    assert (ran.code, "no base here" in ran.err) == (0, True)
    named = kb(*arguments, "--root", "shipped", cwd=tmp_path)
    assert (named.out, "no base here" in named.err) == (ran.out, False)
    assert kb(*arguments, "--quiet", cwd=tmp_path).err == ""
    assert list(tmp_path.iterdir()) == []


def test_shipped_base_is_not_written(tmp_path: Path) -> None:
    """A record cannot be made in the shipped base."""
    assert kb("new", "evaluation", "x", "--root", "shipped", cwd=tmp_path).code == 2


def test_own_record_hides_a_mounted_one(base: Path, tmp_path: Path) -> None:
    """Where both have a record of one id, the base's own is meant."""
    own = tmp_path / "own"
    make_base(own)
    (own / "kb.toml").write_text('[base]\nmounts = ["../base"]\n', encoding="utf-8")
    text = (base / "entries/evaluations/orbit-one-arm.md").read_text(encoding="utf-8")
    (own / "entries/evaluations/orbit-one-arm.md").write_text(text.replace("Submission", "Our"), encoding="utf-8")
    workspace = opened(own)
    assert [head.path for head in workspace.store.documents("orbit-one-arm")] == [
        "entries/evaluations/orbit-one-arm.md"
    ]
    assert workspace.find("orbit-pull").path == "base:entries/components/orbit-pull.yaml"


def test_nothing_said_when_nothing_happens(base: Path) -> None:
    """A base that is up to date says nothing."""
    opened(base).sync()
    said: list[str] = []
    _, done = opened(base, said).sync()
    assert said == []
    assert not done.changed


def test_change_is_in_a_release_that_its_component_gains(base: Path) -> None:
    """A release added to the component's record is found on its changes at once, without touching them."""
    config = read_config(base)
    assert _carrying(config, "1.3.0") == set()
    component = base / "entries/components/orbit.yaml"
    component.write_text(component.read_text() + '  - {version: "1.3.0", date: 2030-07-01}\n')
    assert _carrying(config, "1.3.0") == {"orbit-5-log-lines", "orbit-7-reader-thread"}
    assert _carrying(config, "1.1.0") == {"orbit-5-log-lines"}
    _, done = Workspace(config).sync()
    assert not done.changed


def _carrying(config: Config, version: str) -> set[str]:
    found = search(Workspace(config).store, f"kind:change version:{version}")
    return {head.id for head in found.heads}


def test_what_is_no_regular_file_is_said_and_never_waited_for(base: Path) -> None:
    """A pipe in the place of a record costs only itself; a name that is no text costs nothing."""
    os.mkfifo(base / "entries" / "evaluations" / "pipe.md")
    os.mkfifo(base / "entries" / "components" / "pipe.yaml")
    (base / "entries" / "evaluations" / os.fsdecode(b"\xff\xfe.md")).write_text("x", encoding="utf-8")
    store, done = opened(base).sync()
    store.close()
    assert sorted(path for path, _ in done.failures) == [
        "entries/components/pipe.yaml",
        "entries/evaluations/pipe.md",
    ]


@pytest.mark.parametrize(
    "damage",
    ["DROP TABLE facets", "ALTER TABLE records RENAME COLUMN title TO name", "DELETE FROM stored"],
)
def test_damage_found_while_reading_is_mended(base: Path, damage: str) -> None:
    """A derived file that fits by its number and not by its tables is made anew, and the command answers."""
    assert kb("sync", cwd=base).code == 0
    with sqlite3.connect(base / DERIVED) as connection:
        connection.execute(damage)
    connection.close()
    shown = kb("show", "orbit-push-vs-pull", cwd=base)
    assert (shown.code, kb("stats", cwd=base).code) == (0, 0)


def test_a_name_that_is_no_text_is_not_found(base: Path) -> None:
    """Bytes that are no UTF-8, as a shell hands them over."""
    ran = kb("show", os.fsdecode(b"\xff"), cwd=base)
    assert (ran.code, ran.err.splitlines()[0]) == (2, 'error: nothing is called "\ufffd"')


def test_errors_do_not_steer_the_terminal(base: Path) -> None:
    """Escape sequences of an argument or a record are not repeated on stderr."""
    ran = kb("show", "\x1b[31mred", cwd=base)
    assert ran.code == 2
    assert "\x1b" not in ran.err
    ran = kb("import", "x\n::error::y", cwd=base)
    assert (ran.code, "\n::" in ran.err) == (2, False)


def test_a_search_of_unchanged_files_compares_none(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One mark of all sizes and times says that nothing has changed."""
    opened(base).store.close()
    monkeypatch.setattr(Workspace, "_files", lambda *_: pytest.fail("files are compared one by one"))
    assert search(opened(base).store, "push").total


Edit = Callable[[Path], object]


def _in_place(path: Path) -> None:
    """As an editor that writes into the file: its folder's time stays."""
    folder = path.parent.stat()
    text = path.read_bytes()
    with path.open("r+b") as file:
        file.write(text.replace(b"sixteen", b"zebra42"))
    os.utime(path.parent, ns=(folder.st_atime_ns, folder.st_mtime_ns))


def _beside(path: Path) -> None:
    """As an editor that moves a new file over the old one."""
    aside = path.with_name("aside")
    aside.write_bytes(path.read_bytes().replace(b"sixteen", b"zebra42"))
    aside.replace(path)


def _same_time(path: Path) -> None:
    """As a tool that restores times; the size differs."""
    old = path.stat()
    path.write_bytes(path.read_bytes().replace(b"sixteen", b"zebra 42"))
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))


@pytest.mark.parametrize("edit", [_in_place, _beside, _same_time])
def test_an_edit_is_seen_however_it_was_made(base: Path, edit: Edit) -> None:
    """Between two searches, each of which finds nothing else to do."""
    for _ in range(2):
        assert search(opened(base).store, "zebra42 OR zebra").total == 0
    edit(base / "entries/changes/orbit-9-writer-batches.md")
    assert search(opened(base).store, "zebra42 OR zebra").total == 1
    assert search(opened(base).store, "zebra42 OR zebra").total == 1


def test_a_file_that_only_looks_new_is_seen_once(base: Path) -> None:
    """Touched, it is read again once; then the mark is right again."""
    opened(base).store.close()
    (base / "entries/changes/orbit-9-writer-batches.md").touch()
    _, done = opened(base).sync()
    assert done.updated == 0
    store = current(base / DERIVED, seen(opened(base)._listed()))
    assert store is not None


def test_a_file_in_place_of_the_derived_folder_is_said(base: Path) -> None:
    """The records are searched all the same, from memory."""
    (base / ".kb").write_text("", encoding="utf-8")
    said: list[str] = []
    assert search(opened(base, said).store, "push").total
    assert said == [f"kb: {base / '.kb'} is no folder; every command reads all records again"]
    assert (base / ".kb").read_text(encoding="utf-8") == ""
