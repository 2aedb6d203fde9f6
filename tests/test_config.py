"""kb.config: kb.toml and what it mounts."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.config import SHIPPED, find_root, plain, read, shipped_root
from kb.errors import BadConfig, NoBase


def config(root: Path, text: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    (root / "kb.toml").write_text(text, encoding="utf-8")
    return root


def test_the_nearest_base_upwards_is_found(tmp_path: Path) -> None:
    """From anywhere inside it."""
    root = config(tmp_path / "base", "[base]\n")
    inner = root / "entries/evaluations"
    inner.mkdir(parents=True)
    assert find_root(inner) == find_root(root) == root
    with pytest.raises(NoBase) as caught:
        find_root(tmp_path)
    assert "kb init" in str(caught.value.hint)


def test_an_empty_file_is_a_base(tmp_path: Path) -> None:
    """Entries lie in `entries`, nothing is mounted."""
    found = read(config(tmp_path, ""))
    assert (found.base.entries, found.mounts) == (tmp_path / "entries", ())
    assert not found.base.read_only


def test_the_shipped_base_is_mounted_by_its_word(tmp_path: Path) -> None:
    """Read-only, under its own name."""
    [mount] = read(config(tmp_path, '[base]\nmounts = ["shipped"]\n')).mounts
    assert (mount.name, mount.root, mount.read_only) == (SHIPPED, shipped_root(), True)
    assert (mount.entries / "vocabulary.yaml").is_file()


def test_a_shipped_base_that_is_not_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a zipped installation its files cannot be read; without a word every answer would be short of them."""
    monkeypatch.setattr("kb.config.shipped_root", lambda: tmp_path / "kb.zip")
    with pytest.raises(BadConfig, match=r"kb\.zip"):
        read(config(tmp_path, '[base]\nmounts = ["shipped"]\n'))
    assert read(config(tmp_path, "[base]\n")).mounts == ()


def test_a_folder_is_mounted_with_or_without_a_file_of_its_own(tmp_path: Path) -> None:
    """With one, its entries are where it says; without, the folder itself."""
    config(tmp_path / "team", '[base]\nentries = "records"\n')
    (tmp_path / "team/records").mkdir()
    (tmp_path / "loose").mkdir()
    own = config(tmp_path / "own", '[base]\nmounts = ["../team", "../loose"]\n')
    assert [each.entries for each in read(own).mounts] == [tmp_path / "team/records", tmp_path / "loose"]


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("[base", "not readable as TOML", None),
        ("[base]\nentris = 'x'", "unknown key entris", 'did you mean "entries"?'),
        ("[bas]\n", "unknown key bas", 'did you mean "base"?'),
        ("base = 1", "[base] is not a table", None),
        ("[base]\nentries = 'nope'", 'entries = "nope" is no folder', "make it"),
        ("[base]\nentries = 'kb.toml'", 'entries = "kb.toml" is no folder', "make it"),
        ("[base]\nentries = 3", "entries is not the name of a folder", 'entries = "entries"'),
        ("[base]\nentries = ['a']", "entries is not the name of a folder", 'entries = "entries"'),
        ("[base]\nentries = ''", "entries is not the name of a folder", 'entries = "entries"'),
        ("[base]\nmounts = 'shipped'", "mounts is not a list", 'mounts = ["shipped"]'),
        ("[base]\nmounts = ['nowhere']", "nowhere is not a folder", "relative to kb.toml"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, says: str, hint: str | None) -> None:
    """And what to write instead."""
    with pytest.raises(BadConfig) as caught:
        read(config(tmp_path, text))
    assert says in caught.value.message
    assert hint is None or hint in str(caught.value.hint)
    assert caught.value.exit_code == 2


def test_a_folder_without_one_is_no_base(tmp_path: Path) -> None:
    """The message names the folder."""
    with pytest.raises(NoBase, match=str(tmp_path)):
        read(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        '[base]\nmounts = ["."]\n',
        '[base]\nmounts = ["a\\u0000b"]\n',
        "[base]\nmounts = [1]\n",
        f"[base]\nmounts = {'[' * 5000}\n",
        f"[base]\nmounts = {'9' * 6000}\n",
        "[base\n",
    ],
)
def test_what_cannot_be_used_is_one_sentence(tmp_path: Path, text: str) -> None:
    """Whatever a kb.toml holds, it is a base or a sentence with a hint."""
    with pytest.raises(BadConfig) as caught:
        read(config(tmp_path, text))
    assert caught.value.hint


def test_bases_that_mount_each_other_are_no_circle(tmp_path: Path) -> None:
    """A mounted base brings its own records, not what it mounts."""
    one = config(tmp_path / "one", '[base]\nmounts = ["../two"]\n')
    config(tmp_path / "two", '[base]\nmounts = ["../one"]\n')
    assert [mount.name for mount in read(one).mounts] == ["two"]


@pytest.mark.parametrize("named", ["/", "..", "../..", "up", "entries/../.."])
def test_entries_above_the_base_are_refused(tmp_path: Path, named: str) -> None:
    """Looking for records there would walk what is no part of the base, up to the whole disk."""
    root = tmp_path / "a/base"
    (root / "entries").mkdir(parents=True)
    (root / "up").symlink_to("/")
    with pytest.raises(BadConfig, match="above the base"):
        read(config(root, f'[base]\nentries = "{named}"\n'))


@pytest.mark.parametrize("named", [".", "records", "../beside", "link"])
def test_entries_inside_or_beside_the_base_are_taken(tmp_path: Path, named: str) -> None:
    """The base's own folder, one in it, one beside it, and a link to such a one."""
    root = tmp_path / "base"
    (root / "records").mkdir(parents=True)
    (tmp_path / "beside").mkdir()
    (root / "link").symlink_to(tmp_path / "beside")
    assert read(config(root, f'[base]\nentries = "{named}"\n')).base.entries == root / named


@pytest.mark.parametrize("mount", ["/", ".."])
def test_a_mount_above_the_base_is_refused(tmp_path: Path, mount: str) -> None:
    """Unless it says itself where its records lie."""
    root = config(tmp_path / "base", f'[base]\nmounts = ["{mount}"]\n')
    with pytest.raises(BadConfig, match="above the base"):
        read(root)
    if mount == "..":
        config(tmp_path, '[base]\nentries = "entries"\n')
        (tmp_path / "entries").mkdir()
        assert [each.entries for each in read(root).mounts] == [tmp_path / "entries"]


PIECES = st.sampled_from(
    [
        *("[base]\n", 'entries = "x"\n', 'mounts = ["a", "b"]\n', "# note\n", "\n", "\n", "\r\n", "\r", "\t", " ", ""),
        *("[base]", "[base ]", "[[base]]", "[mounts]", "[base.x]", "entries", "mounts", "base", "=", "==", "#", "#c"),
        *('"a"', "'a'", '""', '"a\\nb"', '"a\\"', "[", "]", "[]", ",", '"é"', '"\t"', '"""', "\\", "3", "true"),
        *("\x07", "\x85", "\u3000"),
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_plain_file_is_read_as_the_library_reads_it(text: str) -> None:
    """What `plain` gives is what tomllib gives, and it gives nothing for what tomllib refuses."""
    found = plain(text)
    if found is not None:
        assert found == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[base]\n",
        '# A base.\n[base]\nentries = "entries"\n',
        '[base]\nmounts = ["shipped"]\n',
        '\n [base] \n\n  entries="a b/c"\n mounts = [ "../x" ,"é" ]\n# end',
        "[base]\nmounts = []",
    ],
)
def test_usual_files_take_no_library(text: str) -> None:
    """The files that `kb init` writes and people mend by hand."""
    assert plain(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text", ["[base]\nentries = 'a'", '[base]\nentries = "a" # c', "x = 1", '[base]\nentries = ""x"']
)
def test_other_files_take_the_library(text: str) -> None:
    """Whatever is written another way, right or wrong."""
    assert plain(text) is None
