"""`python -m acceptance.scan`: scans of real vLLM releases, checked and counted; writes docs/scan-acceptance.md.

Sdists come from the package index that pip is configured with and are kept (kb/scan/index.py); the first run fetches
about 370 MB. Exit 1 when something that must hold does not, 2 when a release cannot be had.
"""

from __future__ import annotations

import ast
import gc
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path

from acceptance.oracle import lost, mentions, misjudged
from acceptance.page import page
from acceptance.watcher import Watched, watch
from kb.component import Component
from kb.config import read
from kb.errors import KbError
from kb.library import Library, open_library
from kb.scan import Report, Tree, scan
from kb.scan.index import Index
from kb.scan.match import Status
from kb.versions import contains

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "scan-acceptance.md"
INTERVALS = (
    ("0.18.0", "0.20.0"),
    ("0.20.0", "0.24.0"),
    ("0.22.0", "0.23.0"),
    ("0.26.0", "0.27.0"),
    ("0.27.0", "0.28.0"),
    ("0.28.0", "0.30.0"),
    ("0.30.0", "0.31.0"),
    ("0.31.0", "0.33.0"),
)
COMPONENTS = ("vllm-nixl-pull", "vllm-nixl-push")
STORE_ONLY = ("0.25.1", "0.26.0")
"""Between these only the store beside MooncakeConnector changed, by a plain comparison of the files."""
VERSION = "NIXL_CONNECTOR_VERSION"


@dataclass(frozen=True)
class Check:
    """One thing that must hold."""

    name: str
    holds: bool
    note: str = ""


@dataclass
class Interval:
    """One component between two releases, and what was counted."""

    component: str
    old: str
    new: str
    report: Report
    watched: Watched
    ratio: float
    """Time of the scan in units of `ast.parse` of the Python files that it looked at; the best of three runs."""
    milliseconds: float
    """What one such unit was."""
    misjudged: tuple[list[str], list[str], int]
    checks: list[Check] = field(default_factory=list)
    mentions: dict[str, int] = field(default_factory=dict)
    """Removed name -> files of the whole new sdist in which it still stands."""

    @property
    def label(self) -> str:
        return f"{self.old}..{self.new}"


@cache
def _index() -> Index:
    return Index(tell=lambda file: print(f"fetching {file.name}", file=sys.stderr))


@cache
def tree(version: str) -> Tree:
    """A whole vLLM sdist, kept from before or fetched."""
    return _index().tree("vllm", version)


def measure(component: Component, old: str, new: str) -> Interval:
    """Scan an interval, time it and count a watcher beside it."""
    trees = tree(old), tree(new)
    report = scan(*trees, component)
    parsing, scanning = _times(component, trees)
    told = watch(report, *trees), scanning / parsing, parsing * 1000, misjudged(report, *trees)
    found = Interval(component.id, old, new, report, *told)
    gone = [each.name for each in report.symbols if each.status is Status.REMOVED]
    found.mentions = {name: mentions(trees[1], name.rpartition(".")[2]) for name in gone}
    found.checks = list(_always(found, trees))
    return found


def _times(component: Component, trees: tuple[Tree, Tree], runs: int = 3) -> tuple[float, float]:
    """Best seconds to parse what a scan looks at, and to scan; in turns, so that a slow minute hits both."""
    texts = list(_texts(component, trees))
    gc.freeze()  # what earlier intervals left in memory would slow the parsing, not the scan
    took = [(_timed(lambda: list(map(ast.parse, texts))), _timed(lambda: scan(*trees, component))) for _ in range(runs)]
    return min(each[0] for each in took), min(each[1] for each in took)


def _timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _texts(component: Component, trees: tuple[Tree, Tree]) -> Iterator[str]:
    """Python files of the component and its neighbours, in both releases."""
    for side in trees:
        globs = [each.glob for each in component.paths if contains(each.versions, side.label)]
        yield from (side.text(path) for path in side.under(globs) if path.endswith(".py"))


def _always(found: Interval, trees: tuple[Tree, Tree]) -> Iterator[Check]:
    """What must hold of every interval."""
    again = lost(found.report, *trees)
    yield Check(
        "no body of what is reported as removed is left among the connectors, or anywhere under its name",
        not again,
        "; ".join(again),
    )
    alarms, misses, compared = found.misjudged
    same = f"{compared} functions compared as whole syntax trees"
    yield Check(
        "no function whose tree is equal is reported as behaving differently", not alarms, "; ".join(alarms) or same
    )
    quiet = {each.name for each in found.report.symbols if each.kind}
    unsaid = [name for name in misses if name not in quiet]
    yield Check("no function whose tree differs is reported as untouched", not unsaid, "; ".join(unsaid) or same)


def stated(found: Interval, component: Component) -> Check:
    """The wire version that the scan reads in both releases is the one the record states."""
    read_now = {each["name"]: (each["old"], each["new"]) for each in found.report.defaults if each["name"] == VERSION}
    known = tuple(_wire(component, version) for version in (found.old, found.new))
    told = read_now.get(VERSION)
    holds = told is None if known[0] == known[1] else told == known
    return Check("the wire version it reads is the one on record", holds, f"{known[0]} to {known[1]}")


def _wire(component: Component, version: str) -> str | None:
    return next((str(each.wire_version) for each in component.facts_at(version) if each.wire_version is not None), None)


def particular(found: Interval) -> Iterator[Check]:
    """What the issue says of single intervals, of the pull connector."""
    by_status = {status: [each for each in found.report.symbols if each.status is status] for status in Status}
    by_name = {each.name: each for each in found.report.symbols}
    if found.old == "0.18.0":
        moved, changed = len(by_status[Status.MOVED]), len(by_status[Status.CHANGED])
        holds = moved > changed > 0 and not by_status[Status.REMOVED] and not by_status[Status.UNCHANGED]
        told = f"{moved} moved, {changed} changed, none removed or left in place"
        yield Check("module to package: all code is found again in its new files", holds, told)
    if found.old == "0.20.0":
        read_ = by_name.get("NixlPullConnectorWorker._read_blocks")
        yield Check(
            "worker split, shims: _read_blocks of the old worker is the pull worker's",
            read_ is not None
            and read_.old_name == "NixlConnectorWorker._read_blocks"
            and not by_status[Status.REMOVED],
            f"{len(by_status[Status.MOVED])} moved, none removed",
        )
    if found.old == "0.22.0":
        around = sorted(each.path for each in found.report.files if each.neighbour)
        small = len(by_status[Status.CHANGED]) <= 10 and not by_status[Status.REMOVED] and not by_status[Status.ADDED]
        told = f"{len(by_status[Status.CHANGED])} symbols changed; {len(around)} neighbours"
        layout = any(path.endswith("kv_connector/utils.py") for path in around)
        yield Check("a small difference in the connector, the cache layout's in a neighbour", small and layout, told)


def store_only(library: Library) -> Interval:
    """MooncakeConnector between two releases in which only its store neighbour changed."""
    component = library.components["vllm-mooncake"]
    found = measure(component, *STORE_ONLY)
    differing = [each.name for each in found.report.symbols if each.kind or each.status is not Status.UNCHANGED]
    around = [each.path for each in found.report.files if each.neighbour and "/mooncake/store/" in each.path]
    holds = bool(found.report.symbols) and not differing and bool(around)
    note = f"{len(found.report.symbols)} symbols unchanged; differing neighbours of the store: {len(around)}"
    found.checks.append(Check("MooncakeConnector is unchanged, its store neighbour is not", holds, note))
    return found


def run() -> list[Interval]:
    """Every interval, with its checks."""
    library = open_library(read(ROOT))
    found = []
    for id_ in COMPONENTS:
        component = library.components[id_]
        for old, new in INTERVALS:
            each = measure(component, old, new)
            if any(one.old_path for one in each.report.symbols):
                each.checks += [stated(each, component), *(particular(each) if id_ == COMPONENTS[0] else ())]
            found.append(each)
    return [*found, store_only(library)]


def main() -> int:
    """Write the page; 1 when something does not hold."""
    try:
        found = run()
    except KbError as error:
        print(f"acceptance: {error.message}" + (f"\n{error.hint}" if error.hint else ""), file=sys.stderr)
        return 2
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(found, date.today().isoformat()))
    broken = [(each, check) for each in found for check in each.checks if not check.holds]
    for each, check in broken:
        print(f"{each.component} {each.label}: does not hold: {check.name}: {check.note}")
    held = sum(len(each.checks) for each in found) - len(broken)
    print(f"{held} checks hold, {len(broken)} do not; {PAGE.relative_to(ROOT)} written")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
