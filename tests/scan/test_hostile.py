"""`kb scan` on repositories that mean harm, and on bases that are damaged or already worked on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kb.scan.refresh import Due
from tests.cli.running import Ran, kb
from tests.scan.test_git import commit, run

COURIER = """schema_version: 1
id: courier
title: Courier
kind: connector
ships_in: orbit
paths:
  - {glob: "kv/**"}
"""
ONE, TWO = "def read(n):\n    return n\n", "def read(n):\n    return n + 1\n"
OUTSIDE = "kept outside\n"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A base with one component, and nothing mounted."""
    made = tmp_path / "base"
    (made / "entries/components").mkdir(parents=True)
    (made / "kb.toml").write_text("[base]\nmounts = []\n")
    (made / "entries/components/courier.yaml").write_text(COURIER)
    return made


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with two releases."""
    made = tmp_path / "clone"
    made.mkdir()
    run(made, "init", "-q", "-b", "main")
    commit(made, "First (#1)", kv__pull_py=ONE)
    run(made, "tag", "v1.0")
    commit(made, "Second (#2)", kv__pull_py=TWO)
    run(made, "tag", "v2.0")
    return made


@pytest.fixture
def trap(tmp_path: Path) -> tuple[Path, Path]:
    """A program, and the file that is there once it ran."""
    hit, script = tmp_path / "hit", tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {hit}\ncat\n")
    script.chmod(0o755)
    return script, hit


def scanned(base: Path, clone: Path, *more: str, old: str = "1.0", new: str = "2.0") -> Ran:
    return kb("scan", "courier", f"--from={old}", f"--to={new}", "--git", str(clone), *more, cwd=base)


def files(base: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(base)): path.read_bytes()
        for path in base.rglob("*")
        if path.is_file() and ".kb" not in path.parts
    }


def test_what_a_clone_configures_is_not_run(base: Path, clone: Path, trap: tuple[Path, Path]) -> None:
    """Monitors, pagers, helpers, transports, signers, filters and hooks, also by inclusion."""
    script, hit = trap
    commit(clone, "Attributes", **{".gitattributes": "* diff=evil filter=evil merge=evil\n"})
    keys = (
        *("core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "core.askPass", "core.gitProxy"),
        *("core.alternateRefsCommand", "credential.helper", "gpg.program", "diff.external", "sequence.editor"),
        *("diff.evil.textconv", "diff.evil.command", "filter.evil.smudge", "filter.evil.clean", "filter.evil.process"),
        *("merge.evil.driver", "pager.log", "pager.ls-tree", "interactive.diffFilter", "trailer.x.command"),
        *("uploadpack.packObjectsHook", "browser.x.cmd", "man.x.cmd", "tar.x.command", "remote.origin.uploadpack"),
    )
    (clone / ".git/more").write_text("")
    for key in keys:
        run(clone, "config", "--file", ".git/more", key, str(script))
    for alias in ("log", "ls-tree", "cat-file", "rev-parse", "tag"):
        run(clone, "config", "--file", ".git/more", f"alias.{alias}", f"!{script}")
    run(clone, "config", "include.path", "more")
    run(clone, "config", "core.hooksPath", str(clone / "hooks"))
    (clone / "hooks").mkdir()
    for hook in ("post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman", "pre-auto-gc"):
        for folder in ("hooks", ".git/hooks"):
            (clone / folder / hook).write_text(script.read_text())
            (clone / folder / hook).chmod(0o755)
    hit.unlink(missing_ok=True)
    found = scanned(base, clone, "--write")
    assert (found.code, found.err.count("wrote")) == (0, 3)
    assert "changed  read" in found.out
    assert "by #2" in found.out
    assert not hit.exists()


@pytest.mark.parametrize("address", ["ext::{script} %S", "{clone}", "file://{clone}", "ssh://host.invalid/x"])
def test_a_partial_clone_fetches_nothing(base: Path, clone: Path, trap: tuple[Path, Path], address: str) -> None:
    """What a clone lacks is said; its remote is not asked, over no transport."""
    script, hit = trap
    run(clone, "config", "extensions.partialClone", "origin")
    run(clone, "config", "core.repositoryFormatVersion", "1")
    run(clone, "config", "remote.origin.promisor", "true")
    run(clone, "config", "remote.origin.url", address.format(script=script, clone=clone))
    run(clone, "config", "remote.origin.uploadpack", str(script))
    run(clone, "config", "protocol.ext.allow", "always")
    run(clone, "config", "core.sshCommand", str(script))
    blob = run(clone, "rev-parse", "v1.0:kv/pull.py")
    (clone / ".git/objects" / blob[:2] / blob[2:]).unlink()
    found = scanned(base, clone)
    assert found.code == 2
    assert f"lacks object {blob}" in found.err
    assert not hit.exists()


@pytest.mark.parametrize(
    "name", ["--upload-pack=touch hit", "--output=hit", "-h", "--", "-", "HEAD^{/x}", "a b", "@{-1}"]
)
def test_odd_names_of_refs(base: Path, clone: Path, name: str) -> None:
    """A name that looks like an option, even one that a tag of the clone has, is looked up or refused, never obeyed."""
    (clone / ".git/packed-refs").write_text(f"{run(clone, 'rev-parse', 'v1.0')} refs/tags/--upload-pack=touch\n")
    found = scanned(base, clone, old=name)
    assert found.code == 2
    assert "has no tag, branch or commit" in found.err or "missing" in found.err
    assert not [*base.rglob("hit"), *clone.rglob("hit")]
    assert scanned(base, clone).code == 0


@pytest.mark.parametrize("what", ["v1.0:kv/pull.py", "v1.0^{tree}"])
def test_a_tag_of_no_commit(base: Path, clone: Path, what: str) -> None:
    """A tag may stand for a file or a tree: that is no release."""
    run(clone, "tag", "v3.0", run(clone, "rev-parse", what))
    found = scanned(base, clone, new="3.0")
    assert (found.code, "has no tag" in found.err) == (2, True)


def test_paths_that_lead_out(base: Path, clone: Path, tmp_path: Path) -> None:
    """Links, submodules and paths with dots in them are read as nothing, and nothing is written beside the base."""
    (tmp_path / "outside.py").write_text(OUTSIDE)
    (clone / "kv/link.py").symlink_to(tmp_path / "outside.py")
    (clone / "kv/loop").symlink_to("..")
    (clone / "kv/sub").mkdir()
    run(clone, "add", "-A")
    run(clone, "update-index", "--add", "--cacheinfo", "160000", run(clone, "rev-parse", "HEAD"), "kv/module")
    (clone / ".gitmodules").write_text(
        '[submodule "m"]\n\tpath = kv/module\n\turl = -u./payload\n\tupdate = !touch hit\n'
    )
    run(clone, "add", ".gitmodules")
    run(clone, "commit", "-q", "-m", "Links")
    run(clone, "tag", "v3.0")
    found = scanned(base, clone, "--write", old="2.0", new="3.0")
    assert found.code == 0
    assert "outside" not in found.out
    assert "1 symbols: 1 unchanged" in found.out
    assert (tmp_path / "outside.py").read_text() == OUTSIDE
    assert not list(clone.rglob("hit"))


def test_a_git_file_of_another_repository(base: Path, clone: Path, tmp_path: Path) -> None:
    """A folder whose .git names a repository elsewhere is that repository; one that names nothing is none."""
    for target, code in ((clone / ".git", 0), (tmp_path / "nothing", 2)):
        odd = tmp_path / f"odd{code}"
        odd.mkdir()
        (odd / ".git").write_text(f"gitdir: {target}\n")
        assert scanned(base, odd).code == code


@pytest.mark.parametrize("sides", [("elsewhere", "elsewhere"), ("elsewhere", None)])
def test_no_file_of_the_component(base: Path, tmp_path: Path, sides: tuple[str, str | None]) -> None:
    """Nothing to compare is no "nothing differs"; a component that came or went is one."""
    for name, folder in zip(("orbit-1.0", "orbit-2.0"), sides, strict=True):
        (tmp_path / name / (folder or "kv")).mkdir(parents=True)
        (tmp_path / name / (folder or "kv") / "a.py").write_text(ONE)
    found = kb("scan", "courier", "--old", str(tmp_path / "orbit-1.0"), "--new", str(tmp_path / "orbit-2.0"), cwd=base)
    if sides[1] is None:
        assert (found.code, "1 added" in found.out) == (0, True)
    else:
        assert (found.code, found.out) == (2, "")
        assert "none of courier's paths matches a file in 1.0 or 2.0" in found.err
        assert "kv/**" in found.err


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# component: courier\n# releases: 1.0\n",
        "# table: 9\n# component: courier\nsymbols\n",
        "# component: courier\n# releases: 1.0\nsymbol\tdigest\tfirst\tlast\nread\ta\t1.0\t9.9\n",
        "# component: courier\n# releases: 1.0\nsymbol\tdigest\tfirst\tlast\tfile\nread\ta\t1.0\t1.0\t7\n",
        "\0\1\2",
    ],
)
def test_a_damaged_table_stops_before_anything_is_written(base: Path, clone: Path, text: str) -> None:
    """The damaged file stays as it is, for a person to take back; no draft is left beside it."""
    (base / "entries/components/courier.symbols.tsv").write_text(text)
    before = files(base)
    found = scanned(base, clone, "--write")
    assert found.code == 2
    assert "courier.symbols.tsv" in found.err
    assert files(base) == before
    assert scanned(base, clone).code == 0


def drafted(base: Path, clone: Path) -> Path:
    """A base in which a scan was written; its draft."""
    assert scanned(base, clone, "--write").code == 0
    (draft,) = (base / "entries/changes").glob("*.md")
    return draft


def test_a_draft_that_a_person_works_on(base: Path, clone: Path) -> None:
    """Whatever stands in its place stays: a finished record, notes, an empty file, a link to nowhere, a folder."""
    draft = drafted(base, clone)
    fresh = draft.read_text()
    for text in (fresh.replace("Drafted by", "Read by"), "notes", ""):
        draft.write_text(text)
        (base / "entries/components/courier.symbols.tsv").unlink(missing_ok=True)
        assert scanned(base, clone, "--write").code in {0, 2}
        assert draft.read_text() == text
    draft.unlink()
    draft.symlink_to(base / "nowhere.md")
    scanned(base, clone, "--write")
    assert draft.is_symlink()
    assert not (base / "nowhere.md").exists()
    draft.unlink()
    draft.mkdir()
    scanned(base, clone, "--write")
    assert draft.is_dir()


def test_a_draft_that_was_renamed(base: Path, clone: Path) -> None:
    """A record of the draft's id is not written a second time under another file name."""
    draft = drafted(base, clone)
    text = draft.read_text().replace("courier:read", "courier:other")
    draft.unlink()
    (base / "entries/changes/mine.md").write_text(text)
    scanned(base, clone, "--write")
    assert [path.name for path in (base / "entries/changes").iterdir()] == ["mine.md"]


def test_one_damaged_table_among_all(base: Path) -> None:
    """`--all --write` says so and goes on with the others."""
    from kb.cli.refreshing import written
    from kb.config import read
    from kb.errors import KbError
    from kb.library import open_library
    from kb.scan import scan
    from tests.scan.made import tree

    other = COURIER.replace("id: courier", "id: runner").replace("Courier", "Runner")
    (base / "entries/components/runner.yaml").write_text(other)
    (base / "entries/components/courier.symbols.tsv").write_text("damaged")
    library = open_library(read(base))
    trees = tree({"kv/a.py": ONE}, "1.0"), tree({"kv/a.py": TWO}, "2.0")
    due = [
        Due(each, "orbit", "1.0", "2.0", report=scan(*trees, each), trees=trees) for each in library.components.values()
    ]
    found = list(written(due, library, base / "entries", "2026-11-29"))
    assert [each.message.partition(" is ")[0] for each in found if isinstance(each, KbError)] == [
        "entries/components/courier.symbols.tsv"
    ]
    assert "runner.symbols.tsv" in {each.name for each in found if isinstance(each, Path)}
    assert (base / "entries/components/courier.symbols.tsv").read_text() == "damaged"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_base_that_cannot_be_written(base: Path, clone: Path) -> None:
    """A sentence and exit 2, no half of anything."""
    (base / "entries").chmod(0o500)
    assert scanned(base, clone, "--write").code == 2
    (base / "entries").chmod(0o700)
    assert list((base / "entries").iterdir()) == [base / "entries/components"]
