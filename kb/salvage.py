"""What can still be read of a record with bad values: the rest, without them, so that it can be checked as well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from kb.finding import Loc
from kb.model import Model

NAMED = frozenset({"arms", "points", "claims", "signals", "stages"})
"""Lists whose items other places name."""
ROUNDS = 12
"""Validations tried; each takes away what the one before objected to."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A record without its bad places."""

    record: Model
    kept: dict[Loc, tuple[int, ...]]
    """List in the file -> positions of the items that are left; only lists that lost some."""
    lost: frozenset[str]
    """Ids of tables that were taken away: they are in the file all the same."""
    nameless: bool = False
    """Whether a part was taken away whose name is not known: others may mean it."""
    allows_unread: bool = False
    """Whether something that the record allows could not be read."""

    def original(self, loc: Loc) -> Loc:
        """A place of the rest as a place of the file."""
        return _original(loc, self.kept)


@dataclass(slots=True)
class _Pruned:
    bad: frozenset[Loc]
    kept: dict[Loc, tuple[int, ...]] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    nameless: bool = False

    def without(self, value: Any, loc: Loc = ()) -> Any:
        """The value without its bad places; `loc` is its place in the file."""
        if isinstance(value, dict):
            return {
                key: self.without(each, (*loc, key)) for key, each in value.items() if self._stays(each, (*loc, key))
            }
        if isinstance(value, list):
            left = [n for n, each in enumerate(value) if self._stays(each, (*loc, n))]
            if len(left) < len(value):
                self.kept[loc] = tuple(left)
            return [self.without(value[n], (*loc, n)) for n in left]
        return value

    def _stays(self, value: Any, loc: Loc) -> bool:
        if loc not in self.bad:
            return True
        ids = set(_ids(value))
        self.lost |= ids
        if loc[0] in NAMED and (loc[-1] == "id" or (len(loc) <= 2 and not ids) or (*loc, "id") in self.bad):
            self.nameless = True
        return False


def salvage(model: type[Model], fields: dict[str, Any]) -> Rest | None:
    """The record that is left when everything objected to is taken away; None when that is the record itself."""
    bad: frozenset[Loc] = frozenset()
    for _ in range(ROUNDS):
        pruned = _Pruned(bad)
        rest = pruned.without(fields)
        try:
            record = model.model_validate(rest)
            allows_unread = any(loc[0] == "allow" for loc in bad)
            return Rest(record, pruned.kept, frozenset(pruned.lost), pruned.nameless, allows_unread)
        except ValidationError as error:
            found = {_original(_place(rest, each), pruned.kept) for each in error.errors(include_url=False)}
        if () in found or found <= bad:
            return None
        bad |= found
    return None


def _place(fields: Any, error: Any) -> Loc:
    """The place in the text that an error is about: of a missing field, the table that lacks it."""
    loc, here = [], fields
    for part in error["loc"]:
        listed = isinstance(here, list) and isinstance(part, int) and part < len(here)
        if listed or (isinstance(here, dict) and part in here):  # pydantic names union members too
            here = here[part]
            loc.append(part)
    return tuple(loc)


def _original(loc: Loc, kept: dict[Loc, tuple[int, ...]]) -> Loc:
    found: Loc = ()
    for part in loc:
        left = kept.get(found)
        found = (*found, left[part] if left is not None and isinstance(part, int) and part < len(left) else part)
    return found


def _ids(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("id"), str):
            yield value["id"]
        for each in value.values():
            yield from _ids(each)
    elif isinstance(value, list):
        for each in value:
            yield from _ids(each)
