"""`kb new evaluation ID --from RESULTS`: result files -> a record that reads and computes, with table and raw files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path
from typing import Any

from kb.arranging import arms as arming
from kb.arranging.attaching import Attachment, attach, attachments
from kb.arranging.draft import Arranged, arrange
from kb.arranging.factors import Factor, factors
from kb.arranging.outline import claims, record_text
from kb.arranging.surroundings import look
from kb.completeness import missing_facts
from kb.config import Config
from kb.errors import KbError
from kb.evaluation import Evaluation
from kb.files import alone, write_text
from kb.importers import read as read_results
from kb.importers.run import Imported, Run
from kb.library import open_library
from kb.reading import Loaded, Unreadable
from kb.reading import read as read_record
from kb.record import free_path, from_here
from kb.results import FILE
from kb.setups.lacking import where_found
from kb.vocabulary import Kind

WHERE = {
    "question": "`kb search` and entries/vocabulary.yaml: what others set out to answer",
    "source.relation": "who measured: the vendor, a maintainer, somebody independent, or you",
}
"""Where facts are found that are no setup keys."""


@dataclass(frozen=True)
class Wanted:
    """What the caller says of the results."""

    paths: tuple[str, ...]
    arms: tuple[str, ...] = ()
    """NAME=PATH each."""
    arm_by: str | None = None
    baseline: str | None = None
    attach: bool = False
    tool: str | None = None


@dataclass(frozen=True)
class Begun:
    """A record that was begun from results."""

    path: str
    arranged: Arranged
    factors: tuple[Factor, ...]
    missing: tuple[tuple[str, str], ...]
    got: Imported
    files: tuple[str, ...] = ()
    proposed: int = 0
    where: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The keys cli.md promises, and what was made of the results."""
        return {
            "path": self.path,
            "missing": [fact for fact, _ in self.missing],
            "why": dict(self.missing),
            "where": dict(self.where),
            "files": list(self.files),
            "runs": len(self.got.runs),
            "points": len(self.arranged.points),
            "claims": self.proposed,
            "arms": [{"id": each.id, "runs": len(each.runs), "said": each.said} for each in self.arranged.groups],
            "factors": [each.as_dict() for each in self.factors],
            "said": list(self.arranged.said),
            "suggested": list(self.arranged.suggested),
            "declined": [each.as_dict() for each in self.got.declined],
        }


def begin(config: Config, id_: str, wanted: Wanted, tell: Callable[[int, int], None] | None = None) -> Begun:
    """Read, arrange, write. Raises KbError when nothing was read; then nothing is written."""
    path = free_path(config, Kind.EVALUATION, id_)
    got = results(wanted, tell)
    library = open_library(config)
    parts = split(got.runs, wanted)
    around = look(got, parts.groups, library.components)
    arranged = arrange(id_, parts, around, wanted.baseline, library.components)
    text, table = record_text(arranged, "TODO one line that tells this evaluation from its neighbours", library.metrics)
    loaded = checked(path.name, text, table)
    raw = attachments(got) if wanted.attach else []
    with alone(path.parent):
        free_path(config, Kind.EVALUATION, id_)  # results take their time; somebody may have come first
        files = _write(path, text, table, raw)
    missing = tuple(_missing(loaded))
    return Begun(
        from_here(path),
        arranged,
        factors(got.runs),
        missing,
        got,
        tuple(map(from_here, files)),
        len(claims(arranged, library.metrics)),
        {key: WHERE.get(key) or where_found(key) for key, _ in missing},
    )


def results(wanted: Wanted, tell: Callable[[int, int], None] | None) -> Imported:
    """The runs of what was named. Raises KbError when there are none."""
    paths = dict.fromkeys([*wanted.paths, *(path for each in wanted.arms for path in _files(each, wanted.paths))])
    got = read_results(list(paths), wanted.tool, tell)
    if not got.runs:
        first = f": {got.declined[0].file} {got.declined[0].why}" if got.declined else ""
        raise KbError(f"no run was read{first}", "`kb import PATH` says what each file is")
    return got


def _files(arm: str, folders: Sequence[str]) -> list[str]:
    """What an arm's path or pattern names on disk, beside what is read anyway."""
    path = arm.partition("=")[2]
    if not path or Path(path).exists():
        return [path] if path else []
    found = sorted(glob(path, recursive=True))  # noqa: PTH207 - a pattern as the shell has it, absolute or not
    return found or ([] if folders else [path])


def split(runs: Sequence[Run], wanted: Wanted) -> arming.Split:
    """Runs by arm: as said, else inferred."""
    if wanted.arms and wanted.arm_by:
        raise KbError("--arm and --arm-by are two ways to say the same", "use one of them")
    if wanted.arms:
        found = arming.by_paths(runs, wanted.arms, wanted.paths)
    else:
        found = arming.by_field(runs, wanted.arm_by) if wanted.arm_by else arming.inferred(runs)
    names = [group.id for group in found.groups]
    if wanted.baseline and wanted.baseline not in names:
        raise KbError(f'no arm is called "{wanted.baseline}"', f"arms: {', '.join(names)}")
    return found


def checked(name: str, text: str, table: str | None) -> Loaded:
    """The record as anybody will read it. A draft that cannot be read is a fault of ours."""
    try:
        return read_record(Evaluation, name, text, lambda: table or "")
    except Unreadable as error:
        first = error.findings[0]
        raise RuntimeError(f"the draft cannot be read: {first.path}:{first.line}: {first.message}") from error


def _write(path: Path, text: str, table: str | None, raw: Sequence[Attachment]) -> list[Path]:
    """The record last: until then nothing refers to the rest."""
    folder = path.with_suffix("")
    files = []
    if table is not None:
        write_text(folder / FILE, table)
        files.append(folder / FILE)
    files += attach(folder, raw)
    write_text(path, text)
    return files


def _missing(loaded: Loaded) -> list[tuple[str, str]]:
    record = loaded.record
    assert isinstance(record, Evaluation)
    asked = [("question", "two results are rivals only on the same question")]
    asked.append(("source.relation", "a vendor's figure and an independent one are read differently"))
    return [*asked, *((fact.key, fact.why) for fact in missing_facts(record))]
