"""Files that look like records and lie where none is read: each with where it belongs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from kb.config import Base
from kb.finding import Finding
from kb.places import FOLDERS, VOCABULARY, shown_path
from kb.suggest import nearest

ENDINGS = frozenset({".md", ".markdown", ".mdown", ".mkd", ".yaml", ".yml"})
HEAD = 4096
"""Bytes looked at to tell a record from notes."""

_FIELD = re.compile(r"^(?:id|translates|schema_version):", re.MULTILINE)


def strays(base: Base) -> Iterator[Finding]:
    """A finding for each file of the base that would be a record somewhere else or under another name."""
    for folder, folders, names in os.walk(base.entries):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        ending = FOLDERS.get(os.path.relpath(folder, base.entries))
        for name in sorted(names):
            if ending and name.endswith(ending) and not os.path.islink(f"{folder}/{name}"):  # noqa: PTH114
                continue  # in its place, as thousands are: a Path takes longer to make than to look
            path = Path(folder) / name
            if (hint := _hint(path, base.entries)) is not None:
                yield Finding(
                    shown_path(path, base), 1, "KB100", "not read: no record lies here", "wrong-place", hint=hint
                )


def _hint(path: Path, entries: Path) -> str | None:
    """Where the file belongs; None when it is in its place, or is none of ours."""
    if _leads_nowhere(path) and (path.suffix.lower() in ENDINGS or path.relative_to(entries).as_posix() in FOLDERS):
        return "a link that leads nowhere, or round in a circle: mend it or remove it"
    if path.suffix.lower() not in ENDINGS or path.name.startswith(("_", ".", "README", "readme", "Readme")):
        return None
    where = path.relative_to(entries).parts[:-1]
    if not where:
        return _in_the_top(path)
    if where[0] not in FOLDERS:
        meant = nearest(where[0], FOLDERS)
        return f"did you mean {entries.name}/{meant}/{path.name}?" if meant and _is_record(path) else _top_hint(path)
    ending = FOLDERS[where[0]]
    if len(where) == 1:
        return None if path.name.endswith(ending) else f"rename it to {path.stem}{ending}"
    return f"move it to {entries.name}/{where[0]}/{path.stem}{ending}" if _is_record(path) else None


def _leads_nowhere(path: Path) -> bool:
    try:
        return path.is_symlink() and not path.exists()
    except (OSError, RuntimeError):  # a circle, as Python has it before 3.13
        return True


def _in_the_top(path: Path) -> str | None:
    if path.name == VOCABULARY:
        return None
    if path.stem == Path(VOCABULARY).stem:
        return f"rename it to {VOCABULARY}"
    return _top_hint(path)


def _top_hint(path: Path) -> str | None:
    if not _is_record(path):
        return None
    kinds = [folder for folder, ending in FOLDERS.items() if (ending == ".md") == path.suffix.lower().startswith(".m")]
    return f"move it to entries/{' or entries/'.join(kinds)}"


def _is_record(path: Path) -> bool:
    """Whether the text begins as a record does; notes and attachments do not."""
    if not path.is_file():  # a pipe would be waited for
        return False
    try:
        with path.open("rb") as file:
            text = file.read(HEAD).decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff")
    except OSError:
        return False
    fielded = path.suffix.lower() in {".yaml", ".yml"} or text.startswith("---\n")
    return fielded and _FIELD.search(text) is not None
