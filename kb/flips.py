"""Changes that one of two builds carries and the other may not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from kb.change import Change
from kb.once import kept
from kb.vocabulary import Ships


class Flip(NamedTuple):
    """A change that one build carries and another may not."""

    change: Change
    was: Ships
    now: Ships

    @property
    def arrived(self) -> bool:
        return self.now is Ships.YES and self.was is Ships.NO

    @property
    def gone(self) -> bool:
        return self.was is Ships.YES and self.now is Ships.NO

    @property
    def same(self) -> bool:
        return self.was is self.now and self.was is not Ships.NOT_ESTABLISHED


@dataclass(frozen=True)
class Interval:
    """Changes that one of two builds carries and the other may not."""

    flips: tuple[Flip, ...]
    same: tuple[Flip, ...] = ()
    """Changes that both carry, or neither does."""

    @kept
    def names(self) -> frozenset[str]:
        """Ids of the changes in which the builds differ."""
        return frozenset(flip.change.id for flip in self.flips)

    @kept
    def by_dimension(self) -> Mapping[str, tuple[Flip, ...]]:
        """Dimension -> the changes that alter it."""
        found: dict[str, list[Flip]] = defaultdict(list)
        for flip in self.flips:
            for dimension in flip.change.dimensions:
                found[dimension].append(flip)
        return {dimension: tuple(flips) for dimension, flips in found.items()}

    @kept
    def with_symbols(self) -> tuple[Flip, ...]:
        """Changes that name code."""
        return tuple(flip for flip in self.flips if flip.change.symbols)

    @kept
    def undescribed(self) -> tuple[Flip, ...]:
        """Changes of which no dimension is stated."""
        return tuple(flip for flip in self.flips if not flip.change.dimensions)
