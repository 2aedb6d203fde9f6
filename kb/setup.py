"""The typed keys of a setup: what ran, on what, under which load. A deployment is described with the same keys."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, Self, TypeVar, get_args

from pydantic import BeforeValidator, Field, ValidationError, model_validator
from pydantic.fields import FieldInfo

from kb.conditions import Span, Vague
from kb.docstrings import descriptions
from kb.model import Id, Model, Name, Names, Part, PartialDate, Scalar, Unknown
from kb.once import once
from kb.versions import PinText
from kb.vocabulary import NOTHING, UNKNOWN, TransferMode

Count = Annotated[int, Field(ge=0)] | Unknown
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)] | Unknown


_SWITCHES = {"true": "on", "yes": "on", "enabled": "on", "false": "off", "no": "off", "disabled": "off"}


def _switch(value: Any) -> Any:
    if not isinstance(value, bool | str):
        return value
    text = str(value).lower()
    return _SWITCHES.get(text, text)


Switch = Annotated[
    Literal["on", "off", "unknown"],
    BeforeValidator(_switch, json_schema_input_type=Literal["on", "off", "unknown"] | bool),
]
"""on, off or unknown (yes/no, true/false and enabled/disabled are read as these)."""

CLOSED = re.compile(r"^\s*([0-9.]+)\s*(?:\.\.|to|-)\s*([0-9.]+)\s*$")


def _spread(value: Any) -> Any:
    """`2048`, `1000..16000`, `[1000, 4000]`, `inf` and `unknown` are short forms of a spread."""
    if isinstance(value, list | tuple):
        return {"values": value}
    if isinstance(value, int | float):
        value = str(value)
    return _in_short(value) if isinstance(value, str) else value


@lru_cache(maxsize=1 << 12)
def _in_short(text: str) -> Any:
    """One value for all that say the same: a sweep has the same load points at each of its numbers."""
    if closed := CLOSED.match(text):
        written: dict[str, Any] = {"min": closed[1], "max": closed[2], "shape": "sweep"}
    else:
        written = {"shape": UNKNOWN} if text == UNKNOWN else {"values": [text]}
    try:
        return Spread.model_validate(written)
    except ValidationError:
        return written  # the model it stands in says where


Finite = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Spread(Part):
    """How a quantity is spread over requests or over the runs of a sweep: one value, several, or a distribution."""

    shape: Literal["fixed", "sweep", "uniform", "normal", "lognormal", "zipf", "trace", "unknown"] | None = None
    """fixed: every request alike; sweep: one value per run; otherwise the distribution over requests within a run."""
    values: tuple[Annotated[float, Field(ge=0)], ...] = ()
    """The value, or the values swept over; `inf` for a rate means all requests at once."""
    min: Finite | None = None
    """Smallest value."""
    max: Finite | None = None
    """Largest value."""
    mean: Finite | None = None
    """Mean; alone it hides the distribution."""
    std: Finite | None = None
    """Standard deviation."""
    p50: Finite | None = None
    """Median."""
    p90: Finite | None = None
    """90th percentile."""
    p99: Finite | None = None
    """99th percentile."""

    @cached_property
    def low(self) -> float | None:
        """Smallest value it can take, as far as stated."""
        return min((*self.values, *(v for v in (self.min,) if v is not None)), default=None)

    @cached_property
    def high(self) -> float | None:
        """Largest value it can take, as far as stated."""
        return max((*self.values, *(v for v in (self.max,) if v is not None)), default=None)

    @property
    def hides_distribution(self) -> bool:
        """Only a mean is stated."""
        return self.mean is not None and not self.values and self.low is None and self.std is None and self.p50 is None

    def __str__(self) -> str:
        if self.values:
            return ", ".join(map(plain_number, self.values))
        if self.min is not None or self.max is not None:
            ends = f"{plain_number(self.min)} to {plain_number(self.max)}"
            return ends if self.shape in {None, "sweep"} else f"{self.shape} {ends}"
        stated = [
            f"{n} {plain_number(v)}" for n in ("mean", "p50", "p90", "p99") if (v := getattr(self, n)) is not None
        ]
        return " ".join(filter(None, [self.shape if self.shape != UNKNOWN or not stated else "", *stated])) or UNKNOWN


Quantity = Annotated[Spread, BeforeValidator(_spread, json_schema_input_type=Spread | float | str | list[float])]


def plain_number(value: float | None) -> str:
    """A number without a needless `.0`; `?` when there is none."""
    if value is None:
        return "?"
    return "inf" if math.isinf(value) else f"{value:g}" if value != int(value) else str(int(value))


class Pin(Part):
    """Which build of a component ran. Only what the source states; a build that was inferred stays `unknown`."""

    component: Id | None = None
    """Component record, e.g. `vllm`, `nixl`, `vllm-nixl-push`; `none` where the role is known to be empty."""
    version: PinText | None = None
    """Release (`0.29.0`), a range of releases when only that is known (`>=1.2,<1.4`), or `unknown`."""
    commit: Annotated[str, Field(pattern=r"^([0-9a-f]{7,40}|unknown)$")] | None = None
    """Commit of the component's repository, 7 to 40 hex digits."""
    image: Name | None = None
    """Container image by name, tag or digest."""
    branch: Name | None = None
    """Branch or pull request built from; a branch is not the release that it became."""
    fork: Name | None = None
    """Repository of a fork (owner/name); a fork with another data plane is another component."""
    patches: Names = ()
    """Patches applied on top, by pull request or commit address."""
    as_of: PartialDate | None = None
    """Day on which `main` or `latest` was taken, where the source gives a date and no version."""

    @model_validator(mode="after")
    def _empty_or_pinned(self) -> Self:
        """A role that is known to be empty has no build."""
        if self.component == NOTHING:
            stated = [name for name in type(self).model_fields if name != "component" and getattr(self, name)]
            if stated:
                raise ValueError(
                    f"component is none, and {', '.join(stated)} of it {'is' if len(stated) == 1 else 'are'} "
                    "stated: name the component, or leave the role empty"
                )
        return self


class Connector(Pin):
    """The KV connector."""

    class_name: Name | None = None
    """Class as configured, e.g. `NixlConnector` (an alias of the pull class)."""
    mode: TransferMode | None = None
    """Who moves the KV: pull (READ by decode), push (WRITE by prefill), store, local, none."""
    wrapped_by: Name | None = None
    """A connector that wraps it, e.g. `MultiConnector`."""


class Transport(Part):
    """What carries the bytes below the transfer library."""

    backend: Name | None = None
    """Backend of the transfer library: `UCX`, `LIBFABRIC`, `UCCL`, `Mooncake`..."""
    path: Name | None = None
    """Path actually taken: `rc`, `cuda_ipc`, `tcp`, `efa`, `mnnvl`..."""
    version: PinText | None = None
    """Version of the backend's library (UCX, libfabric)."""


class Router(Pin):
    """Router or proxy in front of the instances."""

    name: Name | None = None
    """Router or script by its own name, where it is no known component."""
    dispatch: Literal["sequential", "concurrent", "unknown"] | None = None
    """Whether prefill and decode legs are sent one after the other or at once."""
    decoder_chosen: Literal["before-prefill", "after-prefill", "unknown"] | None = None
    """When the decode instance is chosen; push must know it before prefill ends."""
    policy: Name | None = None
    """Placement policy, e.g. `round-robin`, `kv-aware`, `fixed-pair`, `conversation`."""


class Client(Pin):
    """Load generator (harness)."""

    name: Name | None = None
    """Tool by its own name, e.g. `vllm bench serve`, where it is no known component."""
    pacing: Name | None = None
    """How requests are paced: `poisson`, `closed-loop`, `trace`, `burst`, `unknown`."""


class Side(Part):
    """One side of a disaggregated pair, or the only side of an aggregated arm."""

    instances: Count | None = None
    """Number of instances (the x or y of xPyD)."""
    gpus: Count | None = None
    """GPUs of this side in total; needed for any per-GPU figure."""
    tp: Count | None = None
    """Tensor-parallel size per instance."""
    pp: Count | None = None
    """Pipeline-parallel size per instance."""
    dp: Count | None = None
    """Data-parallel size per instance."""
    ep: Count | None = None
    """Expert-parallel size per instance."""
    gpu: Name | None = None
    """GPU model, where the sides differ."""
    prefix_caching: Switch | None = None
    """Whether the engine reuses prefixes on this side."""
    hit_rate: Annotated[float, Field(ge=0, le=1)] | Unknown | None = None
    """Prefix-cache hit rate as a fraction of prompt tokens."""
    block_size: Count | None = None
    """KV block size in tokens."""
    kv_layout: Name | None = None
    """KV layout: `NHD`, `HND`, `cross-layer`..."""
    kv_dtype: Name | None = None
    """KV cache data type: `auto`, `fp8`, `bf16`..."""
    dtype: Name | None = None
    """Weights' data type on this side, where the sides differ."""
    attention: Name | None = None
    """Attention backend: `FLASH_ATTN`, `FLASHINFER`..."""
    graphs: Switch | None = None
    """Whether CUDA graphs are used."""
    chunked_prefill: Switch | None = None
    """Whether prefill is chunked."""
    speculative: Name | None = None
    """Speculative decoding method and depth, e.g. `mtp 3`, `off`."""
    max_num_seqs: Count | None = None
    """Largest batch in sequences."""
    offload: Name | None = None
    """Where KV is offloaded to: `cpu`, `disk`, `off`..."""
    pcp: Count | None = None
    """Prefill context-parallel size."""
    dcp: Count | None = None
    """Decode context-parallel size."""
    kv_role: Name | None = None
    """`kv_producer`, `kv_consumer` or `kv_both`, as configured."""
    engine: Pin | None = None
    """Engine build, where the sides run different ones."""
    connector: Connector | None = None
    """Connector, where the sides are configured with different ones."""
    transfer_library: Pin | None = None
    """Transfer library build, where the sides differ."""
    kv_memory: Literal["fresh", "fragmented", "scrambled-on-purpose", "unknown"] | None = None
    """State of the KV pool: a fresh pool is contiguous and makes transfers look cheap."""


class Workload(Part):
    """What was asked of it."""

    dataset: Name | None = None
    """Data set by name: `random`, `sonnet`, `sharegpt`, a trace..."""
    input_tokens: Quantity | None = None
    """Prompt length in tokens, as a distribution or a sweep."""
    output_tokens: Quantity | None = None
    """Answer length in tokens."""
    request_rate: Quantity | None = None
    """Open-loop arrival rate in requests per second; `inf` sends all at once."""
    concurrency: Quantity | None = None
    """Requests in flight in a closed loop."""
    burstiness: Amount | None = None
    """1 is Poisson arrival."""
    num_prompts: Quantity | None = None
    """Requests per run."""
    turns: Literal["single", "multi", "unknown"] | None = None
    """Single requests or conversations."""
    shared_prefix: Quantity | None = None
    """Tokens of prefix that requests share."""
    warmup: Name | None = None
    """Warm-up before measuring: number of requests, `none`, or what was done."""
    repeats: Count | None = None
    """Runs per point."""
    cache_reset: Switch | None = None
    """Whether caches were emptied between arms and runs."""


class Slo(Part):
    """Latency limits that goodput or capacity is counted under."""

    ttft: Finite | None = None
    """TTFT limit in ms."""
    tpot: Finite | None = None
    """TPOT limit in ms."""
    itl: Finite | None = None
    """ITL limit in ms."""
    e2el: Finite | None = None
    """End-to-end limit in ms."""
    stat: Name | None = None
    """Statistic or share of requests that must meet the limits, e.g. `p99`, `95%`."""


class Hardware(Part):
    """Machines."""

    gpu: Name | None = None
    """Accelerator model: `H200`, `MI300X`..."""
    instance: Name | None = None
    """Cloud instance type: `p5en.48xlarge`..."""
    nodes: Count | None = None
    """Machines in use."""
    gpus_per_node: Count | None = None
    """Accelerators per machine."""
    interconnect: Name | None = None
    """Network between instances: `EFA`, `InfiniBand`, `RoCE`, `TCP`, `NVLink`, `none`..."""
    link: Name | None = None
    """Link rate or rails as stated, e.g. `16 x 200 Gb/s`."""
    driver: Name | None = None
    """Driver and CUDA/ROCm version."""


class Setup(Part):
    """One configuration; in an arm it holds only what differs from the common part."""

    model: Name | None = None
    """Model served, as named by its publisher."""
    model_class: Name | None = None
    """Architecture by the engine's class name, e.g. `Qwen3ForCausalLM`; guards on model families look here."""
    family: Literal["dense", "moe", "hybrid-ssm", "multimodal", "unknown"] | None = None
    """Family that decides defaults: hybrid-ssm models keep state that is no KV cache."""
    kv_form: Literal["mha", "gqa", "mla", "unknown"] | None = None
    """Form of the KV cache: per head (mha), grouped (gqa), latent (mla)."""
    precision: Name | None = None
    """Weights' precision: `bf16`, `fp8`, `nvfp4`..."""
    hardware: Hardware | None = None
    """Machines and network."""
    topology: Annotated[str, Field(pattern=r"^([0-9]+P[0-9]+D|[0-9]+E[0-9]+P[0-9]+D|aggregated|unknown)$")] | None = (
        None
    )
    """`1P1D`, `4P2D`; `aggregated` when prefill and decode share engines."""
    same_node: Switch | None = None
    """Whether prefill and decode share a machine."""
    engine: Pin | None = None
    """Inference engine."""
    stack: Pin | None = None
    """Serving stack around the engine (Dynamo, llm-d)."""
    connector: Connector | None = None
    """KV connector."""
    transfer_library: Pin | None = None
    """Library that moves the KV (NIXL, Mooncake transfer engine)."""
    transport: Transport | None = None
    """Transport below the library."""
    cache: Pin | None = None
    """External KV cache (LMCache, Mooncake Store)."""
    router: Router | None = None
    """Router or proxy."""
    client: Client | None = None
    """Load generator."""
    prefill: Side | None = None
    """Prefill side."""
    decode: Side | None = None
    """Decode side."""
    both: Side | None = None
    """What holds on both sides, or the only side of an aggregated setup."""
    options: dict[Name, Scalar] = Field(default_factory=dict)
    """Options explicitly set, by the component's own spelling."""
    env: dict[Name, Scalar] = Field(default_factory=dict)
    """Environment variables explicitly set."""
    workload: Workload | None = None
    """Load."""
    slo: Slo | None = None
    """Latency limits."""

    def over(self, other: Setup) -> Setup:
        """This setup with what `other` states laid over it, key by key."""
        return _laid_over(self, other)

    @once
    def flat(self) -> Mapping[str, Any]:
        """Dotted key -> value for every stated fact.

        What holds on `both` sides, and the common engine, connector and transfer library, are repeated for each side;
        `versions.COMPONENT` is added for every pin that names a component and a version, with every version when the
        sides run different ones.
        """
        flat: dict[str, Any] = {}
        repeated = []
        for name, value in _stated(self):
            if isinstance(value, Model):
                own, sides = _keyed(value, name)
                flat.update(own)
                repeated.append(sides)
            elif isinstance(value, dict):
                flat.update((f"{name}.{key}", each) for key, each in value.items())
            else:
                flat[name] = value
        for sides in repeated:  # what a side states goes before what holds on both
            flat.update(sides if flat.keys().isdisjoint(sides) else {k: v for k, v in sides.items() if k not in flat})
        for component, versions in self.versions().items():
            flat[f"versions.{component}"] = versions[0] if len(versions) == 1 else list(versions)
        return flat

    @once
    def versions(self) -> Mapping[str, tuple[str, ...]]:
        """Component -> the versions its pins state, `unknown` included."""
        found: dict[str, tuple[str, ...]] = {}
        for pin in self.pins().values():
            if pin.component and pin.version and pin.version not in found.get(pin.component, ()):
                found[pin.component] = (*found.get(pin.component, ()), pin.version)
        return found

    @once
    def pins(self) -> Mapping[str, Pin]:
        """The pins it states, by key (`engine`, `connector`, `prefill.engine`...); a role that is empty has none."""
        stated = self.model_fields_set
        found = [(name, getattr(self, name)) for name in PIN_KEYS if name in stated]
        for side in ("both", "prefill", "decode"):
            if side in stated and (there := getattr(self, side)) is not None:
                found += [(f"{side}.{name}", getattr(there, name)) for name in SIDE_PIN_KEYS]
        return {name: pin for name, pin in found if pin is not None and pin.component != NOTHING}


PIN_KEYS = ("engine", "stack", "connector", "transfer_library", "cache", "router", "client")
SIDE_PIN_KEYS = ("engine", "connector", "transfer_library")


M = TypeVar("M", bound=Model)


def _laid_over(low: M, high: M) -> M:
    """One value with what another of its kind states laid over it. Parts that only one of them states are shared: an
    evaluation's arms differ in little."""
    stated: dict[str, Any] = {}
    for name in high.model_fields_set:
        value = getattr(high, name)
        below = getattr(low, name) if name in low.model_fields_set else None
        empty = isinstance(value, Pin) and value.component == NOTHING
        if isinstance(value, Model) and isinstance(below, type(value)) and name not in _WHOLE and not empty:
            value = _laid_over(below, value)
        elif isinstance(value, dict) and isinstance(below, dict):
            value = below | value
        if value is not None:
            stated[name] = value
    return low.model_copy(update=stated)


_WHOLE = frozenset({"input_tokens", "output_tokens", "request_rate", "concurrency", "num_prompts", "shared_prefix"})
"""Spreads are replaced as a whole: half of one and half of another is neither."""


@lru_cache(maxsize=64)
def _fields(model: type[Model]) -> tuple[str, ...]:
    return tuple(model.model_fields)


Entries = Mapping[str, Any]
"""Keys with what is stated there."""


@once
def _keyed(part: Model, name: str) -> tuple[Entries, Entries]:
    """What a part of a setup states, by key, and what of it is repeated for each side; arms share the parts in which
    they do not differ."""
    own = _flattened(part, f"{name}.")
    rest = len("both.") if name == "both" else 0 if name in SIDE_PIN_KEYS else None
    if rest is None:
        return own, {}
    return own, {f"{side}.{key[rest:]}": value for key, value in own.items() for side in ("prefill", "decode")}


def _flattened(model: Model, prefix: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in _stated(model):
        key = prefix + name
        if isinstance(value, Spread):
            found[key] = _of_spread(value)
        elif isinstance(value, Model):
            found.update(_flattened(value, f"{key}."))
        elif isinstance(value, dict):
            found.update((f"{key}.{each}", inner) for each, inner in value.items())
        else:
            found[key] = value.value if isinstance(value, TransferMode) else value
    return found


def _stated(model: Model) -> Iterator[tuple[str, Any]]:
    stated = model.model_fields_set
    for name in _fields(type(model)):
        if name in stated and (value := getattr(model, name)) is not None:
            yield name, value


def _of_spread(spread: Spread) -> Any:
    """What a condition sees of a spread: its values, everything between its ends, or words that bound nothing where
    only a mean or one end is stated."""
    if spread.values and spread.min is None and spread.max is None:
        return list(spread.values)
    low, high = spread.low, spread.high
    return Span(low, high) if low is not None and high is not None else Vague(str(spread))


@lru_cache(maxsize=1)
def keys() -> dict[str, str]:
    """Every setup key (dotted) and what it means; options and environment are open and not among them."""
    return dict(_keys(Setup, ""))


def _keys(model: type[Model], prefix: str) -> Iterator[tuple[str, str]]:
    for name, field in model.model_fields.items():
        inner = _model_of(field)
        if inner is not None and inner is not Spread:
            yield from _keys(inner, f"{prefix}{name}.")
        elif name not in {"options", "env"}:
            yield prefix + name, descriptions(model).get(name, "")


def _model_of(field: FieldInfo) -> type[Model] | None:
    for option in (field.annotation, *get_args(field.annotation)):
        kind = get_args(option)[0] if get_args(option) and not isinstance(option, type) else option
        if isinstance(kind, type) and issubclass(kind, Model):
            return kind
    return None


OPEN_KEYS = ("options.", "env.", "versions.", "caller.")
"""Prefixes of keys whose rest is a name of its owner: an option, a variable, a component, an argument."""


def is_key(text: str) -> bool:
    """Whether a condition may speak of `text`."""
    return text in keys() or any(text.startswith(prefix) and len(text) > len(prefix) for prefix in OPEN_KEYS)
