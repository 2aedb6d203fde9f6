"""Facts that a reviewer will ask an evaluation for, each with the reason, and which of them it leaves open.

`WHY` is the one place that lists them: lint names what is missing from it, `kb new` prints it as a checklist.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from kb.evaluation import Arm, Evaluation
from kb.setup import Pin, Setup, Spread
from kb.vocabulary import NOTHING, UNKNOWN, EvaluationKind, TransferMode


class State(StrEnum):
    """Why a fact is missing: nobody wrote anything, or the record says that the source does not state it."""

    ABSENT = "absent"
    NOT_STATED = "not-stated"


@dataclass(frozen=True, slots=True)
class MissingFact:
    """One fact left open; `arms` names the arms that lack it, empty when all do."""

    key: str
    why: str
    state: State
    essential: bool = False
    arms: tuple[str, ...] = ()


ESSENTIAL: dict[str, str] = {
    "model": "KV size per token, and with it every transfer, follows from the model",
    "hardware.gpu": "no latency means anything without the accelerator it was measured on",
    "topology": "what a hand-off costs depends on how many prefill and decode instances share it",
    "engine.version": "without the engine's build nobody can tell which changes came after the measurement",
    "connector.mode": "pull and push take different code paths and age by different changes",
    "connector.class_name": "a label such as NIXL names several classes; only the class says which code ran",
    "transfer_library.version": "the same connector behaves differently on another release of its transfer library",
    "workload.input_tokens": "KV bytes to move grow with prompt length",
    "workload.output_tokens": "short answers hide what a hand-off does to steady generation",
    "workload.request_rate": "a ratio found under load says nothing about an idle system, and the other way round",
}
"""Key -> why; without these a claim can hardly be audited."""

FURTHER: dict[str, str] = {
    "precision": "weight precision moves prefill time, and with it the time a transfer can hide behind",
    "hardware.interconnect": "READ and WRITE are different code on different networks",
    "same_node": "a transfer inside a machine takes another path than one between machines",
    "transport.backend": "the library's backend decides which code posts and completes transfers",
    "transport.version": "the backend's own library (UCX, libfabric) changes results on its own",
    "router.name": "the router is part of the measured path and changes too",
    "router.dispatch": "push gains only when the decode leg is sent before prefill ends",
    "router.decoder_chosen": "choosing the decoder early costs flexibility that one fixed pair does not show",
    "prefill.gpus": "topologies differ between arms, so only figures per GPU compare like with like",
    "decode.gpus": "topologies differ between arms, so only figures per GPU compare like with like",
    "prefill.tp": "unequal tensor-parallel sizes split and multiply transfers",
    "decode.tp": "unequal tensor-parallel sizes split and multiply transfers",
    "prefill.block_size": "block size sets the number of descriptors per request",
    "decode.block_size": "block size sets the number of descriptors per request",
    "prefill.prefix_caching": "reuse on prefill shortens the time a transfer can hide behind",
    "decode.prefix_caching": "a hit on decode shortens the transfer or removes it",
    "prefill.kv_layout": "the layout decides how many pieces a block is sent in",
    "decode.kv_layout": "layouts that differ need permuting or refuse to connect",
    "prefill.kv_memory": "a fresh pool is contiguous and makes transfers look cheap",
    "decode.kv_memory": "a fresh pool is contiguous and makes transfers look cheap",
    "cache.version": "the external cache has releases of its own",
    "workload.dataset": "random prompts never share a prefix, real ones do",
    "workload.num_prompts": "percentiles of few requests are noise, and start-up weighs more in short runs",
    "workload.turns": "later turns of a conversation reuse what earlier ones left",
    "workload.warmup": "the first transfer to a peer pays for the handshake and for graph capture",
    "workload.repeats": "without repeats nobody can tell a gain from the spread of the runs",
    "workload.cache_reset": "an arm that runs second may find the first one's cache",
    "client.name": "tools define TTFT, TPOT and ITL differently",
    "client.version": "load generators change pacing and definitions between releases",
    "slo.ttft": "goodput is a count of requests within limits; without the limits it is no number",
}
"""Key -> why; a reviewer will ask, and may come to another verdict without."""

WHY: dict[str, str] = ESSENTIAL | FURTHER
"""Every fact a reviewer will ask for, the indispensable first."""

INSTEAD: dict[str, tuple[str, ...]] = {
    "hardware.gpu": ("hardware.instance", "prefill.gpu", "decode.gpu"),
    "connector.class_name": ("connector.component",),
    "workload.request_rate": ("workload.concurrency", "workload.num_prompts"),
    "router.name": ("router.component",),
    "client.name": ("client.component",),
    "slo.ttft": ("slo.tpot", "slo.itl", "slo.e2el"),
    "prefill.gpus": ("prefill.tp",),
    "decode.gpus": ("decode.tp",),
}
"""Key -> keys that answer the same question."""

POINT_FACTS = frozenset({"points.stat", "points.where", "points.n"})
"""What `not_stated` may name beside setup keys: the source gives it for no point."""

_TRANSFER = frozenset({TransferMode.PULL, TransferMode.PUSH})
_HAND_OFF = frozenset(
    {
        "transfer_library.version", "same_node", "transport.backend", "transport.version",
        "router.name", "router.dispatch", "router.decoder_chosen",
        "prefill.kv_memory", "decode.kv_memory", "prefill.kv_layout", "decode.kv_layout",
    }
)  # fmt: skip
_SERVING_METRICS = frozenset(
    {
        "ttft",
        "tpot",
        "itl",
        "e2el",
        "request_throughput",
        "output_throughput",
        "total_throughput",
        "goodput",
        "slo_attainment",
    }
)
_LIBRARY_ALONE = frozenset(
    {
        "hardware.gpu", "hardware.interconnect", "same_node", "transfer_library.version", "transport.backend",
        "transport.version", "workload.warmup", "workload.repeats", "client.name", "client.version",
    }
)  # fmt: skip
"""What can be asked of a benchmark of a transfer library that serves no requests."""
_CONNECTOR = frozenset({"connector.mode", "connector.class_name"})
_PER_GPU = frozenset({"prefill.gpus", "decode.gpus"})
_UNDER_LIMITS = frozenset({"goodput", "slo_attainment"})


def missing_facts(evaluation: Evaluation) -> list[MissingFact]:
    """What the evaluation leaves open, in the order of `WHY`; nothing for a reference without measurements."""
    return list(_found(_Same(evaluation)))


class _Same:
    """An evaluation as a key: the same object, not an equal one. Three checks ask about each record in turn."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation

    def __hash__(self) -> int:
        return id(self.evaluation)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.evaluation is self.evaluation


@lru_cache(maxsize=1)
def _found(same: _Same) -> tuple[MissingFact, ...]:
    evaluation = same.evaluation
    if evaluation.kind is EvaluationKind.REFERENCE:
        return ()
    arms = evaluation.arms or (Arm(id="only"),)
    asked = {arm.id: _asked(evaluation, arm) for arm in arms}
    found = [fact for key in WHY if (fact := _missing(evaluation, [a for a in arms if key in asked[a.id]], key))]
    return tuple(_joined(found))


def _missing(evaluation: Evaluation, arms: list[Arm], key: str) -> MissingFact | None:
    lacking = {arm.id: state for arm in arms if (state := _state(evaluation, arm, key)) is not None}
    if not lacking:
        return None
    absent = tuple(name for name, state in lacking.items() if state is State.ABSENT)
    state = State.ABSENT if absent else State.NOT_STATED
    named = absent or tuple(lacking)
    every_arm = len(named) == max(1, len(evaluation.arms))
    return MissingFact(key, WHY[key], state, key in ESSENTIAL, () if every_arm else named)


def _state(evaluation: Evaluation, arm: Arm, key: str) -> State | None:
    """None when the arm states the fact, under this key or one that answers the same."""
    seen = False
    options = (key, *INSTEAD.get(key, ()))
    for option in options:
        for value in _values(evaluation, arm, option):
            if not _unknown(value):
                return None
            seen = True
    if _in_points(evaluation, options):
        return None
    return State.NOT_STATED if seen or any(_declared(evaluation, option) for option in options) else State.ABSENT


def _declared(evaluation: Evaluation, key: str) -> bool:
    shared = "both." + key.partition(".")[2] if key.startswith(("prefill.", "decode.")) else key
    return key in evaluation.not_stated or shared in evaluation.not_stated


def _values(evaluation: Evaluation, arm: Arm, key: str) -> Iterator[Any]:
    """What the arm's own part and the common part state; the arm's own goes first and hides the common one."""
    for setup in (arm.setup, evaluation.setup):
        found = [value for name in _spelled(key) if (value := lookup(setup, name)) is not None]
        if found:
            yield from found
            return


@lru_cache(maxsize=128)
def _spelled(key: str) -> tuple[str, ...]:
    side, _, rest = key.partition(".")
    if side in {"prefill", "decode"}:
        return (key, f"both.{rest}")
    if side in {"connector", "engine", "transfer_library"}:
        return (key, f"prefill.{key}", f"decode.{key}", f"both.{key}")
    return (key,)


def lookup(setup: Setup | None, key: str) -> Any:
    """The value at a dotted key, or None; for `PIN.version` anything that names the build will do."""
    here: Any = setup
    *path, last = _parts(key)
    for part in path:
        here = getattr(here, part, None)
        if here is None:
            return None
    return _build(here) if last == "version" and isinstance(here, Pin) else getattr(here, last, None)


@lru_cache(maxsize=512)
def _parts(key: str) -> tuple[str, ...]:
    return tuple(key.split("."))


def _build(pin: Pin) -> str | None:
    named = (pin.version, pin.commit, pin.image, pin.branch, pin.as_of)
    stated = [each for each in named if each is not None and each != UNKNOWN]
    return stated[0] if stated else next((each for each in named if each is not None), None)


def _unknown(value: Any) -> bool:
    if isinstance(value, Spread):
        return str(value) == UNKNOWN
    return bool(value == UNKNOWN)


def _in_points(evaluation: Evaluation, options: tuple[str, ...]) -> bool:
    """A load key may be stated at the points instead of in the setup."""
    names = {key.removeprefix("workload.") for key in options if key.startswith("workload.")}
    return bool(names) and any(names & point.where.model_fields_set for point in evaluation.points if point.where)


def _asked(evaluation: Evaluation, arm: Arm) -> frozenset[str]:
    """The facts that it makes sense to ask of this arm."""
    if not _serves(evaluation):
        return _LIBRARY_ALONE
    asked = set(WHY)
    hand_off = hands_off(evaluation, arm)
    if not hand_off:
        asked -= _HAND_OFF
    if not _connects(evaluation, arm):
        asked -= _CONNECTOR
    if not hand_off or len({_one(evaluation, each, "topology") for each in evaluation.arms}) < 2:
        asked -= _PER_GPU
    if _one(evaluation, arm, "router.component") == NOTHING:
        asked -= {"router.name", "router.dispatch", "router.decoder_chosen"}
    if _one(evaluation, arm, "cache.component") == NOTHING:
        asked.discard("cache.version")
    if not any(setup is not None and setup.cache is not None for setup in (arm.setup, evaluation.setup)):
        asked.discard("cache.version")
    if not any(point.metric in _UNDER_LIMITS for point in evaluation.points):
        asked.discard("slo.ttft")
    return frozenset(asked)


def _serves(evaluation: Evaluation) -> bool:
    """Whether requests were served at all, as opposed to a benchmark of a library or of one function."""
    setups = [setup for setup in (evaluation.setup, *(arm.setup for arm in evaluation.arms)) if setup]
    ran = any(setup.engine or setup.stack or setup.topology or setup.model for setup in setups)
    return ran or not evaluation.points or any(point.metric in _SERVING_METRICS for point in evaluation.points)


def _one(evaluation: Evaluation, arm: Arm, key: str) -> Any:
    return next(_values(evaluation, arm, key), None)


def hands_off(evaluation: Evaluation, arm: Arm) -> bool:
    """Whether KV goes from a prefill instance to a decode instance in this arm."""
    topology, mode = _one(evaluation, arm, "topology"), _one(evaluation, arm, "connector.mode")
    return mode in _TRANSFER or (topology is not None and topology not in {"aggregated", UNKNOWN})


def _connects(evaluation: Evaluation, arm: Arm) -> bool:
    if _one(evaluation, arm, "connector.mode") is TransferMode.NONE:
        return False
    named = any(setup is not None and setup.connector is not None for setup in (arm.setup, evaluation.setup))
    return named or hands_off(evaluation, arm)


def _joined(found: list[MissingFact]) -> Iterator[MissingFact]:
    """A fact that both sides lack alike is asked once, as `both.KEY`."""
    by_key = {fact.key: fact for fact in found}
    for fact in found:
        side, _, rest = fact.key.partition(".")
        twin = by_key.get(f"decode.{rest}" if side == "prefill" else f"prefill.{rest}")
        if side not in {"prefill", "decode"} or twin is None or (twin.state, twin.arms) != (fact.state, fact.arms):
            yield fact
        elif side == "prefill":
            why = fact.why if fact.why == twin.why else f"{fact.why}; {twin.why}"
            yield MissingFact(f"both.{rest}", why, fact.state, fact.essential, fact.arms)
