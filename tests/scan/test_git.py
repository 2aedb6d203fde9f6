"""Trees and commits of local clones, from real repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from kb.errors import KbError
from kb.scan import git

WHO = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
DAY = {"GIT_AUTHOR_DATE": "2026-06-12T10:00:00Z", "GIT_COMMITTER_DATE": "2026-06-12T10:00:00Z"}


def run(clone: Path, *arguments: str) -> str:
    """Git in a repository of our own."""
    env = {**os.environ, **WHO, **DAY, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        ["git", "-C", str(clone), *arguments], env=env, check=True, capture_output=True, text=True
    ).stdout.strip()


def commit(clone: Path, message: str, **files: str) -> str:
    """Write files (`__` in a name is a slash) and commit them."""
    for name, text in files.items():
        path = clone / name.replace("__", "/").replace("_py", ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    run(clone, "add", "-A")
    run(clone, "commit", "-q", "-m", message)
    return run(clone, "rev-parse", "HEAD")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Two releases, three pull requests between them: one squashed, one reverted, one merged."""
    made = tmp_path / "clone"
    made.mkdir()
    run(made, "init", "-q", "-b", "main")
    commit(made, "First (#1)", kv__pull_py="a = 1\nb = 2\nc = 3\n", other_py="x = 1\n")
    run(made, "tag", "v0.26.0")
    commit(made, "Post on a thread (#45211)\n\nSee (#999)", kv__pull_py="a = 1\nb = 3\nc = 3\n")
    commit(made, "Elsewhere (#50)", other_py="x = 2\n")
    commit(made, 'Revert "Post on a thread (#45211)" (#45300)', kv__pull_py="a = 1\nb = 2\nc = 3\n")
    run(made, "checkout", "-q", "-b", "side")
    commit(made, "wip", kv__pull_py="a = 1\nb = 2\nc = 4\n")
    run(made, "checkout", "-q", "main")
    commit(made, "Meanwhile", other_py="x = 3\n")
    run(made, "merge", "-q", "--no-ff", "-m", "Merge pull request #77 from me/side", "side")
    run(made, "tag", "v0.27.0")
    return made


def test_tree(clone: Path) -> None:
    """A release's files and their text; what is only in the work tree is not there."""
    (clone / "kv/pull.py").write_text("changed")
    (clone / "new.py").write_text("new")
    tree = git.tree(clone, "v0.26.0")
    assert (tree.label, tree.paths) == ("v0.26.0", ("kv/pull.py", "other.py"))
    assert [tree.text(path) for path in ("kv/pull.py", "other.py", "kv/pull.py")] == [
        "a = 1\nb = 2\nc = 3\n",
        "x = 1\n",
        "a = 1\nb = 2\nc = 3\n",
    ]


@pytest.mark.parametrize("ref", ["v0.26.0", "0.26.0", "0.26", "refs/tags/v0.26.0", "main~5"])
def test_names_of_a_release(clone: Path, ref: str) -> None:
    """A version finds its tag with or without what the project writes before it."""
    assert git.resolve(clone, ref) == run(clone, "rev-parse", "v0.26.0^{commit}")


def test_annotated_tag(clone: Path) -> None:
    """A tag with a message of its own stands for its commit."""
    run(clone, "tag", "-a", "-m", "Release", "lib-0.28.0")
    assert git.resolve(clone, "0.28.0") == run(clone, "rev-parse", "HEAD")


def test_links_and_submodules(clone: Path) -> None:
    """Links and submodules are no files."""
    (clone / "link.py").symlink_to("/etc/passwd")
    run(clone, "update-index", "--add", "--cacheinfo", "160000", run(clone, "rev-parse", "HEAD"), "sub")
    commit(clone, "Links")
    assert git.tree(clone, "HEAD").paths == ("kv/pull.py", "other.py")


@pytest.mark.parametrize(
    ("ref", "hint"), [("0.26.1", '"v0.26.0"'), ("v0.72.0", '"v0.27.0"'), ("nonsense", "`git tag`"), ("", "`git tag`")]
)
def test_unknown_ref(clone: Path, ref: str, hint: str) -> None:
    """An unknown name gets the nearest tag."""
    with pytest.raises(KbError, match=f'no tag, branch or commit "{ref}"') as error:
        git.tree(clone, ref)
    assert hint in str(error.value.hint)


@pytest.mark.parametrize(
    "ref", ["--output=hit", "-h", "--upload-pack=touch hit", "main\nHEAD", "\0", "--exec=touch hit"]
)
def test_ref_like_an_option(clone: Path, ref: str) -> None:
    """A name that looks like an option is never one."""
    with pytest.raises(KbError, match="no tag, branch or commit"):
        git.resolve(clone, ref)
    assert not list(clone.glob("hit*"))


def test_commits(clone: Path) -> None:
    """Commits that touched paths, with their pull requests: by squash, by merge, a revert's own."""
    found = git.commits(clone, "0.26.0", "0.27.0", ["kv/**"])
    assert [(each.subject, each.pulls) for each in found] == [
        ("wip", (77,)),
        ('Revert "Post on a thread (#45211)" (#45300)', (45300,)),
        ("Post on a thread (#45211)", (45211,)),
    ]
    assert {each.date for each in found} == {"2026-06-12"}


def test_commits_elsewhere(clone: Path) -> None:
    """A pattern that matches nothing finds nothing, and an interval without commits has none."""
    assert git.commits(clone, "0.26.0", "0.27.0", ["gone/**"]) == ()
    assert git.commits(clone, "0.27.0", "0.27.0") == ()
    assert [each.pulls for each in git.commits(clone, "0.26.0", "0.27.0", ["other.py"])] == [(), (50,)]


def test_commits_that_touched_lines(clone: Path) -> None:
    """Lines are followed; a commit that changed another line of the file did not touch them."""
    assert [each.pulls for each in git.touching(clone, "0.26.0", "0.27.0", "kv/pull.py", (2, 2))] == [
        (45300,),
        (45211,),
    ]
    assert [each.pulls for each in git.touching(clone, "0.26.0", "0.27.0", "kv/pull.py", (3, 3))] == [(77,)]
    assert git.touching(clone, "0.26.0", "0.27.0", "kv/pull.py", (1, 1)) == ()


@pytest.mark.parametrize(
    ("subject", "numbers"),
    [
        ("[KV] Fix (#123)", (123,)),
        ("[0.26] Backport (#123) (#456)", (123, 456)),
        ('Revert "Fix (#123)" (#130)', (130,)),
        ("Merge pull request #7 from x/y", (7,)),
        ("Fix #123", ()),
        ("Talk of Merge pull request #7", ()),
    ],
)
def test_pulls(subject: str, numbers: tuple[int, ...]) -> None:
    """Numbers of pull requests are read where projects write them; an issue number is none."""
    assert git.pulls(subject) == numbers


def test_ends() -> None:
    """Both ends of a range of commits."""
    assert git.ends("v1..v2") == ("v1", "v2")
    for text in ("v1", "..v2", "v1..", ""):
        with pytest.raises(KbError, match="no range"):
            git.ends(text)


def test_not_a_clone(tmp_path: Path, clone: Path) -> None:
    """A folder without a repository of its own, even inside another's, is no clone."""
    with pytest.raises(KbError, match="is not a git clone"):
        git.resolve(tmp_path, "main")
    with pytest.raises(KbError, match="is not a git clone"):
        git.resolve(clone / "kv", "main")
    with pytest.raises(KbError, match="is no folder"):
        git.resolve(tmp_path / "nothing", "main")


def test_without_git(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the program the sentence says so."""
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(KbError, match="git is not installed"):
        git.resolve(clone, "main")


def test_hostile_repository(clone: Path, tmp_path: Path) -> None:
    """Nothing that a repository configures is run while it is read."""
    hit = tmp_path / "hit"
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {hit}\ncat\n")
    script.chmod(0o755)
    commit(clone, "Attributes", **{".gitattributes": "*.py diff=evil filter=evil\n"})
    run(clone, "config", "core.pager", str(script))
    for key in (
        "core.fsmonitor",
        "diff.evil.textconv",
        "diff.evil.command",
        "diff.external",
        "gpg.program",
        "filter.evil.smudge",
    ):
        run(clone, "config", key, str(script))
    run(clone, "config", "log.showSignature", "true")
    run(clone, "config", "alias.log", f"!{script}")
    for hook in ("post-checkout", "reference-transaction", "post-index-change"):
        (clone / ".git/hooks" / hook).write_text(script.read_text())
        (clone / ".git/hooks" / hook).chmod(0o755)
    hit.unlink(missing_ok=True)
    assert git.tree(clone, "v0.26.0").text("other.py") == "x = 1\n"
    assert len(git.commits(clone, "0.26.0", "0.27.0", ["kv/**"])) == 3
    assert git.touching(clone, "0.26.0", "0.27.0", "kv/pull.py", (2, 2))
    assert not hit.exists()


def test_calling_git_is_no_matter(clone: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run from inside another repository's hook, it still reads the clone it was given."""
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    assert git.tree(clone, "v0.26.0").paths == ("kv/pull.py", "other.py")


def test_missing_object(clone: Path) -> None:
    """A clone that lacks an object says so instead of fetching it."""
    blob = run(clone, "rev-parse", "v0.26.0:other.py")
    (clone / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(KbError, match=f"lacks object {blob}"):
        git.tree(clone, "v0.26.0").text("other.py")


def test_names_beyond_ascii(clone: Path) -> None:
    """Paths with spaces, letters beyond ASCII and line ends are read as they are."""
    name = "kv/名 前\n.py"
    (clone / name).write_text("x")
    commit(clone, "Names")
    tree = git.tree(clone, "HEAD")
    assert name in tree.paths
    assert tree.text(name) == "x"
