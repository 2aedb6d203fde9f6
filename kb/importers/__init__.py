"""Importers of result files, one module each; its docstring says which tool and versions write the format.

An importer has NAME, TOOL, `recognises(source)` (by content, cheap) and `read(source)` yielding runs. Exactly one must
recognise a file; none or several is an answer that lists what was tried. It raises NotResults for a file that it knows
and that holds no performance results.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from kb.errors import KbError
from kb.importers.findings import judged
from kb.importers.names import suggestions
from kb.importers.run import Declined, Imported, Run, Suggestion
from kb.importers.source import Source, Unreadable, open_file, open_stdin

__all__ = ["MODULES", "Importer", "NotResults", "find", "importers", "names", "read", "read_source"]


class NotResults(Exception):
    """A file that an importer knows and that holds no results for us; one sentence why."""


class Importer(Protocol):
    """What every module of this folder that is listed below offers."""

    __doc__: str
    NAME: str
    TOOL: str

    def recognises(self, source: Source) -> bool:
        """Whether this tool wrote it, told by content."""

    def read(self, source: Source) -> Iterator[Run]:
        """Its runs. Raises NotResults or Unreadable."""


MODULES = (
    "vllm_bench",
    "vllm_offline",
    "vllm_console",
    "vllm_table",
    "sglang_bench",
    "guidellm",
    "aiperf",
    "genai_perf",
    "inference_perf",
    "trtllm_console",
    "trtllm_report",
    "lmcache_engine",
    "lmcache_scripts",
    "lmcache_requests",
    "nixlbench",
    "mlperf",
    "llmperf",
    "llmd",
    "prism",
    "inferencex",
    "foreign",
    "table",
)
"""Every importer by module name."""


LARGEST_SETUP = 1 << 20
"""Bytes up to which a file that is no result is looked at as a setup, only to say so."""


@lru_cache(maxsize=1)
def importers() -> tuple[Importer, ...]:
    """The importer modules."""
    return tuple(cast(Importer, import_module(f"kb.importers.{name}")) for name in MODULES)


def names() -> tuple[str, ...]:
    """Their names."""
    return tuple(each.NAME for each in importers())


def find(name: str) -> Importer:
    """An importer by name. Raises KbError with the nearest."""
    for each in importers():
        if name.casefold() in {each.NAME, each.TOOL.casefold()}:
            return each
    from kb.suggest import did_you_mean

    raise KbError(f"no importer is called {name!r}", did_you_mean(name, names()) or f"there are: {', '.join(names())}")


def read(paths: Iterable[str], tool: str | None = None, tell: Callable[[int, int], None] | None = None) -> Imported:
    """Files, folders and `-`, in this order; `tell(done, total)` is called before each file."""
    wanted = find(tool) if tool else None
    runs: list[Run] = []
    declined: list[Declined] = []
    named = tuple(paths)
    files = list(_files(named))
    for done, path in enumerate(files):
        if tell:
            tell(done, len(files))
        got = _read_one(path, wanted, path in named)
        runs += got.runs
        declined += got.declined
    return Imported(judged(runs), tuple(declined))


def _files(paths: Iterable[str]) -> Iterator[str]:
    """Each file once; a folder gives the files below it by name, hidden ones left out."""
    seen: set[str] = set()
    for path in paths:
        for each in [path] if path == "-" or not Path(path).is_dir() else _below(Path(path)):
            key = each if each == "-" else os.path.realpath(each)
            if key not in seen:
                seen.add(key)
                yield each


def _below(folder: Path) -> Iterator[str]:
    waiting = [str(folder)]  # no recursion: folders may lie in one another a thousand deep
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                entries = sorted((each for each in found if not each.name.startswith(".")), key=lambda each: each.name)
        except OSError:
            continue
        yield from (str(Path(each.path)) for each in entries if not Path(each.path).is_dir())
        waiting += [each.path for each in reversed(entries) if each.is_dir(follow_symlinks=False)]


def _read_one(path: str, wanted: Importer | None, named: bool = True) -> Imported:
    """One file. A pipe is read where it was named; one that lies in a folder might never be written to."""
    try:
        if not named and Path(path).exists() and not Path(path).is_file():
            return Imported(declined=(Declined(path, "is no regular file"),))
        with open_stdin() if path == "-" else open_file(Path(path)) as source:
            return read_source(source, wanted)
    except OSError as error:
        return Imported(declined=(Declined(path, f"cannot be opened: {error.strerror or error}"),))


def read_source(source: Source, wanted: Importer | None = None) -> Imported:
    """The runs of one opened file, or why there are none."""
    try:
        chosen = wanted or _recognised(source)
        if isinstance(chosen, Declined):
            return Imported(declined=(chosen,))
        return _runs(chosen, source)
    except Unreadable as error:
        return Imported(declined=(Declined(source.name, f"cannot be read: {' '.join(str(error).split())}"),))


def _recognised(source: Source) -> Importer | Declined:
    if source.shape in {"empty", "binary"}:
        return Declined(source.name, "is empty" if source.shape == "empty" else "is no text")
    found = [each for each in importers() if each.recognises(source)]
    if len(found) == 1:
        return found[0]
    if found:
        several = " and ".join(each.NAME for each in found)
        return Declined(source.name, f"could be of {several}; name one with --tool", tuple(each.NAME for each in found))
    if (setup := _setup_kind(source)) is not None:
        return Declined(source.name, f"is a setup, not results ({setup})", names())
    return Declined(source.name, f"is no result file known here ({source.shape}); tried {', '.join(names())}", names())


def _setup_kind(source: Source) -> str | None:
    """What kind of setup a file is, where one of their readers knows it."""
    from kb.setups import recognised

    return recognised(source.name, source.text) if source.size <= LARGEST_SETUP else None


def _runs(chosen: Importer, source: Source) -> Imported:
    """What one importer reads; a file that breaks off keeps the runs before the break, and the last says so."""
    hints = suggestions(source.name)
    runs: list[Run] = []
    try:
        for run in chosen.read(source):
            runs.append(replace(run, suggestions=_unknown(run, hints)))
    except NotResults as error:
        return Imported(tuple(runs), (Declined(source.name, str(error)),))
    except Unreadable as error:
        if not runs:
            raise
        runs[-1] = replace(runs[-1], not_understood=(*runs[-1].not_understood, f"what follows it: {error}"))
    if not runs:
        return Imported(declined=(Declined(source.name, f"holds no runs ({chosen.NAME})"),))
    if source.repeated:
        said = f"keys that stand twice, the last one counts: {', '.join(source.repeated)}"
        runs = [replace(run, not_understood=(*run.not_understood, said)) for run in runs]
    if source.shape in {"yaml", "table", "text"} and not source.ends_whole:
        cut = "the last line has no end: the file may have been cut there"
        runs[-1] = replace(runs[-1], not_understood=(*runs[-1].not_understood, cut))
    return Imported(tuple(runs))


def _unknown(run: Run, hints: Iterable[Suggestion]) -> tuple[Suggestion, ...]:
    """Hints at facts that the file does not state itself."""
    stated = {*run.setup, *(f"where.{key}" for key in run.where)}
    return (*run.suggestions, *(hint for hint in hints if hint.key not in stated))
