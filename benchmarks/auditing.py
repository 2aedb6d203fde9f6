"""`python -m benchmarks audit [--largest]`: verdicts over a large base; time, memory and growth.

Evaluations and changes are synthetic (benchmarks.generate) beside the shipped components; every pin is stated. Reading
the records is not part of it. Outcomes with what decided each (kb.gist: what a search, a count and `--fail-on` need)
are told in wall time, because both processors work; verdicts with every reason in processor time. The goal is 3 s and
500 MB for the outcomes of 10,000 evaluations x 2,000 changes on 2 cores.
"""

from __future__ import annotations

import resource
import time
from dataclasses import replace

import kb.start  # noqa: F401 (the collector runs as seldom as in the command)
from benchmarks.generate import generate
from benchmarks.timing import Row
from kb.audit import audit
from kb.change import Change
from kb.config import shipped_config
from kb.evaluation import Evaluation
from kb.gist import gists
from kb.library import Library, open_library
from kb.reading import Loaded, read

SIZES = ((500, 100), (1_000, 200), (2_000, 400))
LARGEST = (10_000, 2_000)


def measure(largest: bool = False) -> list[Row]:
    """Rows of growing sizes; with `largest` the size of the goal among them."""
    shipped = open_library(shipped_config())
    rows = []
    for evaluations, changes in (*SIZES, *((LARGEST,) if largest else ())):
        library = synthetic(shipped, evaluations, changes)
        size = f"{evaluations} evaluations x {changes} changes"
        before, start = _megabytes(), time.perf_counter()
        claims = len(gists(library))
        ms = (time.perf_counter() - start) * 1000
        note = f"{claims} claims, {_megabytes(children=True) - before:.0f} MB more in the largest process"
        goal = 3_000.0 if (evaluations, changes) == LARGEST else None
        rows.append(
            Row(f"outcomes of {size} (wall)", ms, at_most_ms=goal, note=f"{note}, {ms / claims:.2f} ms a claim")
        )
        before, start = _megabytes(), time.process_time()
        verdicts = audit(library).verdicts
        ms = (time.process_time() - start) * 1000
        note = f"{sum(len(each.rulings) for each in verdicts)} reasons, {_megabytes() - before:.0f} MB more"
        rows.append(Row("  with every reason (processor time)", ms, note=f"{note}, {ms / claims:.2f} ms a claim"))
    return rows


def _megabytes(children: bool = False) -> float:
    """The most memory that this process, or with `children` any of them too, ever held."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    others = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if children else 0
    return max(own, others) / 1024


def synthetic(shipped: Library, evaluations: int, changes: int) -> Library:
    """The shipped components and vocabulary with as many synthetic records; no symbol tables."""
    kept = [each for each in shipped.loaded if not isinstance(each.record, Evaluation | Change)]
    made: dict[str, list[Loaded]] = {"evaluations": [], "changes": []}
    wanted = {"evaluations": evaluations, "changes": changes}
    for path, text in generate(max(evaluations * 5 // 4 + 5, changes * 5 + 5), like_shipped=True):
        kind = path.split("/")[0]
        if len(made[kind]) < wanted[kind]:
            made[kind].append(read(Evaluation if kind == "evaluations" else Change, path, text))
    return replace(shipped, loaded=(*kept, *made["evaluations"], *made["changes"]))
