"""Equal parts of records are one object: a thousand evaluations name the same pins, machines and load points.

Records are frozen, so a part may belong to many; what is asked of one (kb.once) is worked out once for all of them, a
part that was read before is not validated again, and a large base takes a fraction of the memory.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

_PLAIN = 2
"""The layout of marshal without references between parts: the bytes are of the values alone, and tell 1 from 1.0."""


class Alike:
    """The parts that were read so far, held by whoever reads records or has some left to open."""

    def __init__(self) -> None:
        self._parts: dict[tuple[type, bytes], Any] = {}
        self._names: dict[frozenset[str], set[str]] = {}

    def part(self, model: type[T], given: Any, make: Callable[[Any], T]) -> T:
        """What a model makes of what is given: the same object for the same. Raises what making it raises."""
        try:
            key = (model, marshal.dumps(given, _PLAIN))
        except ValueError:  # there is more in it than text, numbers, lists and tables
            return make(given)
        found: T | None = self._parts.get(key)
        if found is None:
            found = self._parts[key] = self.alone(given, make)
        return found

    def alone(self, given: Any, make: Callable[[Any], T]) -> T:
        """What a model makes that hardly makes two alike: a part of its own. Raises what making it raises."""
        made = make(given)
        names = made.__pydantic_fields_set__  # type: ignore[attr-defined]
        object.__setattr__(made, "__pydantic_fields_set__", self._names.setdefault(frozenset(names), names))
        return made
