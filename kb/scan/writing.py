"""Drafts of a scan, written as change records. A file that is there is never touched: a person may have begun on it."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from kb.files import write_text
from kb.scan.report import Report

BODY = "Drafted by `kb scan`. Read the hunk, then set guards and dimensions, or delete the file.\n"


def write_drafts(report: Report, entries: Path, known: Container[str] = ()) -> Iterator[Path]:
    """Write every draft that no record speaks of yet; the paths written. Ids in `known` are taken."""
    for each in report.proposed:
        path = entries / "changes" / f"{each['id']}.md"
        if each["same_as"] is None and each["id"] not in known and not os.path.lexists(path):
            write_text(path, record(each["draft"]))
            yield path


def record(draft: dict[str, Any]) -> str:
    """The text of a change record."""
    yaml = YAML()
    yaml.width = 100
    yaml.indent(mapping=2, sequence=4, offset=2)
    out = StringIO()
    yaml.dump(_table(draft), out)
    return f"---\n{out.getvalue()}---\n{BODY}"


def _table(draft: dict[str, Any]) -> CommentedMap:
    table = CommentedMap(draft)
    for key, value in draft.items():
        if isinstance(value, list):
            table[key] = CommentedSeq([_flow(each) for each in value])
            if key == "dimensions":
                table[key].fa.set_flow_style()
    return table


def _flow(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    found = CommentedMap(value)
    found.fa.set_flow_style()
    return found
