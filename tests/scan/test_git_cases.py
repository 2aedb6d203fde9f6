"""Each way code moves, splits and changes, in small repositories with real history, read through git."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

import pytest

from kb.component import Component
from kb.scan import Report, git, scan
from kb.scan.history import history
from tests.scan.made import component
from tests.scan.test_git import run

Files = Mapping[str, str | None]
"""Path -> text; None takes the file away."""

WORKER = """
    import os
    from pkg.log import logger

    LIMIT = 4


    class Worker:
        def __init__(self, config):
            self.deep = config.get_from_extra_config("deep", False)

        def read(self, blocks):
            handle = self.agent.open(blocks)
            for each in handle:
                each.post()
            return handle.wait()

        def stop(self):
            for each in self.handles:
                each.release()
            self.handles.clear()
"""
READ = """
        def read(self, blocks):
            handle = self.agent.open(blocks)
            for each in handle:
                each.post()
            return handle.wait()
"""
STOP = """
        def stop(self):
            for each in self.handles:
                each.release()
            self.handles.clear()
"""
INIT = """
        def __init__(self, config):
            self.deep = config.get_from_extra_config("deep", False)
"""
BASE = f"""
    import os
    from pkg.log import logger

    LIMIT = 4


    class BaseWorker:{INIT}{STOP}"""
PULL = f"""
    from pkg.base import BaseWorker


    class PullWorker(BaseWorker):{READ}"""
GUARDED = 'try:\n    from agent import Agent\nexcept ImportError:\n    Agent = None\n    logger.warning("no agent")\n\n'
HELPER = "\n        def _post(self, handles):\n            for one in handles:\n                one.post()\n"
START: Files = {"pkg/worker.py": WORKER, "requirements/connectors.txt": "agent>=1.0\n"}


@dataclass(frozen=True)
class Case:
    """A history after the first release, and what a scan of it says."""

    name: str
    commits: Sequence[tuple[str, Files]]
    differs: Mapping[str, str] = field(default_factory=dict)
    """Symbol -> status and kind, of all that is not untouched in its place."""
    pulls: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Symbol -> pull requests that touched it."""
    options: Mapping[str, tuple[str | None, str | None]] = field(default_factory=dict)
    env: Mapping[str, tuple[str | None, str | None]] = field(default_factory=dict)
    requirements: Mapping[str, tuple[str | None, str | None]] = field(default_factory=dict)
    guards: Mapping[str, str] = field(default_factory=dict)
    """Symbol -> the condition suggested for it."""


MOVED = "moved refactor"
CASES = (
    Case("nothing", [("Elsewhere (#2)", {"other.py": "x = 1\n"})]),
    Case(
        "a module becomes a package",
        [("Package (#2)", {"pkg/worker.py": None, "pkg/worker/__init__.py": "", "pkg/worker/core.py": WORKER})],
        dict.fromkeys(("LIMIT", "Worker", "Worker.__init__", "Worker.read", "Worker.stop"), MOVED),
    ),
    Case(
        "moved in one commit, changed in the next",
        [
            ("Move (#2)", {"pkg/worker.py": None, "pkg/core.py": WORKER}),
            ("Longer (#3)", {"pkg/core.py": WORKER.replace("LIMIT = 4", "LIMIT = 8")}),
        ],
        {"LIMIT": "changed behaviour", **{f"Worker{x}": MOVED for x in ("", ".__init__", ".read", ".stop")}},
        {"LIMIT": (3,)},
    ),
    Case(
        "a class is split into a base and an heir, a shim keeps its name",
        [
            ("Base (#2)", {"pkg/base.py": BASE}),
            (
                "Split (#3)",
                {"pkg/pull.py": PULL, "pkg/worker.py": "from pkg.pull import PullWorker\n\nWorker = PullWorker\n"},
            ),
        ],
        {
            "LIMIT": MOVED,
            "BaseWorker": "added refactor",
            "BaseWorker.__init__": MOVED,
            "BaseWorker.stop": MOVED,
            "PullWorker": "changed refactor",
            "PullWorker.read": MOVED,
        },
    ),
    Case(
        "behind an unchanged shim",
        [
            (
                "Split (#2)",
                {
                    "pkg/base.py": BASE,
                    "pkg/pull.py": PULL,
                    "pkg/worker.py": "from pkg.pull import PullWorker\n\nWorker = PullWorker\n",
                },
            ),
            ("Deeper (#3)", {"pkg/pull.py": PULL.replace("handle.wait()", "handle.wait(30)")}),
        ],
        {
            "LIMIT": MOVED,
            "BaseWorker": "added refactor",
            "BaseWorker.__init__": MOVED,
            "BaseWorker.stop": MOVED,
            "PullWorker": "changed refactor",
            "PullWorker.read": "changed behaviour",
        },
        {"PullWorker.read": (3, 2)},
    ),
    Case(
        "a helper is taken out, then undone",
        [
            (
                "Helper (#2)",
                {
                    "pkg/worker.py": WORKER.replace(
                        "            for each in handle:\n                each.post()\n",
                        "            self._post(handle)\n",
                    )
                    + HELPER
                },
            ),
            ('Revert "Helper (#2)" (#3)', {"pkg/worker.py": WORKER}),
        ],
    ),
    Case(
        "below a condition",
        [
            (
                "Platform (#2)",
                {
                    "pkg/worker.py": WORKER.replace(
                        "            return handle.wait()",
                        "            if current_platform.is_rocm():\n"
                        "                handle.flush()\n"
                        "            return handle.wait()",
                    )
                },
            )
        ],
        {"Worker.read": "changed behaviour"},
        {"Worker.read": (2,)},
        guards={"Worker.read": "current_platform.is_rocm()"},
    ),
    Case(
        "the default of an option",
        [("Default (#2)", {"pkg/worker.py": WORKER.replace('"deep", False', '"deep", True')})],
        {"Worker.__init__": "changed behaviour"},
        {"Worker.__init__": (2,)},
        options={"deep": ("false", "true")},
    ),
    Case(
        "an option that is no longer read, a variable that is",
        [
            (
                "Env (#2)",
                {
                    "pkg/worker.py": WORKER.replace(
                        'config.get_from_extra_config("deep", False)', 'os.environ.get("PKG_DEEP", "0")'
                    )
                },
            )
        ],
        {"Worker.__init__": "changed behaviour"},
        options={"deep": ("false", None)},
        env={"PKG_DEEP": (None, "0")},
    ),
    Case(
        "a pin",
        [("Pin (#2)", {"requirements/connectors.txt": "agent>=1.0,<2\n"})],
        requirements={"agent": (">=1.0", ">=1.0,<2")},
    ),
    Case(
        "a pin in another file",
        [("Pins (#2)", {"requirements/connectors.txt": None, "requirements/connectors_cu12.txt": "agent>=1.0\n"})],
    ),
    Case(
        "docstrings, types and order",
        [
            (
                "Tidy (#2)",
                {
                    "pkg/worker.py": f"""
    import os
    from pkg.log import logger

    LIMIT = 4


    class Worker:{INIT}{STOP.replace("def stop(self):", "def stop(self) -> None:")}
        def read(self, blocks):
            \"\"\"Reads.\"\"\"
            handle = self.agent.open(blocks)
            for each in handle:
                each.post()
            return handle.wait()
"""
                },
            )
        ],
        {"Worker.read": "unchanged docs", "Worker.stop": "unchanged types"},
    ),
    Case(
        "removed beside its like",
        [
            ("Twin (#2)", {"pkg/worker.py": WORKER + STOP.replace("stop", "halt")}),
            ("No stop (#3)", {"pkg/worker.py": WORKER.replace(STOP.rstrip(), "") + STOP.replace("stop", "pause")}),
        ],
        {"Worker.pause": "moved refactor"},
    ),
    Case(
        "code that leaves the component",
        [
            (
                "Out (#2)",
                {
                    "pkg/worker.py": WORKER.replace("LIMIT = 4", "from lib.limits import LIMIT"),
                    "lib/limits.py": "LIMIT = 4\n",
                },
            )
        ],
        {"LIMIT": "moved refactor"},
    ),
    Case(
        "a statement that leaves the component",
        [
            (
                "Guarded import (#2)",
                {
                    "pkg/worker.py": "from lib.agents import Agent\n" + dedent(WORKER),
                    "lib/agents.py": GUARDED.replace("warning", "warning_once"),
                },
            )
        ],
        {"<try: from agent import Agent>": "changed logging", "Agent": MOVED},
    ),
)


def written(clone: Path, message: str, files: Files) -> None:
    """Write, or take away, files and commit them."""
    for name, text in files.items():
        path = clone / name
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text))
    run(clone, "add", "-A")
    run(clone, "commit", "-q", "-m", message)


def clone(folder: Path, case: Case) -> Path:
    """A repository with the case's history between two tags."""
    made = folder / "clone"
    made.mkdir()
    run(made, "init", "-q", "-b", "main")
    first = dict(START)
    if case.name == "a statement that leaves the component":
        first["pkg/worker.py"] = GUARDED + dedent(WORKER)
    written(made, "First (#1)", first)
    run(made, "tag", "v1.0")
    for message, files in case.commits:
        written(made, message, files)
    run(made, "tag", "v2.0")
    return made


def of() -> Component:
    return component("pkg/**", "requirements/connectors*.txt")


def scanned(made: Path) -> Report:
    return scan(git.tree(made, "1.0"), git.tree(made, "2.0"), of(), history=history(made, "1.0", "2.0", of()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_a_history_comes_to(case: Case, tmp_path: Path) -> None:
    """Status and kind of every symbol, what is read and required, and which pull requests did it; nothing beside."""
    found = scanned(clone(tmp_path, case))
    assert {each.name: f"{each.status} {each.kind}" for each in found.symbols if each.kind} == case.differs
    facts = (found.options, found.env, found.requirements)
    assert [{row["name"]: (row["old"], row["new"]) for row in rows} for rows in facts] == [
        case.options,
        case.env,
        case.requirements,
    ]
    by_name = {each.name: each for each in found.symbols}
    for name, pulls in case.pulls.items():
        assert tuple(number for commit in by_name[name].commits for number in commit.pulls) == pulls
    for name, condition in case.guards.items():
        assert [str(each) for each in by_name[name].guards] == [condition]


def test_commits_of_a_repository(tmp_path: Path) -> None:
    """Two commits, by any name that git knows, are compared as two releases are."""
    made = clone(tmp_path, next(each for each in CASES if each.name.startswith("moved in one")))
    found = scan(git.tree(made, "HEAD~1"), git.tree(made, run(made, "rev-parse", "HEAD")), of())
    assert [each.name for each in found.symbols if each.kind] == ["LIMIT"]
