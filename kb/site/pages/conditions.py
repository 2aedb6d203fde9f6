"""Conditions as pages show them: alternatives one by one, each with its reason."""

from __future__ import annotations

from typing import Any

from kb.conditions import AnyOf, Condition
from kb.present.claims import bare


def condition(found: Condition | AnyOf) -> dict[str, Any]:
    """A condition, or alternatives of which one must be so; `why` belongs to the whole."""
    single = found.any_of if isinstance(found, AnyOf) else (found,)
    several = isinstance(found, AnyOf)
    ways = [{"says": bare(each), "why": (each.why or "") if several else ""} for each in single]
    return {"ways": ways, "why": found.why or ""}
