"""A link inside the base that leads nowhere.

## What it flags
A Markdown link in the body to a record's file that does not exist, or to a bare id that no record answers to. Web
addresses, anchors within the page and attachments are not judged; neither is text in code.

## Why it matters
Readers follow links to the evidence; a dead one looks like evidence that was removed.

## Example
    ---
    See [the other measurement](no-such-evaluation.md).

## What to do
Correct the target: `other-id.md` beside this file, `../changes/that-id.md`, or the bare id.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from kb.finding import Problem
from kb.library import Library
from kb.reading import Loaded
from kb.suggest import did_you_mean
from kb.vocabulary import Severity

CODE = "KB117"
NAME = "broken-link"
SEVERITY = Severity.ERROR

_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^)\n]*)?\s*\)")
_CODE = re.compile(r"`[^`\n]*`")
_ID = re.compile(r"[a-z0-9][a-z0-9.\-]*")


def check(loaded: Loaded, library: Library) -> Iterator[Problem]:
    """Targets that no record has."""
    if "](" not in loaded.body:
        return
    fenced = False
    for n, line in enumerate(loaded.body.splitlines()):
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        if not fenced:
            for target in _LINK.findall(_CODE.sub("", line)):
                yield from _judge(("body", n), target, loaded, library)


def _judge(loc: tuple[str, int], target: str, loaded: Loaded, library: Library) -> Iterator[Problem]:
    place = target.partition("#")[0]
    if not place or "://" in place or place.startswith(("mailto:", "/")):
        return
    if place.endswith((".md", ".yaml")):
        mount, colon, path = loaded.path.rpartition(":")
        file = mount + colon + posixpath.normpath(posixpath.join(posixpath.dirname(path), place))
        if file not in library.paths and _in_a_folder_of_records(file):
            yield Problem(loc, f'the link "{target}" leads to no file of this base', _hint(file, library))
    elif "/" not in place and _ID.fullmatch(place) and not _is_known(place, library):
        known = [name for names in library.answering.values() for name in names]
        yield Problem(loc, f'the link "{target}" is no id of a record', did_you_mean(place, known))


def _is_known(id_: str, library: Library) -> bool:
    """Whether a record answers to the id, or is there and cannot be read."""
    ends = (f"/{id_}.md", f"/{id_}.yaml")
    answers = any(id_.casefold() in names for names in library.answering.values())
    return answers or any(path.endswith(ends) for path in library.paths)


def _hint(file: str, library: Library) -> str | None:
    """A record of a mounted base is linked by its id."""
    id_ = posixpath.splitext(posixpath.basename(file))[0]
    if any(id_ in names for names in library.answering.values()):
        return f"link it by its id: ({id_})"
    return did_you_mean(file, [path for path in library.paths if ":" not in path])


def _in_a_folder_of_records(file: str) -> bool:
    return posixpath.basename(posixpath.dirname(file)) in {"evaluations", "changes", "components", "deployments"}
