"""Members of a decoded record, taken by name and type; what nobody took is said, and so is what had another type."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from kb.importers.streaming import Long
from kb.redact import clean

_NUMBER = re.compile(r"[-+]?(?=\.?\d)(\d{1,3}(,\d{3})+|\d+)?(\.\d*)?([eE][-+]?\d+)?", re.ASCII)
_NONE = {"", "null", "none", "~", "n/a", "na", "nan", "-nan", "-", "--"}
_INFINITE = {"inf", "+inf", "infinity", ".inf", "-inf", "-infinity", "-.inf"}
LARGEST = 1e12
"""A measured number above this is a marker for infinity or an overflow (`1.6324E+14` req/s), not a result."""


def number(value: Any) -> float | None:
    """A finite number of a JSON value or a text (thousands separators allowed); None when it is none.

    `true` is no number, NaN and infinity are none, and whole numbers stay int.
    """
    if isinstance(value, str):
        value = _of_text(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return value if abs(value) < 1e300 else None
    return value if math.isfinite(value) else None


def _of_text(text: str) -> float | None:
    if len(text) > 40 or not _NUMBER.fullmatch(text):
        return None
    plain = text.replace(",", "")
    return int(plain) if plain.lstrip("+-").isdigit() else float(plain)


def is_missing(value: Any) -> bool:
    """Whether a value says that there is none: null, an empty text, NaN."""
    if isinstance(value, str):
        return value.strip().casefold() in _NONE
    return value is None or (isinstance(value, float) and math.isnan(value))


def is_infinite(value: Any) -> bool:
    """Whether a value stands for infinity, however it is written."""
    if isinstance(value, str):
        return value.strip().casefold() in _INFINITE
    return isinstance(value, float) and math.isinf(value)


class Fields:
    """One table of a record. Every getter marks its key as taken; `path` is its place in the record."""

    def __init__(self, record: Any, path: str = "", parent: Fields | None = None) -> None:
        self._record: Mapping[str, Any] = record if isinstance(record, Mapping) else {}
        self._path = path
        self._taken: set[str] = set()
        self.odd: list[str] = parent.odd if parent else []
        """Sentences about members that had another type than expected."""

    def __contains__(self, key: str) -> bool:
        return key in self._record

    def __iter__(self) -> Iterator[str]:
        return iter(self._record)

    def _take(self, key: str) -> Any:
        self._taken.add(key)
        return self._record.get(key)

    def _odd(self, key: str, wanted: str, value: Any) -> None:
        shown = clean(key, str(value))[:60]
        self.odd.append(f"{self._path}{key}: {wanted} expected, {shown!r} found")

    def number(self, key: str) -> float | None:
        """A finite number; missing, NaN and infinity are None, anything else is odd."""
        value = self._take(key)
        found = number(value)
        if found is None and not is_missing(value):
            self._odd(key, "a number", value)
        return found

    def count(self, key: str) -> int | None:
        """A whole number that is not negative."""
        value = self.number(key)
        if value is None:
            return None
        if value < 0 or value != int(value):
            self._odd(key, "a count", value)
            return None
        return int(value)

    def rate(self, key: str) -> float | str | None:
        """A number, or "inf" however it is written."""
        value = self._record.get(key)
        if is_infinite(value):
            self._taken.add(key)
            return "inf"
        return self.number(key)

    def text(self, key: str) -> str | None:
        """A text without secrets; a number is its text, an empty one is None."""
        value = self._take(key)
        if is_missing(value):
            return None
        if isinstance(value, str | int | float):
            return clean(key, str(value).strip()[:2000])
        self._odd(key, "a text", type(value).__name__)
        return None

    def flag(self, key: str) -> bool | None:
        """True or false."""
        value = self._take(key)
        if isinstance(value, str) and value.casefold() in {"true", "false"}:
            return value.casefold() == "true"
        if value is not None and not isinstance(value, bool):
            self._odd(key, "true or false", value)
        return value if isinstance(value, bool) else None

    def table(self, key: str) -> Fields:
        """A table below this one; empty when there is none."""
        value = self._take(key)
        if value is not None and not isinstance(value, Mapping):
            self._odd(key, "a table", type(value).__name__)
        return Fields(value, f"{self._path}{key}.", self)

    def members(self, key: str) -> list[Any]:
        """The members of a list, as far as they were kept (see streaming.Long); empty when there is none."""
        value = self._take(key)
        if isinstance(value, Long):
            return list(value.first)
        if value is not None and not isinstance(value, list):
            self._odd(key, "a list", type(value).__name__)
        return value if isinstance(value, list) else []

    def raw(self, key: str) -> Any:
        """The value as it was decoded."""
        return self._take(key)

    def skip(self, *keys: str) -> None:
        """Keys that are known and carry nothing for us."""
        self._taken.update(keys)

    def rest(self) -> dict[str, Any]:
        """Members that nobody took, in their order; they count as taken from now on."""
        left = {key: value for key, value in self._record.items() if key not in self._taken}
        self._taken.update(left)
        return left

    def leftover(self) -> list[str]:
        """A sentence for each member that nobody took."""
        return [f"{self._path}{key}: not known to this importer" for key in self.rest()]
