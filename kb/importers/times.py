"""Moments as tools write them -> ISO 8601. A zone is written only where the file gives one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_FIRST, _LAST = 946_684_800.0, 4_102_444_800.0
"""2000 and 2100: seconds outside are no dates of a benchmark."""


def of_epoch(seconds: float | None) -> str | None:
    """Seconds since 1970 as UTC."""
    if seconds is None or not _FIRST < seconds < _LAST:
        return None
    moment = datetime.fromtimestamp(int(seconds), UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def of_text(text: str | None, form: str) -> str | None:
    """A text of the form that `strptime` knows; local time, as no zone is given."""
    try:
        return datetime.strptime(text or "", form).isoformat()
    except ValueError:
        return None


def before(moment: str | None, seconds: float | None) -> str | None:
    """The moment that many seconds earlier."""
    if moment is None or seconds is None or not 0 <= seconds < 3e7:
        return None
    zone = "Z" if moment.endswith("Z") else ""
    began = datetime.fromisoformat(moment.removesuffix("Z")) - timedelta(seconds=round(seconds))
    return began.isoformat() + zone
