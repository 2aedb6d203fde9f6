"""Dates as numbers, so that days, months and years are ranges like any other."""

from __future__ import annotations


def day_range(date: str) -> tuple[int, int] | None:
    """First and last day an ISO day, month or year covers, as yyyymmdd; None for what is no date."""
    parts = date.split("-")
    if not 1 <= len(parts) <= 3 or not all(p.isascii() and p.isdigit() for p in parts) or len(parts[0]) != 4:
        return None
    year, month, day = (*map(int, parts), 0, 0)[:3]
    if month > 12 or day > 31 or (len(parts) > 1 and not month) or (len(parts) > 2 and not day):
        return None
    start = year * 10000 + (month or 1) * 100 + (day or 1)
    return start, year * 10000 + (month or 12) * 100 + (day or 31)
