"""Readers of setups: command lines, logs, manifests, recipes, reports and lists of packages -> typed setup keys.

One module a kind, listed in `ALL`, each with NAME, `recognises(source)` and `read(source)`. Exactly one must recognise
a text; none or two is an error that lists what was tried. Nothing is guessed: what could not be read is said, and what
only a name suggests is a suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from kb.component import Component
from kb.setups.reading import Fact, Found, Missing, NotRead, Reading, SideFound, SideName, Suggestion
from kb.setups.source import MAX_BYTES, NotASetup, Source, decoded

__all__ = [
    "ALL", "Fact", "Missing", "NotASetup", "NotRead", "Reading", "SideFound", "Suggestion", "read_texts",
    "recognised", "text_of",
]  # fmt: skip


class Reader(Protocol):
    """What every module listed below offers."""

    NAME: str

    def recognises(self, source: Source) -> bool:
        """Whether a text is of this kind, told by its content."""

    def read(self, source: Source) -> Found:
        """Its instances and facts."""


ALL: tuple[str, ...] = (
    "collect_env",
    "command_lines",
    "compose",
    "describe",
    "dstack",
    "dynamo_config",
    "dynamo_graph",
    "helm_values",
    "image_list",
    "kustomize",
    "llmd_report",
    "llmd_scenario",
    "manifests",
    "pip_freeze",
    "recipe",
    "server_log",
    "server_metrics",
    "sglang_info",
    "srt_slurm",
    "transfer_config",
)
"""Every reader by module name."""


def readers() -> tuple[Reader, ...]:
    """The reader modules."""
    return tuple(cast(Reader, import_module(f"kb.setups.{name}")) for name in ALL)


def recognised(name: str, text: str) -> str | None:
    """The kind of a text, or None when no reader, or more than one, recognises it."""
    try:
        found = _kinds(Source(name, text))
    except NotASetup:
        return None
    return found[0].NAME if len(found) == 1 else None


def read_texts(
    texts: Iterable[tuple[str, str]],
    components: Mapping[str, Component] | None = None,
    sides: Sequence[SideName | None] = (),
    running: bool = False,
) -> Reading:
    """One setup out of named texts, each of the side at its place in `sides`, if it has one; with `running` of what
    runs, and not of what was measured. Raises NotASetup for a text that cannot be read as one."""
    from kb.setups.lacking import lacking
    from kb.setups.merging import Part, merged

    parts = []
    for n, (name, text) in enumerate(texts):
        source = Source(name, text)
        reader = _reader(source)
        parts.append(Part(name, reader.NAME, reader.read(source), sides[n] if n < len(sides) else None))
    if not parts:
        raise NotASetup("no file is named", "give a command line, a log, a manifest...")
    reading = merged(parts, components or {}, running)
    return replace(reading, missing=lacking(reading.setup))


def _kinds(source: Source) -> list[Reader]:
    return [each for each in readers() if each.recognises(source)]


def _reader(source: Source) -> Reader:
    found = _kinds(source)
    tried = ", ".join(each.NAME for each in readers())
    if len(found) == 1:
        return found[0]
    if found:
        several = " and ".join(each.NAME for each in found)
        raise NotASetup(
            f"{source.name} could be of {several}", "give the part that describes the setup in a file of its own"
        )
    raise NotASetup(f"{source.name} describes no setup that can be read here", f"tried {tried}")


def text_of(path: Path) -> str:
    """The text of a file, as far as it is read. Raises NotASetup."""
    try:
        if path.is_dir():
            raise NotASetup(f"{path} is a folder", "name the files in it")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES)
    except OSError as error:
        raise NotASetup(f"{path} cannot be read: {error.strerror}") from None
    return decoded(data, str(path))
