"""Findings on imported runs (KB3xx), one module each; its docstring is its page.

A finding has CODE, NAME, SEVERITY and `check(runs)` yielding which run it is about and what to say. It looks at what
the files state: a value that cannot be right is said, never corrected. Codes are grouped, with gaps: 300 to 309
requests and load, 310 to 319 latencies against each other, 320 to 329 single numbers, 330 to 339 against what was asked
for, 340 to 349 the file. A code is never used again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from typing import Protocol, cast

from kb.finding import Finding
from kb.importers.run import Run
from kb.vocabulary import Severity


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of one run, by its position among the runs looked at."""

    run: int
    message: str
    hint: str | None = None


class Kind(Protocol):
    """What every module of this folder offers."""

    __doc__: str
    CODE: str
    NAME: str
    SEVERITY: Severity

    def check(self, runs: Sequence[Run]) -> Iterator[Said]:
        """What is to be said of these runs, all of one import."""


MODULES = (
    "nothing_completed",
    "many_failed",
    "some_failed",
    "saturated",
    "all_at_once",
    "latencies_do_not_add_up",
    "blank_lines_counted",
    "several_tokens_per_chunk",
    "first_chunk_without_token",
    "zero_latency",
    "not_a_number",
    "percentiles_turned_round",
    "negative_value",
    "concurrency_not_reached",
    "lengths_not_as_asked",
    "few_requests",
    "same_run_twice",
    "read_in_part",
)
"""Every finding by module name, in the order of codes."""


@lru_cache(maxsize=1)
def kinds() -> tuple[Kind, ...]:
    """The modules, in the order of their codes."""
    return tuple(cast(Kind, import_module(f"kb.importers.findings.{name}")) for name in MODULES)


def find(name: str) -> Kind | None:
    """A finding by its code or name."""
    return next((each for each in kinds() if name.casefold() in {each.CODE.casefold(), each.NAME}), None)


def names() -> tuple[str, ...]:
    """Every code and name."""
    return tuple(word for each in kinds() for word in (each.CODE, each.NAME))


def judged(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs with what is to be said of each."""
    found: dict[int, list[Finding]] = {}
    several = {run.file for run in runs if run.record > 1}
    for kind in kinds():
        for said in kind.check(runs):
            run = runs[said.run]
            message = f"run {run.record}: {said.message}" if run.file in several else said.message
            finding = Finding(run.file, 1, kind.CODE, message, kind.NAME, kind.SEVERITY, said.hint)
            found.setdefault(said.run, []).append(finding)
    return tuple(replace(run, findings=(*run.findings, *found.get(n, ()))) for n, run in enumerate(runs))
