"""`kb scan --all`: every component against its newest release."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import typer

from kb.cli.options import print_json, say
from kb.errors import KbError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kb.config import Base
    from kb.library import Library
    from kb.scan.refresh import Due


def refresh(library: Library, base: Base, write: bool, json_out: bool) -> None:
    """Report what the base would gain, and write it when asked. Raises Offline when the index cannot be reached."""
    from kb.present.refresh import refresh as shown
    from kb.present.text import page
    from kb.scan.index import Index
    from kb.scan.refresh import due

    found = list(due(library, Index(tell=lambda file: say(f"kb: fetching {file.name}"))))
    if json_out:
        print_json({"components": [each.as_dict() for each in found]})
    else:
        typer.echo("\n".join(shown(found, page())))
    for each in written(found, library, base.entries, date.today().isoformat()) if write else ():
        said = each.message if isinstance(each, KbError) else f"wrote {each.relative_to(base.root)}"
        say(f"kb: {said}" if isinstance(each, KbError) else said)


def written(found: Iterable[Due], library: Library, entries: Path, today: str) -> Iterable[Path | KbError]:
    """Releases, facts, drafts, tables and coverage, written; a second run finds nothing to write."""
    from kb.scan.keeping import Keeping
    from kb.scan.refresh import add_releases
    from kb.scan.restating import add_facts
    from kb.scan.writing import write_drafts

    for each in found:
        if path := add_releases(each, entries):
            yield path
        yield from add_facts(each, entries)
        if each.report and each.trees:
            yield from write_drafts(each.report, entries, library.changes)
            try:
                known = library.digests.read(each.component.id)
            except KbError as error:
                yield error
                continue
            host = library.components.get(each.distribution)
            yield from Keeping(each.component, known, entries, today, "index", host).keep(each.report, each.trees)
