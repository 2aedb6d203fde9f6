"""Raw result files kept beside a record, in `<id>/raw/`; secrets are taken out on the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from kb.arranging.arms import folder_of
from kb.errors import KbError
from kb.files import write_text
from kb.importers.run import Imported
from kb.redact import redacted

MAX_BYTES = 20 << 20
"""Largest raw file that is kept in a base; git is no store for more."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to keep: its place below `raw/` and its text."""

    name: str
    text: str


def attachments(got: Imported) -> list[Attachment]:
    """The files that runs were read from. Raises KbError for one that cannot be kept."""
    shared = folder_of(got.runs) or PurePath()
    return [_attachment(file, shared) for file in dict.fromkeys(run.file for run in got.runs if run.file != "-")]


def _attachment(file: str, shared: PurePath) -> Attachment:
    path = Path(file)
    if path.stat().st_size > MAX_BYTES:
        raise KbError(
            f"{file} is larger than {MAX_BYTES >> 20} MiB", "leave --attach out, and say where the raw files are"
        )
    name = PurePath(file).relative_to(shared) if shared.parts else PurePath(file)
    safe = [part for part in name.parts if part not in {"..", "/", "\\"}]
    return Attachment("/".join(safe), redacted(path.read_bytes().decode("utf-8-sig", errors="replace")))


def attach(folder: Path, raw: Iterable[Attachment]) -> list[Path]:
    """Write what is not there yet in these words; the files written."""
    return [path for path, each in _places(folder, raw) if _written(path, each.text)]


def new(folder: Path, raw: Sequence[Attachment]) -> list[Attachment]:
    """Those that are not there yet in these words."""
    return [each for path, each in _places(folder, raw) if not _same(path, each.text)]


def _places(folder: Path, raw: Iterable[Attachment]) -> list[tuple[Path, Attachment]]:
    return [(folder / "raw" / each.name, each) for each in raw]


def _same(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode("utf-8")


def _written(path: Path, text: str) -> bool:
    if _same(path, text):
        return False
    write_text(path, text)
    return True
