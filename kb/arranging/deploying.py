"""`kb new deployment ID --from ...`: what command lines and files say of a deployment -> its record.

Only what they state stands in it as a fact; what they leave open is `unknown`; what could not be read, or is only
likely, stands in comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from kb.arranging.writing import block, remark, scalar
from kb.asked import read_files
from kb.config import Config
from kb.deployment import Deployment
from kb.errors import KbError
from kb.files import alone, write_text
from kb.library import Library, open_library
from kb.reading import Unreadable
from kb.reading import read as read_record
from kb.record import free_path, from_here
from kb.setups import Fact, Missing, Reading
from kb.vocabulary import NOTHING, UNKNOWN, Kind

MEASURING = ("points.", "client.", "slo.")
"""Facts of a measurement, which nobody asks of what runs."""
LOAD = frozenset({"workload.input_tokens", "workload.output_tokens", "workload.request_rate"})
"""What is asked of the load of a deployment."""
LONGEST = 400
"""Letters of a comment: a command line can be long."""


@dataclass(frozen=True)
class Deployed:
    """A record of a deployment that was written."""

    path: str
    reading: Reading
    unknown: tuple[Missing, ...]
    """What is `unknown` in it because nothing that was read states it."""
    defaulted: tuple[Missing, ...]
    """What nothing sets, and some component has a default for: `unknown` would deny that the default is in force."""
    strangers: tuple[Fact, ...]
    """Components of which the base has no record: no check would let them stand."""

    def as_dict(self) -> dict[str, Any]:
        """The keys cli.md promises, and what was read."""
        return {
            "path": self.path,
            "missing": [each.key for each in self.unknown],
            "why": {each.key: each.why for each in self.unknown},
            "where": {each.key: each.where for each in self.unknown},
            "defaulted": [each.key for each in self.defaulted],
            "strangers": [each.value for each in self.strangers],
        } | {key: value for key, value in self.reading.as_dict().items() if key != "missing"}


def deploy(config: Config, id_: str, names: Sequence[str]) -> Deployed:
    """Read as `kb audit --for` reads, and write. Raises KbError when nothing was read, WriteRefused where the id is
    taken; then nothing is written."""
    path = free_path(config, Kind.DEPLOYMENT, id_)
    library = open_library(config)
    reading = read_files(names, library)
    if not reading.read:
        said = f": {reading.not_read[0]}" if reading.not_read else ""
        raise KbError(f"nothing was read that describes a deployment{said}", f"kb new deployment {id_} has a template")
    asked = [each for each in reading.missing if _of_what_runs(each.key)]
    defaults = _with_default(library)
    made = Deployed(
        from_here(path),
        reading,
        tuple(each for each in asked if each.key not in defaults),
        tuple(each for each in asked if each.key in defaults),
        tuple(
            each
            for each in reading.read
            if each.key.endswith(".component") and each.value not in {*library.components, NOTHING}
        ),
    )
    text = record_text(id_, made)
    _check(path.name, text)
    with alone(path.parent):
        free_path(config, Kind.DEPLOYMENT, id_)  # somebody may have come first
        write_text(path, text)
    return made


def _with_default(library: Library) -> frozenset[str]:
    """Setup keys for which some release of some component states the value in force when nothing is set."""
    facts = (each for component in library.components.values() for each in component.facts)
    keys = {key for each in facts for key in each.defaults}
    return frozenset(
        keys | {f"both.{key.partition('.')[2]}" for key in keys if key.startswith(("prefill.", "decode."))}
    )


def _of_what_runs(key: str) -> bool:
    return key in LOAD or not key.startswith((*MEASURING, "workload."))


def record_text(id_: str, made: Deployed) -> str:
    """The record: facts, what is unknown, and in comments what it was read of and what was not read."""
    return "\n".join(_lines(id_, made)) + "\n"


def _lines(id_: str, made: Deployed) -> Iterator[str]:
    reading = made.reading
    yield from ("schema_version: 1", f"id: {id_}", f"title: {scalar(_title(id_, reading))}")
    yield "# summary: what it serves, in a sentence"
    yield "# owner: our team"
    for name, kind in reading.files:
        yield f"# read of {_comment(name)} ({kind})"
    yield "setup:"
    yield from block(_without(_with_unknown(reading.fields(), made.unknown), made.strangers), 2)
    if made.defaulted:
        keys = ", ".join(each.key for each in made.defaulted)
        yield f"# Nothing that was read sets {keys}: the defaults of what runs are taken."
    for each in made.strangers:
        yield f"# {each.key} {_comment(each.value)}: this base has no record of it"
    if reading.suggestions:
        yield "# Likely, and stated nowhere; write it above where you know it:"
        yield from (f"#   {_comment(str(each))}" for each in reading.suggestions)
    if reading.not_read:
        yield "# Not read; write above what it says of the setup:"
        yield from (f"#   {_comment(str(each))}" for each in reading.not_read)


def _title(id_: str, reading: Reading) -> str:
    """Of what was read, so that nobody has to make one up."""
    values = reading.values()
    runs = values.get("engine.component") or values.get("engine.name")
    serves = values.get("model")
    said = " ".join(filter(None, (runs, f"serving {serves}" if serves else None)))
    return f"{id_}: {said}" if said else id_


def _comment(text: str) -> str:
    line = remark(text)
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def _with_unknown(tables: dict[str, Any], asked: Sequence[Missing]) -> dict[str, Any]:
    """The facts, and `unknown` for what is asked and not there."""
    whole = deepcopy(tables)
    for each in asked:
        *path, last = each.key.split(".")
        here = whole
        for step in path:
            here = here.setdefault(step, {})
        here.setdefault(last, UNKNOWN)
    return whole


def _without(tables: dict[str, Any], strangers: Iterable[Fact]) -> dict[str, Any]:
    """The tables without components that the base has no record of."""
    roles = {each.key.partition(".")[0] for each in strangers}
    return {
        key: {name: each for name, each in value.items() if name != "component"} if key in roles else value
        for key, value in tables.items()
    }


def _check(name: str, text: str) -> None:
    """A record that cannot be read is a fault of ours."""
    try:
        read_record(Deployment, name, text)
    except Unreadable as error:
        first = error.findings[0]
        raise RuntimeError(f"the record cannot be read: {first.path}:{first.line}: {first.message}") from error
