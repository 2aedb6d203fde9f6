"""Answers kept by the identity of what they follow from: a frozen value gives the same each time, hashable or not."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar

T = TypeVar("T", bound=Callable[..., Any])
MOST = 50_000


def by_identity(function: T) -> T:
    """Ask a pure function of a frozen value once. Further arguments must be hashable; the oldest answers go when there
    are too many. The value is kept with its answer, so that no identity comes twice.
    """
    known: dict[tuple[int, Hashable], tuple[object, Any]] = {}

    @wraps(function)
    def asked(value: object, *more: Hashable) -> Any:
        key = (id(value), more)
        if key not in known:
            if len(known) >= MOST:
                known.clear()
            known[key] = (value, function(value, *more))
        return known[key][1]

    return asked  # type: ignore[return-value]
