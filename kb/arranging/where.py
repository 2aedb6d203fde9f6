"""Where along two arms' sweeps a direction was seen: in the words of a claim, and as its conditions.

The two say the same: a key that a sentence names and no condition holds would let the claim speak of loads that nobody
measured.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from kb.arranging.lengths import LENGTHS, around
from kb.arranging.loads import LOAD, Load, spoken, varying
from kb.setup import keys as setup_keys

MEANS = {factor: key for key, factor in LENGTHS.items()}
"""Factor for a length that was measured -> load key."""
NAMED = ("request_rate", "concurrency", "input_tokens", "output_tokens", *MEANS)
"""Keys that name a load where nothing differs between loads."""
KINDS = {"request_rate": "rate", "concurrency": "concurrency"} | {
    name: f"{key.partition('_')[0]} length" for key, factor in LENGTHS.items() for name in (key, factor)
}
"""Key -> what one of its values is, where loads differ in it alone."""
THERE = "measured there and nowhere else"


@dataclass(frozen=True, slots=True)
class Place:
    """What tells the loads of two arms apart, and how many of them both have."""

    keys: tuple[str, ...]
    """Keys that a sentence names; those that differ among the shared loads first."""
    only: str | None
    """What a claim says of its load where both arms share no other one."""
    apart: bool
    """Whether an arm has loads that the other has not."""

    def spoken(self, region: Sequence[Load]) -> str:
        """How a sentence about these loads, in their order, begins."""
        if not self.keys:
            return "At the one load measured, "
        if len(region) == 1:
            return f"At {spoken(dict(region[0]), self.keys)}, {f'{self.only}, ' if self.only else ''}"
        first, last = (dict(region[at]).get(self.keys[0], "none") for at in (0, -1))
        rest = spoken(dict(region[-1]), self.keys[1:])
        both = " measured in both arms" if self.apart else ""
        ends = f"{spoken({self.keys[0]: first}, self.keys)} to {last}"
        return f"At each load{both} from {ends}{', at ' + rest if rest else ''}, "

    def conditions(self, region: Sequence[Load]) -> list[dict[str, Any]]:
        """The same as conditions of the claim; a tool's own factor is no key of a setup, and stays words."""
        found = ((key, _values(key, region)) for key in self.keys)
        return [each for key, values in found if values and (each := _condition(key, values))]


def place(shared: Sequence[Load], every: Collection[Load]) -> Place:
    """The place of a comparison at `shared` loads, of `every` load of either arm."""
    apart = set(every) != set(shared)
    own = varying(shared)
    keys = (*own, *(key for key in varying(every) if key not in own))
    if not keys:
        keys = tuple(key for key in NAMED if key in dict(shared[0]))
        return Place(keys, "the only load measured", apart=False)
    what = KINDS.get(keys[0], "load") if len(keys) == 1 else "load"
    return Place(keys, f"the only {what} measured in both arms" if apart and len(shared) == 1 else None, apart)


def _values(key: str, region: Sequence[Load]) -> list[str]:
    return list(dict.fromkeys(value for load in region if (value := dict(load).get(key)) is not None))


def _condition(key: str, values: Sequence[str]) -> dict[str, Any] | None:
    if key in MEANS:
        return _of_means(f"workload.{MEANS[key]}", values)
    name = f"workload.{key}" if key in LOAD else key
    if name not in setup_keys():
        return None
    if len(values) == 1:
        return {"key": name, "op": "is", "value": values[0], "why": THERE}
    if key not in LOAD:
        return None  # what a setup states once would be a different thing at each of these loads
    if key == "dataset" or "inf" in values:
        return {"key": name, "op": "in", "value": list(values), "why": THERE}
    ends = sorted(values, key=float)
    return {"key": name, "op": "within", "value": [ends[0], ends[-1]], "why": THERE}


def _of_means(name: str, values: Sequence[str]) -> dict[str, Any] | None:
    """Lengths that were measured and not asked for: what counts as the same length lies around their means."""
    spans = [span for each in values if (span := around(each)) is not None]
    if not spans:
        return None
    low, high = min(span[0] for span in spans), max(span[1] for span in spans)
    why = f"{THERE}; mean length {', '.join(values)}, and what differs by less than a twentieth is the same length"
    return {"key": name, "op": "within", "value": [f"{low:.0f}", f"{high:.0f}"], "why": why}
