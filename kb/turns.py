"""Where a symbol's code turns: the scanned releases in which it behaves differently, comes or goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.digests import Table


@dataclass(frozen=True, slots=True)
class Turn:
    """A symbol that is another one in a scanned release than in the one before."""

    release: str
    after: str
    """The scanned release before."""
    names: frozenset[str]
    """Every name of that code in the two. Of inherited code the one under which it is defined is among them, where that
    code is what turned: who read a base says nothing of what an heir puts in its place."""


def turns(table: Table, symbol: str, first: str, second: str) -> tuple[Turn, ...]:
    """The turns of a symbol after the older of two releases up to the other; none where either was not scanned."""
    a, b = table.position(first), table.position(second)
    if a is None or b is None or a == b:
        return ()
    low, high = min(a, b), max(a, b)
    trail = table.trail(symbol, low)
    came_or_went = {n for n in range(low + 1, high + 1) if (trail[n] is None) is not (trail[n - 1] is None)}
    changed = {
        table.position(each) for each in table.between(symbol, table.releases[low], table.releases[high]).changed_in
    }
    return tuple(
        Turn(table.releases[n], table.releases[n - 1], frozenset(_names(table, symbol, trail, n)))
        for n in range(low + 1, high + 1)
        if n in came_or_went or n in changed
    )


def _names(table: Table, symbol: str, trail: Sequence[str | None], position: int) -> Iterator[str]:
    yield symbol
    yield from filter(None, trail[position - 1 : position + 1])
    was, now = (table.defining(name, n) if (name := trail[n]) else None for n in (position - 1, position))
    if was is None or now is None or table.trail(was, position - 1)[position] == now:
        yield from filter(None, (was, now))


def is_part(name: str, whole: str) -> bool:
    """Whether code is another one, or a member of it."""
    return name == whole or name.startswith(f"{whole}.")
