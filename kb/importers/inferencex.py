"""InferenceX (InferenceMAX): aggregates `agg_*.json` and the rows of its dashboard's API, as lists or by model.

Latencies are the client's divided by 1000 and have lost their suffix: seconds. `intvty` is 1/TPOT of the same statistic
in tokens per second, so that its p99 is the bad end and its standard deviation means nothing. Rates per GPU of
disaggregated runs divide the input by the prefill side and the output by the decode side. In the API a run that is not
disaggregated has its GPUs in num_prefill_gpu and in num_decode_gpu: the same ones. The folder also holds lists of what
exists, accuracy and reliability. Written by github.com/SemiAnalysisAI/InferenceX, utils/process_result.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kb.importers.facts import stated
from kb.importers.fields import Fields
from kb.importers.points import Points
from kb.importers.run import Fact, Run, Suggestion
from kb.importers.source import Source

NAME = "inferencex"
TOOL = "InferenceX"

_LATENCY = re.compile(r"(?P<stat>mean|median|std|p[\d.]+)_(?P<of>ttft|tpot|itl|e2el|intvty)")
_OFFICIAL = re.compile(
    r"(?:^|/)(?:lmsysorg/sglang(?:-rocm)?|vllm/vllm-openai(?:-rocm)?|nvidia/tensorrt-llm/release):v?(?P<version>\d+\.\d+\.\d+[A-Za-z0-9.]*)"
)
_ENGINES = {"sglang": "sglang", "vllm": "vllm", "trt": "tensorrt-llm", "trtllm": "tensorrt-llm"}
_POWER = (
    "avg_power_w",
    "prefill_avg_power_w",
    "decode_avg_power_w",
    "joules_per_total_token",
    "joules_per_output_token",
    "joules_per_input_token",
    "avg_util_pct",
    "avg_mem_used_mb",
)
_FACTS = (
    "framework",
    "date",
    "run_url",
    "spec_method",
    "spec_decoding",
    "mtp",
    "benchmark_type",
    "offload_mode",
    "kv_offloading",
    "kv_p2p_transfer",
    "infmax_model_prefix",
    "dp_attention",
    "prefill_dp_attention",
    "decode_dp_attention",
    "is_multinode",
    "disagg",
)

_WHOLE_MACHINE = (
    "GPUs and parallelism of the sides: they do not agree with the rates per GPU "
    "(old rows put the whole machine on both sides); left out"
)


def recognises(source: Source) -> bool:
    """By throughput per GPU, in the row or in its metrics."""
    if source.shape not in {"object", "list", "lines"}:
        return False
    return any(_is_row(row) for row, _ in _rows(source.record)) and (
        "hw" in _first(source) or "hardware" in _first(source)
    )


def _first(source: Source) -> dict[str, Any]:
    return next((row for row, _ in _rows(source.record) if isinstance(row, dict)), {})


def _is_row(row: Any) -> bool:
    if not isinstance(row, dict):
        return False
    metrics = row.get("metrics", row)
    return isinstance(metrics, dict) and "tput_per_gpu" in metrics


def _rows(record: Any) -> Iterator[tuple[Any, str | None]]:
    """The rows of a record: itself, or those filed under names of models."""
    members = record.items() if isinstance(record, dict) else ()
    if members and all(isinstance(value, list) for _, value in members):
        yield from ((row, name) for name, rows in members for row in rows)
    else:
        yield record, None


def read(source: Source) -> Iterator[Run]:
    """A run for each row."""
    rows = (pair for record in source.records() for pair in _rows(record))
    for record, (row, name) in enumerate(rows, 1):
        yield _run(source, record, Fields(row), name)


def _run(source: Source, record: int, fields: Fields, filed_under: str | None) -> Run:
    metrics = fields.table("metrics") if "metrics" in fields else fields
    apart = fields.flag("disagg")
    points = Points(NAME)
    odd = [*_latencies(points, metrics), *_per_gpu(points, metrics, apart)]
    setup = _setup(fields, apart, filed_under)
    if apart and not _adds_up(metrics, setup):
        setup = {key: value for key, value in setup.items() if not key.endswith((".gpus", ".tp", ".ep", ".pp"))}
        odd.append(_WHOLE_MACHINE)
    where = stated(
        {"input_tokens": fields.count("isl"), "output_tokens": fields.count("osl"), "concurrency": fields.count("conc")}
    )
    facts = stated({key: fields.text(key) for key in _FACTS if isinstance(fields.raw(key), str)})
    facts |= stated({key: fields.flag(key) for key in _FACTS if isinstance(fields.raw(key), bool)})
    facts |= stated({key: metrics.number(key) for key in _POWER})
    fields.skip("id", "workers", *_FACTS)
    left = metrics.leftover() if metrics is not fields else []
    return Run(
        source.name,
        NAME,
        TOOL,
        record=record,
        setup=setup,
        where=where,
        facts=facts,
        points=tuple(points.points),
        suggestions=tuple(_hints(setup, facts)),
        not_understood=(*fields.odd, *points.odd, *odd, *left, *fields.leftover()),
    )


def _latencies(points: Points, metrics: Fields) -> Iterator[str]:
    for key in metrics:
        found = _LATENCY.fullmatch(key)
        if found is None:
            continue
        value, stat = metrics.number(key) or None, found["stat"]
        if found["of"] != "intvty":
            points.add(found["of"], value, "s", stat)
        elif stat == "std":
            yield "std_intvty: 1 / standard deviation of TPOT, which means nothing; left out"
        else:
            points.add("output_throughput_per_user", value, "tok/s/user", stat)


def _per_gpu(points: Points, metrics: Fields, apart: bool | None) -> Iterator[str]:
    """Without `disagg` it is not known which GPUs the input and output rates were divided by."""
    points.add("total_throughput_per_gpu", metrics.number("tput_per_gpu") or None, "tok/s/GPU")
    sides = {True: ("_per_prefill_gpu", "_per_decode_gpu"), False: ("_per_gpu", "_per_gpu")}
    for key, suffix in zip(
        ("input", "output"), sides.get(apart, (None, None)) if apart is not None else (None, None), strict=True
    ):
        definition = f"{NAME}.{key}_throughput{suffix}" if suffix else None
        points.add(
            f"{key}_throughput_per_gpu",
            metrics.number(f"{key}_tput_per_gpu") or None,
            "tok/s/GPU",
            definition=definition,
        )
    if apart is None:
        yield "disagg: missing, so that it is not known which GPUs the rates per GPU were divided by"


def _setup(fields: Fields, apart: bool | None, filed_under: str | None) -> dict[str, Fact]:
    framework, spec = fields.text("framework"), fields.raw("spec_method") or fields.raw("spec_decoding")
    setup: dict[str, Fact | None] = {
        "model": filed_under or fields.text("model"),
        "precision": fields.text("precision"),
        "hardware.gpu": fields.text("hardware") or fields.text("hw"),
        "engine.component": _ENGINES.get((framework or "").rpartition("-")[2]),
        "engine.image": fields.text("image"),
        "stack.component": "dynamo" if (framework or "").startswith("dynamo-") else None,
        "both.speculative": "off" if spec == "none" else spec if isinstance(spec, str) else None,
    }
    fields.skip("model")
    return stated(setup | (_sides(fields) if apart else _one_side(fields) if apart is not None else {}))


def _sides(fields: Fields) -> dict[str, Fact | None]:
    made: dict[str, Fact | None] = {}
    for side in ("prefill", "decode"):
        workers = fields.count(f"{side}_num_workers")
        made |= {f"{side}.{key}": fields.count(f"{side}_{key}") for key in ("tp", "ep", "pp")}
        made |= {f"{side}.gpus": fields.count(f"num_{side}_gpu"), f"{side}.instances": workers or None}
    prefill, decode = made["prefill.instances"], made["decode.instances"]
    return made | {"topology": f"{prefill}P{decode}D" if prefill and decode else None}


def _adds_up(metrics: Fields, setup: dict[str, Fact]) -> bool:
    """Whether total tokens per GPU is what the two sides' rates and GPUs come to."""
    prefill, decode = setup.get("prefill.gpus"), setup.get("decode.gpus")
    total, *sides = (metrics.number(f"{key}tput_per_gpu") for key in ("", "input_", "output_"))
    if (
        not total
        or None in sides
        or not isinstance(prefill, int)
        or not isinstance(decode, int)
        or not prefill + decode
    ):
        return True
    come_to = ((sides[0] or 0) * prefill + (sides[1] or 0) * decode) / (prefill + decode)
    return abs(come_to / total - 1) < 0.01


def _one_side(fields: Fields) -> dict[str, Fact | None]:
    """Aggregates name it once, API rows twice."""
    made: dict[str, Fact | None] = {"topology": "aggregated"}
    for key in ("tp", "ep", "pp"):
        once, twice = fields.count(key), [fields.count(f"{side}_{key}") for side in ("decode", "prefill")]
        made[f"both.{key}"] = once if once is not None else twice[0]
    gpus = [fields.count(f"num_{side}_gpu") for side in ("decode", "prefill")]
    fields.skip("prefill_num_workers", "decode_num_workers")
    return made | {"both.gpus": gpus[0]}


def _hints(setup: dict[str, Fact], facts: dict[str, Fact]) -> Iterator[Suggestion]:
    """A version that the tag of an official image names; a connector that a field of the run names."""
    if found := _OFFICIAL.search(str(setup.get("engine.image", ""))):
        yield Suggestion("engine.version", found["version"], f"image {setup['engine.image']}")
    if (moved := facts.get("kv_p2p_transfer")) not in {None, "none", ""}:
        yield Suggestion("connector.component", str(moved), "kv_p2p_transfer")
    if str(facts.get("framework", "")).startswith("mori-"):
        yield Suggestion("transfer_library.component", "mori", f"framework {facts['framework']}")
