"""Trees and commits of a local clone, read through the `git` program.

A clone may come from anywhere: nothing it configures is run (hooks, pagers, filters, text
converters, signature programs, remotes), and what people type as a ref never reaches git as an option. Options: https://git-scm.com/docs/git
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from kb.errors import KbError
from kb.scan.source import MAX_MEMBER
from kb.scan.tree import Tree
from kb.suggest import nearest
from kb.versions import parse

QUIET = (
    "--no-pager",
    "--no-optional-locks",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "log.showSignature=false",
    "-c",
    "protocol.allow=never",
)
LOG = ("log", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color")
_PULL = re.compile(r"\(#(\d+)\)|^Merge pull request #(\d+)\b")


@dataclass(frozen=True)
class Commit:
    """One commit and the pull requests its message names."""

    sha: str
    date: str
    """Day it was committed, YYYY-MM-DD."""
    subject: str
    pulls: tuple[int, ...] = ()


def tree(clone: Path, ref: str) -> Tree:
    """The tree of a clone at a tag, branch, commit or version. Raises KbError."""
    commit = resolve(clone, ref)
    listed = _run(clone, "ls-tree", "-r", "-z", "--full-tree", commit)
    files = dict(_blobs(listed))
    batch = _Batch(clone)
    return Tree(ref, tuple(sorted(files)), lambda path: batch.blob(files[path]))


def _blobs(listed: bytes) -> Iterator[tuple[str, str]]:
    """Path -> object of every regular file; links and submodules are none."""
    for line in filter(None, listed.split(b"\0")):
        head, _, path = line.partition(b"\t")
        mode, _kind, name = head.decode().split()
        if mode in {"100644", "100755"}:
            yield path.decode("utf-8", "replace"), name


def resolve(clone: Path, ref: str) -> str:
    """Full name of the commit a ref or version stands for. Raises KbError."""
    _check(clone)
    if ref and not ref.startswith("-") and ref.isprintable():
        for name in _spellings(clone, ref):
            found = _ask(clone, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
            if found.returncode == 0:
                return found.stdout.decode().strip()
    near = nearest(ref, tags(clone)) or nearest(f"v{ref}", tags(clone))
    hint = f'did you mean "{near}"?' if near else "`git tag` lists the names it has; a shallow clone has few"
    raise KbError(f'{clone} has no tag, branch or commit "{ref}"', hint)


def _spellings(clone: Path, ref: str) -> Iterator[str]:
    yield f"refs/tags/{ref}"
    if version := parse(ref):
        same = [tag for tag in tags(clone) if parse(re.sub(r"^\D*", "", tag)) == version]
        yield from (f"refs/tags/{tag}" for tag in sorted(same, key=len))
    yield ref


def tags(clone: Path) -> tuple[str, ...]:
    """Names of all tags."""
    return tuple(_run(clone, "tag", "--list", "--no-color", "--no-column").decode("utf-8", "replace").splitlines())


def tagged(clone: Path, version: str) -> str | None:
    """The commit of a release's tag; None where the clone has no such tag."""
    names = [name for name in _spellings(clone, version) if name.startswith("refs/tags/")]
    found = (
        _ask(clone, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}") for name in names
    )
    return next((each.stdout.decode().strip() for each in found if each.returncode == 0), None)


def is_ancestor(clone: Path, one: str, other: str) -> bool:
    """Whether a commit is another, or came before it on its way; both by their full names."""
    return _ask(clone, "merge-base", "--is-ancestor", one, other).returncode == 0


def fork_point(clone: Path, one: str, other: str) -> str | None:
    """The last commit that two have in common; None where they have none."""
    found = _ask(clone, "merge-base", one, other)
    return found.stdout.decode().strip() if found.returncode == 0 else None


def line(clone: Path, ref: str) -> tuple[str, ...]:
    """Commits up to a ref along first parents, newest first: the main line, without what was merged into it."""
    return tuple(_run(clone, "rev-list", "--first-parent", ref, "--").decode().split())


def count(clone: Path, commit: str) -> int:
    """Number of commits up to one."""
    return int(_run(clone, "rev-list", "--count", commit, "--"))


def ends(interval: str) -> tuple[str, str]:
    """Both ends of `A..B`. Raises KbError."""
    old, dots, new = interval.partition("..")
    if not dots or not old or not new.lstrip("."):
        raise KbError(f'"{interval}" is no range of commits', "write it as OLD..NEW")
    return old, new.lstrip(".")


def commits(clone: Path, old: str, new: str, globs: Iterable[str] = ("**",)) -> tuple[Commit, ...]:
    """Commits after `old` up to `new` that touched paths matching the patterns, newest first. Raises KbError."""
    paths = [f":(top,glob){pattern}" for pattern in globs]
    return _log(clone, resolve(clone, old), resolve(clone, new), ["--no-merges"], ["--", *paths])


def touching(clone: Path, old: str, new: str, path: str, lines: tuple[int, int]) -> tuple[Commit, ...]:
    """Commits after `old` up to `new` that touched these lines (first, last) of `new`. Raises KbError."""
    spot = f"-L{lines[0]},{lines[1]}:{path}"
    return _log(clone, resolve(clone, old), resolve(clone, new), [spot, "--no-patch"], [])


def _log(clone: Path, old: str, new: str, how: list[str], where: list[str]) -> tuple[Commit, ...]:
    text = _run(clone, *LOG, *how, "--format=%H%x00%cs%x00%s%x1e", f"{old}..{new}", *where)
    rows = [row.strip().split("\0") for row in text.decode("utf-8", "replace").split("\x1e") if row.strip()]
    merged = _merged_by(clone, old, new) if rows else {}
    return tuple(Commit(sha, day, subject, pulls(subject) or merged.get(sha, ())) for sha, day, subject in rows)


def pulls(subject: str) -> tuple[int, ...]:
    """Numbers of the pull requests a commit is of; what it quotes, as a revert does, is another's."""
    said = re.sub(r'".*"', "", subject)
    return tuple(int(one or other) for one, other in _PULL.findall(said))


def _merged_by(clone: Path, old: str, new: str) -> dict[str, tuple[int, ...]]:
    """Commit -> pull request whose merge commit brought it in."""
    text = _run(clone, *LOG, "--format=%H%x00%P%x00%s", f"{old}..{new}").decode("utf-8", "replace")
    rows = [line.split("\0") for line in text.splitlines() if line.count("\0") == 2]
    parents = {sha: above.split() for sha, above, _ in rows}
    found: dict[str, tuple[int, ...]] = {}
    for sha, _, subject in reversed(rows):  # inner merges first: the innermost pull request owns a commit
        if len(parents[sha]) == 2 and (numbers := pulls(subject)):
            main = _reached(parents, parents[sha][0])
            for each in _reached(parents, parents[sha][1], main):
                found.setdefault(each, numbers)
    return found


def _reached(parents: dict[str, list[str]], start: str, without: Iterable[str] = ()) -> set[str]:
    seen: set[str] = set()
    stop = set(without)
    todo = [start]
    while todo:
        sha = todo.pop()
        if sha in parents and sha not in seen and sha not in stop:
            seen.add(sha)
            todo += parents[sha]
    return seen


class _Batch:
    """One `git cat-file --batch` that answers for as long as the tree is used."""

    def __init__(self, clone: Path) -> None:
        self.clone, self.lock = clone, threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None

    def blob(self, name: str) -> bytes:
        with self.lock:
            process = self.process or self._start()
            into, out = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
            into.write(f"{name}\n".encode())
            into.flush()
            head = out.readline().split()
            if len(head) != 3 or int(head[2]) > MAX_MEMBER:
                raise KbError(f"{self.clone} lacks object {name}", "the clone is partial or damaged; fetch it in full")
            data = out.read(int(head[2]))
            out.read(1)
            return data

    def _start(self) -> subprocess.Popen[bytes]:
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(
            _command(self.clone, "cat-file", "--batch"),
            stdin=pipe,
            stdout=pipe,
            stderr=null,
            env=_environment(self.clone),
        )
        weakref.finalize(self, _end, self.process)
        return self.process


def _end(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream:
            stream.close()
    process.wait()


def _command(clone: Path, *arguments: str) -> list[str]:
    return ["git", *QUIET, "-C", str(clone), *arguments]


def _environment(clone: Path) -> dict[str, str]:
    """Ours, without what a calling git or hook set, and without walking up into a repository around the folder."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith("GIT_CONFIG")
    }
    ours = {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_PAGER": "cat",
        "LC_ALL": "C",
    }
    return {**kept, **ours, "GIT_CEILING_DIRECTORIES": str(clone.resolve().parent), "GIT_NO_REPLACE_OBJECTS": "1"}


def _ask(clone: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            _command(clone, *arguments),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env=_environment(clone),
            check=False,
        )
    except FileNotFoundError:
        raise KbError(
            "the program git is not installed", "install git, or name archives with --old and --new"
        ) from None


def _run(clone: Path, *arguments: str) -> bytes:
    done = _ask(clone, *arguments)
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise KbError(f"git could not read {clone}: {words[-1] if words else f'exit {done.returncode}'}")
    return done.stdout


def _check(clone: Path) -> None:
    if not clone.is_dir():
        raise KbError(f"{clone} is no folder", "--git takes the folder of a local clone: git clone ADDRESS DIR")
    done = _ask(clone, "rev-parse", "--git-dir")
    if b"dubious ownership" in done.stderr:
        raise KbError(
            f"git does not trust {clone}: it belongs to another user",
            "`git config --global safe.directory` says whom to trust",
        )
    if done.returncode:
        raise KbError(
            f"{clone} is not a git clone", "give the folder that holds .git, or name folders with --old and --new"
        )
