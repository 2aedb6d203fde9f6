"""JSON of any size in bounded memory: short arrays are kept, long ones are counted and summed while they pass.

The C scanner of the standard library decodes whatever fits into a window of the text; only what does not fit is taken
apart member by member. ijson was measured and is as fast, but refuses `Infinity` and `NaN`, which result files hold.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from json import JSONDecodeError
from typing import Any

WINDOW = 1 << 20
"""Characters looked at together."""
LONGEST_KEPT = 512
"""Arrays with more members are summarised."""
LONGEST_STRING = 32 << 20
DEEPEST = 64
"""Levels of nesting; a result file has about eight."""
MOST_KEPT = 48 << 20
"""Characters of what is kept of one record."""

_SPACE = re.compile(r"[ \t\r\n]*")
_FLAT_END = re.compile(r"[\]\[{\"]")
_SCALAR_END = re.compile(r"[\s,\]}:]")


class Unreadable(Exception):
    """Text that is no JSON, or more of it than is read; one sentence with the place."""


@dataclass(slots=True)
class Long:
    """An array that was too long to keep: how many members, the first few, and what its numbers come to."""

    count: int = 0
    numbers: int = 0
    """Finite numbers among the members (or, for arrays of arrays of numbers, among theirs)."""
    total: float = 0.0
    low: float = math.inf
    high: float = -math.inf
    first: tuple[Any, ...] = ()

    def add(self, members: list[Any]) -> None:
        """Count and sum more members; arrays of numbers are looked into one level deep."""
        self.count += len(members)
        self._sum(members)

    def _sum(self, members: list[Any]) -> None:
        try:
            total, low, high = math.fsum(members), min(members), max(members)
        except (TypeError, ValueError, OverflowError):
            self._pick(members)
            return
        if members and math.isfinite(total) and not any(value is True or value is False for value in (low, high)):
            self._take(len(members), total, low, high)
        else:
            self._pick(members)

    def _pick(self, members: list[Any]) -> None:
        for member in members:
            if type(member) in (int, float) and math.isfinite(member):
                self._take(1, member, member, member)
            elif type(member) is list and member and type(member[0]) in (int, float):
                self._sum([value for value in member if type(value) in (int, float)])

    def _take(self, count: int, total: float, low: float, high: float) -> None:
        self.numbers += count
        self.total += total
        self.low = min(self.low, low)
        self.high = max(self.high, high)


def shortened(value: Any, depth: int = 0) -> Any:
    """A decoded value with its long arrays summarised."""
    if depth > DEEPEST:
        raise Unreadable(f"nested more than {DEEPEST} levels deep")
    if type(value) is list:
        if len(value) > LONGEST_KEPT:
            return summary(value)
        if value and type(value[0]) in (dict, list):
            return [shortened(each, depth + 1) for each in value]
        return value
    if type(value) is dict:
        for key, inner in value.items():
            if type(inner) in (dict, list):
                value[key] = shortened(inner, depth + 1)
    return value


def summary(values: list[Any]) -> Long:
    """A long array in short."""
    made = Long(first=tuple(shortened(each) for each in values[:3]))
    made.add(values)
    return made


class Reader:
    """Values of JSON text, one after the other; `more` gives the next piece of the text, empty at its end."""

    def __init__(self, more: Callable[[int], str], window: int = WINDOW) -> None:
        self._more = more
        self._window = window
        self._text = ""
        self._at = 0
        self._before = 0
        self._ended = False
        self._kept = 0
        self.repeated: list[str] = []
        """Keys that stood twice in one object; the last one counts, as JSON readers do."""
        self._decode = json.JSONDecoder(object_pairs_hook=self._object).raw_decode

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            self._note_repeated([key for key, _ in pairs])
        return made

    def _note_repeated(self, keys: list[str]) -> None:
        seen: set[str] = set()
        for key in keys:
            if key in seen and key not in self.repeated and len(self.repeated) < 20:
                self.repeated.append(key)
            seen.add(key)

    def values(self) -> Iterator[Any]:
        """Top-level values; the members of an array at the top one by one."""
        while self._skip_space():
            if self._peek() == "[":
                yield from self._members()
            else:
                self._kept = 0
                yield self._value(0)

    def is_array(self) -> bool:
        """Whether the text begins with an array."""
        return self._skip_space() and self._peek() == "["

    # the window

    def _fill(self) -> bool:
        """One more piece of the text; False at its end."""
        if self._ended:
            return False
        piece = self._more(self._window)
        if not piece:
            self._ended = True
            return False
        self._before += self._at
        self._text = self._text[self._at :] + piece
        self._at = 0
        return True

    def _skip_space(self) -> bool:
        """To the next character that is no white space; False at the end of the text."""
        while True:
            found = _SPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return True
            if not self._fill():
                return False

    def _peek(self) -> str:
        return self._text[self._at]

    def _next(self) -> str:
        if not self._skip_space():
            raise self._bad("the file ends in the middle of a value")
        return self._text[self._at]

    def _expect(self, wanted: str) -> str:
        got = self._next()
        if got not in wanted:
            raise self._bad(f"{' or '.join(wanted)} expected, {got!r} found")
        self._at += 1
        return got

    def _bad(self, what: str) -> Unreadable:
        return Unreadable(f"{what} (character {self._before + self._at + 1})")

    # values

    def _value(self, depth: int) -> Any:
        if depth > DEEPEST:
            raise self._bad(f"nested more than {DEEPEST} levels deep")
        opening = self._next()
        if len(self._text) - self._at < self._window // 2:
            self._fill()
        done, value = self._whole(depth)
        if done:
            return value
        if opening == "{":
            return self._object_in_parts(depth)
        if opening == "[":
            return self._array_in_parts(depth)
        return self._scalar()

    def _whole(self, depth: int) -> tuple[bool, Any]:
        """The value here if all of it is in the window."""
        start = self._at
        try:
            value, end = self._decode(self._text, start)
        except (JSONDecodeError, RecursionError):
            return False, None
        except ValueError as error:
            raise self._bad("a number of thousands of digits") from error
        if self._may_go_on(value, end):
            return False, None
        self._at = end
        self._keep(end - start)
        return True, shortened(value, depth)

    def _may_go_on(self, value: Any, end: int) -> bool:
        """Whether a number or word may be longer than the window shows of it (`0.` of `0.25`)."""
        if self._ended or type(value) in (dict, list, str):
            return False
        return end == len(self._text) or _SCALAR_END.match(self._text, end) is None

    def _keep(self, length: int) -> None:
        self._kept += length
        if self._kept > MOST_KEPT:
            raise self._bad(f"more than {MOST_KEPT >> 20} million characters in one record, long lists left out")

    def _object_in_parts(self, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        self._expect("{")
        if self._next() == "}":
            self._at += 1
            return made
        while True:
            if self._next() != '"':
                raise self._bad(f"a key in quotes expected, {self._peek()!r} found")
            key = self._scalar()
            if key in made:
                self._note_repeated([key, key])
            self._expect(":")
            made[key] = self._value(depth + 1)
            if self._expect(",}") == "}":
                return made

    def _array_in_parts(self, depth: int) -> list[Any] | Long:
        kept: list[Any] = []
        rest: Long | None = None
        for chunk in self._chunks(depth):
            kept_before = self._kept
            if rest is None and len(kept) + len(chunk) <= LONGEST_KEPT:
                kept += chunk
                continue
            if rest is None:
                rest = Long(first=tuple(kept[:3] or chunk[:3]))
                rest.add(kept)
                kept = []
            rest.add(chunk)
            self._kept = kept_before
        return kept if rest is None else rest

    def _members(self) -> Iterator[Any]:
        """Members of the array at the top; each may be as large as a record."""
        for chunk in self._chunks(0):
            yield from chunk
            self._kept = 0

    def _chunks(self, depth: int) -> Iterator[list[Any]]:
        """Members of the array here in runs: many numbers at once, one object or array at a time."""
        self._expect("[")
        if self._next() == "]":
            self._at += 1
            return
        while True:
            flat = self._numbers()
            if flat:
                yield flat
                continue
            before = self._kept
            yield [self._value(depth + 1)]
            self._kept = before
            if self._expect(",]") == "]":
                return

    def _numbers(self) -> list[Any]:
        """As many whole numbers as the window shows, up to their last comma."""
        self._next()
        if self._text[self._at] not in "-0123456789":
            return []
        if len(self._text) - self._at < self._window // 2:
            self._fill()
        found = _FLAT_END.search(self._text, self._at)
        end = self._text.rfind(",", self._at, found.start() if found else len(self._text))
        if end < 0:
            return []
        try:
            values = json.loads(f"[{self._text[self._at : end]}]")
        except ValueError as error:
            raise self._bad(f"no list of numbers: {error}") from error
        self._at = end + 1
        return list(values)

    def _scalar(self) -> Any:
        """A string, number or word, filling the window until all of it is there."""
        self._next()
        while True:
            try:
                value, end = self._decode(self._text, self._at)
            except JSONDecodeError as error:
                if self._fits(error):
                    raise self._bad(error.msg[:1].lower() + error.msg[1:]) from error
            except (ValueError, RecursionError) as error:
                raise self._bad("a number of thousands of digits") from error
            else:
                if not self._may_go_on(value, end):
                    self._at = end
                    return value
            if len(self._text) - self._at > LONGEST_STRING:
                raise self._bad("a text of more than 32 million characters")
            if not self._fill():
                self._ended = True

    def _fits(self, error: JSONDecodeError) -> bool:
        """Whether more text could not mend the error."""
        if self._ended:
            return True
        closed = self._text[self._at] != '"' and _SCALAR_END.search(self._text, self._at + 1) is not None
        return closed or (
            self._text[self._at] == '"' and "Unterminated" not in error.msg and error.pos + 16 < len(self._text)
        )
