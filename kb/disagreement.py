"""Two claims on one question whose directions differ, and what may separate the runs behind them.

Every modifier that is known on both sides and differs could explain it; every one that is not known on at least one
side could, too, and is listed apart. A different size of one direction is no disagreement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Literal, NamedTuple

from kb.comparability import metric_reason, statistic_reason
from kb.conditions import Truth
from kb.directions import Direction, direction, same_direction
from kb.evaluation import Evaluation
from kb.library import Library
from kb.matching import ClaimAt, Pairs, Subject, builds_only, facts, match, region, same, words
from kb.vocabulary import UNKNOWN

State = Literal["material", "unknown"]


class Group(NamedTuple):
    """Setup keys that belong to one modifier."""

    name: str
    keys: tuple[str, ...]
    why: str


MODIFIERS = (
    Group("load", ("workload.request_rate", "workload.concurrency"), "sets how much happens at once, and queues"),
    Group("lengths", ("workload.input_tokens", "workload.output_tokens"), "set how much KV is moved, and how often"),
    Group(
        "prefix hits",
        ("both.prefix_caching", "both.hit_rate", "workload.shared_prefix", "workload.turns"),
        "what is found is neither computed nor moved",
    ),
    Group("block size", ("both.block_size",), "sets the number of pieces of a transfer"),
    Group("fragmentation", ("both.kv_memory",), "a fresh pool is contiguous; a used one has more pieces"),
    Group("versions", ("engine", "connector", "transfer_library"), "the builds behind both arms"),
    Group("dispatch", ("router.dispatch", "router.decoder_chosen"), "push must know its destination early"),
    Group("topology", ("topology", "same_node"), "sets who shares a link, a pool and a queue"),
    Group("model", ("model", "precision"), "sets the size of the KV and the time of a step"),
    Group("machines", ("hardware.gpu", "hardware.interconnect", "transport.backend"), "set what a transfer costs"),
    Group("parallelism", ("both.tp",), "sets how the KV is cut"),
)
"""What separates runs, in the order in which it is worth asking."""

_LOADS = ("workload.request_rate", "workload.concurrency")
SELDOM = frozenset({"both.hit_rate", "workload.shared_prefix", "same_node", *_LOADS})
"""Keys that many setups have no use for: when neither record speaks of one it is no gap."""
_REGIONS = frozenset({"workload.input_tokens", "workload.output_tokens", *_LOADS})
_ROLES = ("engine", "connector", "transfer_library")


class Modifier(NamedTuple):
    """One thing that separates two runs, or may."""

    name: str
    """The group: load, prefix hits, fragmentation, versions, dispatch..."""
    key: str
    """Setup key; `both.` where the two sides are alike."""
    one: str
    other: str
    state: State
    why: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two claims that say different things on one question."""

    one: ClaimAt
    other: ClaimAt
    said: tuple[Direction, Direction]
    modifiers: tuple[Modifier, ...]

    @property
    def material(self) -> tuple[Modifier, ...]:
        """What is known to separate the runs."""
        return tuple(each for each in self.modifiers if each.state == "material")

    @property
    def unknown(self) -> tuple[Modifier, ...]:
        """What may separate them: not known on at least one side."""
        return tuple(each for each in self.modifiers if each.state == "unknown")


def disagreement(one: ClaimAt, other: ClaimAt, library: Library) -> Disagreement | None:
    """What separates two claims on one question whose directions differ; None where they do not, or cannot be told."""
    if not one.evaluation.question or one.evaluation.question != other.evaluation.question:
        return None
    said = tuple(direction(at.claim, at.evaluation, library) for at in (one, other))
    if "none" in {each.kind for each in said} or same_direction(one, other, library) is not Truth.NO:
        return None
    if metric_reason(one, other, library).truth is Truth.NO:
        return None
    return Disagreement(one, other, (said[0], said[1]), tuple(modifiers(one, other, library)))


def between(one: Evaluation, other: Evaluation, library: Library) -> Iterator[Disagreement]:
    """Every disagreement of two evaluations, claim by claim."""
    for mine, theirs in product(one.claims, other.claims):
        if mine.effect and theirs.effect:
            found = disagreement(ClaimAt(one, mine), ClaimAt(other, theirs), library)
            yield from [found] if found else []


def on_question(question: str, evaluations: Iterable[Evaluation], library: Library) -> Iterator[Disagreement]:
    """Every disagreement on one question."""
    asked = sorted((each for each in evaluations if each.question == question), key=lambda each: each.id)
    for one, other in combinations(asked, 2):
        yield from between(one, other, library)


def modifiers(one: ClaimAt, other: ClaimAt, library: Library) -> Iterator[Modifier]:
    """What separates the runs of two claims, or may: known and different, or not known on at least one side."""
    pairs = match(one, other, library).pairs
    for group in MODIFIERS:
        for key in group.keys:
            for name, here, there, truth in _looked_at(key, one, other, pairs, library):
                if truth is not Truth.YES:
                    state: State = "material" if truth is Truth.NO else "unknown"
                    yield Modifier(group.name, name, here, there, state, group.why)
    for reason in (metric_reason(one, other, library), statistic_reason(one, other)):
        if reason.truth is not Truth.YES:
            state = "material" if reason.truth is Truth.NO else "unknown"
            yield Modifier("measured how", reason.field, reason.one, reason.other, state, reason.says)


Looked = tuple[str, str, str, Truth]
"""Key, the one, the other, and whether they are the same."""


def _looked_at(key: str, one: ClaimAt, other: ClaimAt, pairs: Pairs, library: Library) -> Iterator[Looked]:
    if key in _ROLES:
        yield from _build(key, pairs, library)
    elif key in _REGIONS:
        yield from _once(_region(key, one, other, pair) for pair in pairs)
    elif key.startswith("both."):
        yield from _sides(key.removeprefix("both."), one, other, pairs)
    else:
        yield from _once(_fact(key, one, other, pair) for pair in pairs)


def _once(found: Iterable[Looked | None]) -> Iterator[Looked]:
    """What is looked at arm by arm, said once where it is the same for all."""
    yield from dict.fromkeys(each for each in found if each is not None)


def _region(key: str, one: ClaimAt, other: ClaimAt, pair: tuple[Subject, Subject]) -> Looked | None:
    name = key.removeprefix("workload.")
    here, there = region(name, one, pair[0]), region(name, other, pair[1])
    if here is None and there is None:
        asked = key not in SELDOM or UNKNOWN in {each.stated.get(key) for each in pair}
        return (key, words(None), words(None), Truth.UNKNOWN) if asked else None
    if here is None or there is None:
        return key, words(here), words(there), Truth.UNKNOWN
    meets = here.meets(there)
    if meets is Truth.UNKNOWN and not (here.end or there.end):
        meets = Truth.NO  # both are known, and were tested at other values
    return key, words(here), words(there), meets


def _fact(key: str, one: ClaimAt, other: ClaimAt, pair: tuple[Subject, Subject]) -> Looked | None:
    here, there = facts(one, pair[0]).get(key), facts(other, pair[1]).get(key)
    truth = same(here, there)
    if truth is None and {key, f"both.{key.partition('.')[2]}"} & SELDOM:
        return None
    return key, words(here), words(there), truth or Truth.UNKNOWN


def _sides(name: str, one: ClaimAt, other: ClaimAt, pairs: Pairs) -> Iterator[Looked]:
    """Prefill and decode; said once where they are alike."""
    found = [list(_once(_fact(f"{side}.{name}", one, other, pair) for pair in pairs)) for side in ("prefill", "decode")]
    prefill, decode = ([each[1:] for each in side] for side in found)
    if prefill == decode:
        yield from ((f"both.{name}", *each) for each in prefill)
    else:
        yield from (each for side in found for each in side)


def _build(role: str, pairs: Pairs, library: Library) -> Iterator[Looked]:
    mine, theirs = zip(*pairs, strict=True) if pairs else ((), ())
    if builds_only(mine) and builds_only(theirs):
        pairs = pairs[1:]  # what both were compared with; the other arm is the same thing on top of it
    yield from _once(_pin(role, pair, library) for pair in pairs)


def _pin(role: str, pair: tuple[Subject, Subject], library: Library) -> Looked | None:
    pins = [build(role, arm.stated) for arm in pair]
    shipped = [ships_with_engine(arm, library) for arm in pair] if role == "connector" else [False]
    if all(shipped) and not any(pins):
        return None
    if not any(pins) and not any(f"{role}.component" in arm.stated for arm in pair):
        return None
    here, there = (build_words(pin) for pin in pins)
    return role, here, there, same_build(pins[0], pins[1])


def ships_with_engine(arm: Subject, library: Library) -> bool:
    """Whether an arm's connector has the versions of its engine."""
    known = library.components.get(str(arm.made_of.get("connector")))
    return known is not None and known.ships_in is not None and known.ships_in == arm.made_of.get("engine")


def build(role: str, stated: Any) -> dict[str, str]:
    """What is known of the build in a role: version, else branch and commit, image, day."""
    fields = ("version", "commit", "image", "branch", "fork", "as_of")
    found = {name: str(value) for name in fields if (value := stated.get(f"{role}.{name}")) not in (None, UNKNOWN)}
    patches = stated.get(f"{role}.patches")
    return found | ({"patches": words(list(patches))} if patches else {})


def same_build(one: dict[str, str], other: dict[str, str]) -> Truth:
    """Whether two builds are the same: by all that is stated of both; unknown where nothing of one kind is."""
    shared = [name for name in one if name in other]
    if any(name not in {"commit", "branch"} and one[name] != other[name] for name in shared):
        return Truth.NO
    if "commit" in shared:
        short = min(len(one["commit"]), len(other["commit"]))
        return Truth.of(one["commit"][:short] == other["commit"][:short] and one.get("patches") == other.get("patches"))
    same_extras = all(one.get(name) == other.get(name) for name in ("fork", "patches", "branch"))
    return Truth.YES if {"version", "image"} & set(shared) and same_extras else Truth.UNKNOWN


def build_words(pin: dict[str, str]) -> str:
    """A build as people say it: the version first, or branch and commit."""
    shown = [value[:10] if name == "commit" else value for name, value in pin.items()]
    return " ".join(shown[::-1] if "version" not in pin else shown) or words(None)
