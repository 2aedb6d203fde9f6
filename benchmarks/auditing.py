"""`python -m benchmarks audit [--largest]`: verdicts over a large base; time, memory and growth.

Evaluations and changes are synthetic (benchmarks.generate) beside the shipped components; every pin is stated. Each
size has processes of its own. Reading the records is not part of the times; of the memory it is. Outcomes with what
decided each (kb.gist: what a search, a count and `--fail-on` need) are told in wall time, because both processors work;
verdicts with every reason in processor time. The goal is 3 s and 500 MB, in all processes together, for the outcomes of
10,000 evaluations x 2,000 changes on 2 cores.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

import kb.start  # noqa: F401 (the collector runs as seldom as in the command)
from benchmarks.generate import generate
from benchmarks.memory import together
from benchmarks.timing import Row
from kb.alike import Alike
from kb.audit import audit
from kb.change import Change
from kb.config import shipped_config
from kb.evaluation import Evaluation
from kb.gist import gists
from kb.library import Library, open_library
from kb.reading import Loaded, read

SIZES = ((500, 100), (1_000, 200), (2_000, 400))
LARGEST = (10_000, 2_000)
GOAL_MS, GOAL_MB = 3_000.0, 500.0


def measure(largest: bool = False) -> list[Row]:
    """Rows of growing sizes; with `largest` the size of the goal among them."""
    return [row for size in (*SIZES, *((LARGEST,) if largest else ())) for row in _of(*size)]


def _of(evaluations: int, changes: int) -> Iterator[Row]:
    command = [sys.executable, "-m", "benchmarks.auditing", str(evaluations), str(changes)]
    told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    goal = (evaluations, changes) == LARGEST
    yield Row(
        f"outcomes of {evaluations} evaluations x {changes} changes (wall)",
        told["outcomes"],
        at_most_ms=GOAL_MS if goal else None,
        mb=together([*command, "--outcomes"]),  # apart: looking on takes time, too
        at_most_mb=GOAL_MB if goal else None,
        note=f"{told['claims']} claims, {told['outcomes'] / told['claims']:.2f} ms a claim",
    )
    yield Row(
        "  with every reason (processor time)",
        told["verdicts"],
        note=f"{told['reasons']} reasons, {told['verdicts'] / told['claims']:.2f} ms a claim",
    )


def synthetic(shipped: Library, evaluations: int, changes: int) -> Library:
    """The shipped components and vocabulary with as many synthetic records; no symbol tables."""
    kept = [each for each in shipped.loaded if not isinstance(each.record, Evaluation | Change)]
    made: dict[str, list[Loaded]] = {"evaluations": [], "changes": []}
    wanted = {"evaluations": evaluations, "changes": changes}
    alike = Alike()
    for path, text in generate(max(evaluations * 5 // 4 + 5, changes * 5 + 5), like_shipped=True):
        kind = path.split("/")[0]
        if len(made[kind]) < wanted[kind]:
            made[kind].append(read(Evaluation if kind == "evaluations" else Change, path, text, alike=alike))
    return replace(shipped, loaded=(*kept, *made["evaluations"], *made["changes"]))


def _judged(evaluations: int, changes: int, outcomes_alone: bool) -> dict[str, float]:
    """Milliseconds of one size, in this process and those that it starts."""
    library = synthetic(open_library(shipped_config()), evaluations, changes)
    start = time.perf_counter()
    claims = len(gists(library))
    told = {"claims": claims, "outcomes": (time.perf_counter() - start) * 1000}
    if outcomes_alone:
        return told
    start = time.process_time()
    verdicts = audit(library).verdicts
    return told | {
        "verdicts": (time.process_time() - start) * 1000,
        "reasons": sum(len(each.rulings) for each in verdicts),
    }


if __name__ == "__main__":
    print(json.dumps(_judged(int(sys.argv[1]), int(sys.argv[2]), "--outcomes" in sys.argv)))
