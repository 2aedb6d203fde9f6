"""`python -m benchmarks audit`: verdicts over a large base; time, memory and growth.

Evaluations and changes are synthetic (benchmarks.generate) beside the shipped components; every pin is stated. Reading
the records is not part of it. The issue's bound is 3 s and 500 MB for 10,000 evaluations x 2,000 changes on 2 cores.
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
from kb.library import Library, open_library
from kb.reading import Loaded, read

SIZES = ((500, 100), (1_000, 200), (2_000, 400))


def measure(largest: bool = False) -> list[Row]:
    """Seconds of one audit at growing sizes; with `largest` the size that the issue names."""
    shipped = open_library(shipped_config())
    rows = []
    for evaluations, changes in (*SIZES, *(((10_000, 2_000),) if largest else ())):
        library = _library(shipped, evaluations, changes)
        before = _megabytes()
        start = time.process_time()
        found = audit(library)
        ms = (time.process_time() - start) * 1000
        claims = len(found.verdicts)
        note = f"{claims} claims, {_megabytes() - before:.0f} MB more, {ms / claims:.2f} ms a claim"
        bound = 3_000.0 if evaluations == 10_000 else None
        rows.append(Row(f"audit of {evaluations} evaluations x {changes} changes", ms, at_most_ms=bound, note=note))
    return rows


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _library(shipped: Library, evaluations: int, changes: int) -> Library:
    """The shipped components and vocabulary with as many synthetic records; no symbol tables."""
    kept = [each for each in shipped.loaded if not isinstance(each.record, Evaluation | Change)]
    made: dict[str, list[Loaded]] = {"evaluations": [], "changes": []}
    wanted = {"evaluations": evaluations, "changes": changes}
    for path, text in generate(max(evaluations * 5 // 4 + 5, changes * 5 + 5), like_shipped=True):
        kind = path.split("/")[0]
        if len(made[kind]) < wanted[kind]:
            made[kind].append(read(Evaluation if kind == "evaluations" else Change, path, text))
    return replace(shipped, loaded=(*kept, *made["evaluations"], *made["changes"]))
