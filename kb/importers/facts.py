"""Small things several importers say facts with: which are stated at all, moments, percentiles that name themselves."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from kb.importers.run import Fact


def stated(facts: Mapping[str, Fact | None]) -> dict[str, Fact]:
    """The facts that have a value."""
    return {key: value for key, value in facts.items() if value is not None}


def moment(seconds: float | None) -> str | None:
    """Seconds since 1970 as ISO 8601 in UTC; None for what is no moment of this or the next century."""
    if seconds is None or not 0 < seconds < 4e9:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def whole(value: float | None) -> float | None:
    """A number that a tool wrote as `4.0` and means as 4."""
    return int(value) if value is not None and value == int(value) else value
