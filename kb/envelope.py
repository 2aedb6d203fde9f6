"""The tested envelope of a claim, and where a target lies against it: inside, partly, outside, or not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kb.conditions import AnyOf, Span
from kb.evaluation import Claim
from kb.inforce import of_sides
from kb.loads import mean_loads, tested_loads
from kb.once import once
from kb.scene import Scene
from kb.verdict import Covers
from kb.vocabulary import UNKNOWN, ClaimKind

LOADS = ("input_tokens", "output_tokens", "request_rate", "concurrency")
NEAR = 1.25
"""A target within this factor of a tested end is taken as inside: 2,000 tokens are no other regime than 2,048."""
FAR = 4
"""Of a load of which only a mean is stated: a target beyond this factor from it is another load."""
CHOICES = ("topology", "workload.turns")
"""Keys that are no range and belong to the envelope all the same: several pairs are another experiment than one."""

INSIDE, PARTLY, OUTSIDE, NOT_KNOWN = "inside", "partly", "outside", "unknown"


@dataclass(frozen=True, slots=True)
class Side:
    """One key of the envelope."""

    key: str
    where: str
    """inside, partly, outside or unknown."""
    tested: str
    """What was tested, in words."""
    asked: str
    nearest: str | None = None
    """The nearest tested value, of a target outside."""


@once
def envelope(scene: Scene) -> tuple[Side, ...]:
    """Every key of the claim's envelope against the target; nothing for the evaluation's own setup."""
    facts = scene.target_facts
    if facts is None:
        return ()
    named = _named(scene.claim)
    measured = LOADS if scene.claim.kind is ClaimKind.MEASURED else ()  # how a thing works depends on no load
    loads = (
        _load(scene, name, facts) for name in measured if f"workload.{name}" not in named and _matters(scene, name)
    )
    told = CHOICES if scene.claim.kind is ClaimKind.MEASURED else ()
    choices = (_choice(scene, key, facts) for key in told if key not in named and _matters(scene, key))
    return tuple(each for each in (*loads, *choices) if each is not None)


def covers(scene: Scene, sides: Iterable[Side], differs: tuple[str, ...], note: str | None) -> Covers:
    """What of the target the claim was about."""
    if scene.target.own:
        return Covers("same", note=note)
    found = tuple(sides)
    order = (OUTSIDE, NOT_KNOWN, PARTLY, INSIDE)
    worst = next((each for each in order if any(side.where == each for side in found)), INSIDE)
    parts = {side.key: f"{side.where}: asked {side.asked}, tested {side.tested}" for side in found}
    return Covers(worst, parts, differs, note)


def _named(claim: Claim) -> frozenset[str]:
    """Keys that a condition speaks of: the condition decides them."""
    single = (one for each in claim.conditions for one in (each.any_of if isinstance(each, AnyOf) else (each,)))
    named = (name for each in single for name in (each.key, each.other) if name)
    return frozenset(every for name in named for every in (name, *of_sides(name)))


REUSE = frozenset({"prefix-reuse", "kv-return"})


def _matters(scene: Scene, load: str) -> bool:
    """The length of the answer plays no part in the first token, nor do turns where nothing can be reused: the time to
    post a list of descriptors is the same in a conversation."""
    if load == "workload.turns":
        return bool(REUSE & scene.rests_on)
    return load != "output_tokens" or scene.claim.effect is None or scene.claim.effect.metric != "ttft"


def _load(scene: Scene, name: str, facts: Mapping[str, Any]) -> Side | None:
    tested = tested_loads(scene.evaluation, scene.claim, name)
    key = f"workload.{name}"
    if not tested and (means := mean_loads(scene.evaluation, scene.claim, name)):
        return _beside_mean(key, means, facts)
    if not tested:
        spread = next((arm.stated[key] for arm in scene.arms if arm.stated.get(key) not in {None, UNKNOWN}), None)
        return Side(key, NOT_KNOWN, str(spread), str(facts.get(key, UNKNOWN))) if spread is not None else None
    words = _range(tested)
    asked = _span(facts.get(key))
    if asked is None:
        return Side(key, NOT_KNOWN, words, UNKNOWN)
    low, high = min(tested) / NEAR, max(tested) * NEAR
    shown = _range(asked)
    if asked[1] < low or asked[0] > high:
        nearest = min(tested, key=lambda each: min(abs(each - asked[0]), abs(each - asked[1])))
        return Side(key, OUTSIDE, words, shown, f"{nearest:g}")
    return Side(key, INSIDE if low <= asked[0] and asked[1] <= high else PARTLY, words, shown)


def _beside_mean(key: str, means: tuple[float, ...], facts: Mapping[str, Any]) -> Side:
    """A mean alone bounds nothing; what is many times as long or as short as all that was measured is another load."""
    asked, words = _span(facts.get(key)), f"mean {_range(means)}"
    if asked is None:
        return Side(key, NOT_KNOWN, words, UNKNOWN)
    outside = asked[0] > max(means) * FAR or asked[1] < min(means) / FAR
    return Side(key, OUTSIDE if outside else NOT_KNOWN, words, _range(asked), words if outside else None)


def _span(fact: Any) -> tuple[float, float] | None:
    """The ends of what a target asks for; None when it does not say."""
    if isinstance(fact, Span):
        return fact.low, fact.high
    values = fact if isinstance(fact, list | tuple) else [fact]
    try:
        numbers = [float(value) for value in values]
    except (TypeError, ValueError):
        return None
    return (min(numbers), max(numbers)) if numbers else None


def _range(values: tuple[float, ...]) -> str:
    low, high = min(values), max(values)
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _choice(scene: Scene, key: str, facts: Mapping[str, Any]) -> Side | None:
    tested = {str(value) for arm in scene.arms if (value := arm.stated.get(key)) not in {None, UNKNOWN}}
    if not tested:
        return None
    asked = facts.get(key)
    words = ", ".join(sorted(tested))
    if asked in {None, UNKNOWN}:
        return Side(key, NOT_KNOWN, words, UNKNOWN)
    inside = str(asked) in tested
    return Side(key, INSIDE if inside else OUTSIDE, words, str(asked), None if inside else words)


UNLIKE = ("workload.", "slo.", "versions.", "client.", "both.")
SETTABLE = ("options.", "env.")
COUNTS = ("instances", "gpus", "nodes", "gpus_per_node", "title", "name", "instance", "link", "driver", "class_name")


@once
def differing(scene: Scene) -> tuple[str, ...]:
    """Setup keys whose values differ from the target's and that no condition names; both must be stated."""
    facts = scene.target_facts
    if facts is None or not scene.arms:
        return ()
    named = _named(scene.claim) | set(CHOICES)
    found = []
    for key in sorted(facts):
        if key in named or key.startswith(UNLIKE) or key.rpartition(".")[2] in COUNTS or _is_pin(key):
            continue
        if key.startswith(SETTABLE):
            found += [key] if any(arm.at_pin().get(key, UNKNOWN) != facts[key] for arm in scene.arms) else []
            continue
        measured = [arm.stated[key] for arm in scene.arms if key in arm.stated]
        if measured and all(UNKNOWN not in (each, facts[key]) and not _alike(each, facts[key]) for each in measured):
            found.append(key)
    return tuple(_once(found))


def _is_pin(key: str) -> bool:
    if key in {"router.component", "stack.component", "cache.component"}:
        return False
    return key.rpartition(".")[2] in {"component", "version", "commit", "image", "branch", "fork", "patches", "as_of"}


def _once(keys: list[str]) -> Iterator[str]:
    """A key that both sides share is named once."""
    for key in keys:
        side, _, rest = key.partition(".")
        if side == "decode" and f"prefill.{rest}" in keys:
            continue
        if side == "prefill" and f"decode.{rest}" in keys and rest in keys:
            continue
        yield key


def _alike(one: Any, other: Any) -> bool:
    return _plain(one) == _plain(other)


def _plain(value: Any) -> str:
    """A name without its publisher, in one case: `Qwen/Qwen3-32B` and `qwen3-32b` are one model."""
    text = str(value).casefold()
    return text.rpartition("/")[2] if "/" in text and " " not in text else text
