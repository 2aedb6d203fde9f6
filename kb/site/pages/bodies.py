"""A record's text with the links of its own that lead to other records."""

from __future__ import annotations

import posixpath
import re
from typing import Any
from urllib.parse import unquote

from kb.evaluation import Evaluation, Translation
from kb.reading import Loaded
from kb.site import address
from kb.site.gather import Gathered
from kb.vocabulary import Kind

_TARGET = re.compile(
    r"\]\(\s*(?:<([^>\n]+)>|([^)\s]+))|^\s*\[[^\]]+\]:\s*<?(\S+?)>?\s*$|href\s*=\s*[\"']([^\"']+)", re.MULTILINE
)


def body(loaded: Loaded, gathered: Gathered) -> dict[str, Any] | None:
    """The text, and the address of every record it links to by file or id."""
    text = loaded.body.strip("\n")
    if not text.strip():
        return None
    targets = dict.fromkeys(one for found in _TARGET.findall(text) for one in found if one)
    links = {
        target: found for target in targets if (found := _page(target, gathered) or _file(target, loaded, gathered))
    }
    return {"text": text, "links": links}


def _file(target: str, loaded: Loaded, gathered: Gathered) -> str | None:
    """The copy of a file that lies in the record's own folder: `<id>/raw/run.json`."""
    if not isinstance(record := loaded.record, Evaluation | Translation):
        return None
    id_ = record.id if isinstance(record, Evaluation) else record.translates
    name = posixpath.normpath(unquote(target)).removeprefix(f"{id_}/")
    found = next((each.target for each in gathered.attached.get(id_, ()) if each.name == name), None)
    return f"{address.folder(Kind.EVALUATION, id_)}/{found}" if found else None


def _page(target: str, gathered: Gathered) -> str | None:
    """The page that `other-id.md`, `../changes/id.md` or a bare id means."""
    place, mark, part = target.partition("#")
    if not place or "://" in place or place.startswith(("mailto:", "/")):
        return None
    name = posixpath.basename(place)
    stem, ending = posixpath.splitext(name)
    id_ = stem.split(".")[0] if ending in {".md", ".yaml"} and stem not in gathered.records else stem
    wanted = id_ if ending in {".md", ".yaml"} else place
    found = gathered.records.get(wanted) or _by_alias(wanted, gathered)
    if found is None:
        return None
    kind, record = found
    return address.page(kind, record.id) + (f"{mark}{part}" if part else "")


def _by_alias(name: str, gathered: Gathered) -> Any:
    for names in gathered.library.answering.values():
        for id_ in sorted(names.get(name.casefold(), ())):
            if id_ in gathered.records:
                return gathered.records[id_]
    return None
