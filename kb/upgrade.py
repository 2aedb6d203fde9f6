"""Older record formats, brought up to the present one when they are read. One function per step, never edited later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Fields = dict[str, Any]


def upgrade(fields: Fields) -> Fields:
    """`fields` in the present format; a record that does not say its version is in the present one."""
    version = str(fields.get("schema_version", ""))
    while version in STEPS:
        fields = STEPS[version](fields)
        version = str(fields["schema_version"])
    return fields


_STATISTICS = {"median": "p50", "avg": "mean", "average": "mean"}


def _from_0(fields: Fields) -> Fields:
    """0 (drafts before the first release) wrote `sentence` for a claim's `says` and `statistic` for `stat`."""
    claims = [_renamed(claim, "sentence", "says") for claim in fields.get("claims") or []]
    points = [_renamed(point, "statistic", "stat") for point in fields.get("points") or []]
    for point in points:
        if isinstance(point, dict) and "stat" in point:
            point["stat"] = _STATISTICS.get(point["stat"], point["stat"])
    changed = {"claims": claims} if "claims" in fields else {}
    changed |= {"points": points} if "points" in fields else {}
    return fields | changed | {"schema_version": "1"}


def _renamed(table: Any, old: str, new: str) -> Any:
    if not isinstance(table, dict) or old not in table:
        return table
    return {(new if key == old else key): value for key, value in table.items()}


STEPS: dict[str, Callable[[Fields], Fields]] = {"0": _from_0}
