"""kb.config: kb.toml and what it mounts."""

from pathlib import Path

import pytest

from kb.config import SHIPPED, find_root, read, shipped_root
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
