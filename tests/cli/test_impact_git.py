"""`kb impact` of commits and diffs of a real clone that nobody has recorded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import kb
from tests.scan.test_git import commit, run

PULL = """\
class Reader:
    def run(self, blocks):
        for each in blocks:
            self.agent.read(each)

    def close(self):
        self.agent.close()
"""
PATHS = "paths:\n  - {glob: orbit/pull.py}\n"


@pytest.fixture
def clone(base: Path, tmp_path: Path) -> Path:
    """A clone of the pull connector with one release and a branch, beside a base that says where its code is."""
    record = base / "entries" / "components" / "orbit-pull.yaml"
    record.write_text(record.read_text() + PATHS)
    made = tmp_path / "clone"
    made.mkdir()
    run(made, "init", "-q", "-b", "main")
    commit(made, "First (#1)", orbit__pull_py=PULL, orbit__push_py="LIMIT = 8\n")
    run(made, "tag", "v1.2.0")
    commit(made, "Newest blocks first", orbit__pull_py=PULL.replace("in blocks", "in reversed(blocks)"))
    return made


def test_two_commits(base: Path, clone: Path) -> None:
    """The symbols that they touch, and of every claim whether its anchors are met; without --to up to HEAD."""
    ran = kb("impact", "orbit-pull", "--git", str(clone), "--from", "1.2.0", "--json", cwd=base)
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert [(each["name"], each["status"], each["kind"]) for each in found["symbols"]] == [
        ("Reader.run", "changed", "behaviour")
    ]
    assert "reversed(blocks)" in found["symbols"][0]["hunk"]
    standings = {(each["evaluation"], each["claim"]): each["standing"] for each in found["touched"]}
    assert standings["orbit-push-vs-pull", "heavy-load"] == "touched"
    assert standings["orbit-push-vs-pull", "best-case"] == "open"
    assert {"changes", "touched", "untouched", "board"} <= found.keys()
    assert found["board"] == []


def test_commits_the_other_way_round(base: Path, clone: Path) -> None:
    """A revert touches the same code."""
    back = kb("impact", "orbit-pull", "--git", str(clone), "--from", "HEAD", "--to", "v1.2.0", cwd=base)
    assert "heavy-load: it touches orbit-pull:Reader.run" in back.out


def test_a_diff_from_a_pipe(base: Path, clone: Path) -> None:
    """`git diff` into `--diff -`: the same symbols as of the two commits."""
    diff = run(clone, "diff", "v1.2.0", "HEAD") + "\n"
    words = ["impact", "orbit-pull", "--git", str(clone), "--from", "v1.2.0", "--diff", "-", "--json"]
    piped = subprocess.run(
        [sys.executable, "-m", "kb", *words], cwd=base, input=diff, capture_output=True, text=True, check=True
    )
    commits = kb("impact", "orbit-pull", "--git", str(clone), "--from", "v1.2.0", "--json", cwd=base)
    names = [[each["name"] for each in json.loads(out)["symbols"]] for out in (piped.stdout, commits.out)]
    assert names[0] == names[1] == ["Reader.run"]


def test_commits_beside_the_component(base: Path, clone: Path) -> None:
    """Somebody else's code is said to be that, and is no error."""
    commit(clone, "Elsewhere", orbit__push_py="LIMIT = 9\n")
    ran = kb("impact", "orbit-pull", "--git", str(clone), "--from", "HEAD~1", cwd=base)
    assert ran.code == 0
    assert ran.out == "No code of orbit-pull differs between HEAD~1 and HEAD; its code is at orbit/pull.py\n"


def test_names_are_shown_as_typed(base: Path, clone: Path, tmp_path: Path) -> None:
    """A tag that is no full release number is no version; a release's tag is."""
    run(clone, "tag", "v1", "v1.2.0")
    diff = tmp_path / "main.diff"
    diff.write_text(run(clone, "diff", "v1", "main") + "\n")
    told = []
    for words in (["--from", "v1", "--to", "main"], ["--from", "v1", "--diff", str(diff)], ["--from", "v1.2.0"]):
        told.append(kb("impact", "orbit-pull", "--git", str(clone), *words, cwd=base).out.splitlines()[0])
    ends = ["v1 to main", "v1 to v1 with the diff", "1.2.0 to HEAD"]
    assert told == [f"orbit-pull: {each}, if a release carried it" for each in ends]
    scanned = kb("scan", "orbit-pull", "--git", str(clone), "--from", "v1", "--to", "main", cwd=base)
    assert scanned.out.startswith("orbit-pull: v1 → main\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--git", "CLONE", "--from", "v9"], 'has no tag, branch or commit "v9"'),
        (["--git", "BASE", "--from", "v1", "--to", "v2"], "is not a git clone"),
        (["--git", "BASE/none", "--from", "v1"], "hint: --git takes the folder of a local clone"),
        (["--git", "CLONE"], "two commits or a diff are looked at"),
        (["--git", "CLONE", "--diff", "BASE/none.diff"], "none.diff cannot be read"),
        (["--git", "OTHER", "--from", "HEAD~1"], "none of orbit-pull's paths matches a file"),
    ],
)
def test_what_cannot_be_looked_at(base: Path, clone: Path, words: list[str], said: str, tmp_path: Path) -> None:
    """One sentence, exit 2."""
    other = tmp_path / "other"
    other.mkdir()
    run(other, "init", "-q", "-b", "main")
    for text in ("int a;\n", "int b;\n"):
        commit(other, "Of another repository", main__c=text)
    names = {"CLONE": str(clone), "BASE": str(base), "OTHER": str(other)}
    told = [next((each.replace(key, name) for key, name in names.items() if key in each), each) for each in words]
    ran = kb("impact", "orbit-pull", *told, cwd=base)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_code_without_symbols(base: Path, clone: Path) -> None:
    """A file that is not parsed is named and opens what rests on the component; commits and their patches agree."""
    commit(clone, "Of a later Python", orbit__pull_py=PULL + "type X[T = int] = (\n")
    commit(clone, "Again", orbit__pull_py=PULL + "type X[T = str] = (\n")
    patches = base / "two.patch"
    patches.write_text(run(clone, "format-patch", "--stdout", "v1.2.0") + "\n")
    words = ["impact", "orbit-pull", "--git", str(clone), "--from", "v1.2.0", "--json"]
    for more in ([], ["--diff", str(patches)]):
        found = json.loads(kb(*words, *more, cwd=base).out)
        assert [(each["path"], each["status"]) for each in found["files"]] == [("orbit/pull.py", "changed")]
        assert "[T = str]" in found["files"][0]["hunk"]
        assert {each["standing"] for each in found["touched"]} == {"open"}
        assert {each["claim"] for each in found["silent"]} == {"many-decoders"}


def test_documentation_opens_no_claim(base: Path, clone: Path) -> None:
    """A README among the component's files is docs; a text that a build may read beside it is not."""
    record = base / "entries" / "components" / "orbit-pull.yaml"
    record.write_text(record.read_text().replace("glob: orbit/pull.py", "glob: orbit/**"))
    run(clone, "tag", "here")
    (clone / "orbit" / "README.md").write_text("Read blocks.\n")
    commit(clone, "Explain")
    docs = kb("impact", "orbit-pull", "--git", str(clone), "--from", "here", "--json", cwd=base)
    found = json.loads(docs.out)
    assert [(each["path"], each["kind"]) for each in found["files"]] == [("orbit/README.md", "docs")]
    assert found["touched"] == []
    told = kb("impact", "orbit-pull", "--git", str(clone), "--from", "here", cwd=base)
    assert "docs: orbit/README.md" in told.out
    (clone / "orbit" / "CMakeLists.txt").write_text("add_library(x)\n")
    commit(clone, "Build")
    build = json.loads(kb("impact", "orbit-pull", "--git", str(clone), "--from", "here", "--json", cwd=base).out)
    assert {each["standing"] for each in build["touched"]} == {"open"}


def test_a_merge_is_refused(base: Path, clone: Path) -> None:
    """Its combined diff is of two parents."""
    run(clone, "checkout", "-q", "-b", "side", "v1.2.0")
    commit(clone, "Side", orbit__pull_py=PULL.replace("in blocks", "in sorted(blocks)"))
    subprocess.run(["git", "merge", "-q", "main"], cwd=clone, capture_output=True)
    (clone / "orbit" / "pull.py").write_text(PULL.replace("in blocks", "in set(blocks)"))
    (base / "merge.diff").write_text(run(clone, "diff") + "\n")
    ran = kb("impact", "orbit-pull", "--git", str(clone), "--diff", "merge.diff", cwd=base)
    assert (ran.code, ran.out) == (2, "")
    assert "merge against both its parents" in ran.err


def test_a_diff_without_end(base: Path, clone: Path) -> None:
    """It is read up to a bound."""
    with (base / "large.diff").open("wb") as file:
        file.truncate((64 << 20) + 1)
    ran = kb("impact", "orbit-pull", "--git", str(clone), "--diff", "large.diff", cwd=base)
    assert (ran.code, ran.out) == (2, "")
    assert "more than 64 MB" in ran.err
