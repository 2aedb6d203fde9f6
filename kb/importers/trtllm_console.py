"""trtllm-bench, what it prints (0.16 to 1.x), found among hundreds of log lines.

0.16 prints one token throughput, and it counts output tokens; newer versions print output and total apart, per user and
per GPU. Latencies are in ms, `Total Latency` is the wall time of the run. With --streaming TTFT and TPOT have blocks of
their own. `Issue Rate` is no rate: the gap between requests is multiplied where it should be inverted (5.8E+13 req/s);
what was asked for stands in the log as `[rate=-1 req/s]`, and -1 is without limit. Written by
github.com/NVIDIA/TensorRT-LLM, tensorrt_llm/bench/dataclasses/reporting.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kb.importers.fields import Fields, number
from kb.importers.plain import labelled, stated, whole_lines
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source
from kb.redact import redacted

NAME = "trtllm-bench"
TOOL = "trtllm-bench"

_TITLE = re.compile(r"^= (?P<title>[A-Z][A-Z +]+?)\s*(?:\(.*\))?$")
_RATE = re.compile(r"\[rate=(?P<rate>-?[\d.]+) req/s\]")
_CLOCK = re.compile(r"^\[(\d\d)/(\d\d)/(\d{4})-(\d\d:\d\d:\d\d)\]")
_BREAKDOWN = re.compile(r"^\[(?P<of>TTFT|TPOT|GTPS|Latency)\] (?P<stat>[A-Z0-9.]+)\s*:\s*(?P<value>\S+)$")
_OVERVIEW = "PERFORMANCE OVERVIEW"
_STARTS = {"ENGINE DETAILS", "PYTORCH BACKEND"}
_SECTIONS = {*_STARTS, _OVERVIEW, "WORLD + RUNTIME INFORMATION", "REQUEST DETAILS", "MACHINE DETAILS"}

_STATS = {"MINIMUM": "min", "MAXIMUM": "max", "AVERAGE": "mean"}
_BLOCKS = {
    "TTFT": ("ttft", "ms", "trtllm-bench.ttft"),
    "TPOT": ("tpot", "ms", "trtllm-bench.tpot"),
    "Latency": ("e2el", "ms", "trtllm-bench.e2el"),
    "GTPS": ("output_throughput_per_user", "tok/s/user", "trtllm-bench.generation_throughput_per_user"),
}
_OLD = "Token Throughput (tokens/sec)"
_SINGLE = (
    ("Request Throughput (req/sec)", "request_throughput", "req/s", "value", "trtllm-bench.request_throughput"),
    (_OLD, "output_throughput", "tok/s", "value", "trtllm-bench.output_throughput"),
    ("Total Output Throughput (tokens/sec)", "output_throughput", "tok/s", "value", "trtllm-bench.output_throughput"),
    ("Total Token Throughput (tokens/sec)", "total_throughput", "tok/s", "value", "trtllm-bench.total_throughput"),
    ("Total Latency (ms)", "duration", "ms", "value", "trtllm-bench.duration"),
    ("Average request latency (ms)", "e2el", "ms", "mean", "trtllm-bench.e2el"),
    (
        "Per User Output Throughput [w/ ctx] (tps/user)",
        "output_throughput_per_user",
        "tok/s/user",
        "mean",
        "trtllm-bench.output_throughput_per_user",
    ),
    (
        "Per GPU Output Throughput (tps/gpu)",
        "output_throughput_per_gpu",
        "tok/s/GPU",
        "value",
        "trtllm-bench.output_throughput_per_gpu",
    ),
    ("Average time-to-first-token [TTFT] (ms)", "ttft", "ms", "mean", "trtllm-bench.ttft"),
    ("Average time-per-output-token [TPOT] (ms)", "tpot", "ms", "mean", "trtllm-bench.tpot"),
    (
        "Per User Output Speed (tps/user)",
        "output_throughput_per_user",
        "tok/s/user",
        "mean",
        "trtllm-bench.generation_throughput_per_user",
    ),
)


_NO_RATE = "Issue Rate: no rate (the tool multiplies a gap where it should invert it), left out"


def recognises(source: Source) -> bool:
    """By the block's title; the log before it may be longer than what is looked at first."""
    if source.shape not in {"text", "list", "table", "yaml"}:
        return False
    log = "TensorRT-LLM" in source.head or "TRT-LLM" in source.head
    return f"= {_OVERVIEW}" in source.head or (log and f"= {_OVERVIEW}" in source.text)


def read(source: Source) -> Iterator[Run]:
    """A run for each overview of the log."""
    lines = whole_lines(source)
    last: Run | None = None
    for record, block in enumerate(_blocks(lines.lines), 1):
        if last:
            yield last
        last = _run(source, record, block)
    if last:
        yield replace(last, not_understood=(*last.not_understood, *lines.odd))


def _blocks(lines: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Labels and values of each run; what precedes an overview belongs to it, and a new engine begins a new one."""
    block: dict[str, str] = {}
    title = ""
    for line in lines:
        if (found := _TITLE.match(line)) and found["title"] in _SECTIONS | {"DATASET DETAILS", "DECODING STATISTICS"}:
            begins = found["title"] in _STARTS or (found["title"] == _OVERVIEW and _OVERVIEW in block)
            if begins and _OVERVIEW in block:
                yield block
                block = {}
            title = found["title"]
            block |= {title: ""}
        else:
            block |= _of_log(line) if title not in _SECTIONS else _of_section(line, title)
        if line.startswith("[0") and title == _OVERVIEW and _CLOCK.match(line):
            title = ""
    if _OVERVIEW in block:
        yield block


def _of_log(line: str) -> dict[str, str]:
    found: dict[str, str] = {}
    if rate := _RATE.search(line):
        found["rate"] = rate["rate"]
    if clock := _CLOCK.match(line):
        stamp = f"{clock[3]}-{clock[1]}-{clock[2]}T{clock[4]}"
        found |= {"ended": stamp} | ({"started": stamp} if "Benchmark started" in line else {})
    return found


def _of_section(line: str, title: str) -> dict[str, str]:
    if broken := _BREAKDOWN.match(line):
        return {f"[{broken['of']}] {broken['stat']}": broken["value"]}
    if title == "MACHINE DETAILS" and ", memory " in line:
        return {"GPU": line.split(", memory ")[0].strip()}
    pair = labelled(line)
    return dict([pair]) if pair and not line.startswith(("[", "=")) else {}


def _run(source: Source, record: int, block: dict[str, str]) -> Run:
    fields = Fields(block)
    points = _points(block, fields)
    odd = [_NO_RATE] if "Issue Rate (req/sec)" in block else []
    sent = fields.count("Number of requests")
    return Run(
        source.name,
        NAME,
        TOOL,
        tool_version=_version(block),
        record=record,
        setup=_setup(block, fields),
        where=_where(block, sent),
        facts=_facts(block),
        points=tuple(points.points),
        requests=Requests(sent=sent),
        started=block.get("started"),
        ended=block.get("ended"),
        not_understood=(*fields.odd, *points.odd, *odd),
    )


def _version(block: dict[str, str]) -> str | None:
    return stated(block.get("TensorRT-LLM Version") or block.get("TensorRT LLM Version"))


def _points(block: dict[str, str], fields: Fields) -> Points:
    points = Points(NAME)
    for label in block:
        if found := re.fullmatch(r"\[(\w+)\] (\S+)", label):
            metric, unit, definition = _BLOCKS[found[1]]
            points.add(metric, block[label], unit, _STATS.get(found[2], found[2]), definition=definition)
    have = {(point.metric, point.stat, point.definition) for point in points.points}
    for label, metric, unit, stat, definition in _SINGLE:
        single = Points(NAME)
        meant = _checked(definition, fields) if label == _OLD else definition
        single.add(metric, fields.number(label) or None, unit, stat, definition=meant)
        points.points += [each for each in single.points if (each.metric, each.stat, each.definition) not in have]
        points.odd += single.odd
    for metric, label in (
        ("input_tokens", "Average Input Length (tokens)"),
        ("output_tokens", "Average Output Length (tokens)"),
    ):
        points.add(metric, fields.number(label) or None, "count", "mean", definition=f"{NAME}.{metric}")
    points.add("concurrency", fields.number("Number of concurrent requests") or None, "count", "mean")
    return points


def _checked(definition: str, fields: Fields) -> str | None:
    """Whether the one token throughput of an old version counts output tokens: requests/s x mean length says so."""
    requests, length = fields.number("Request Throughput (req/sec)"), fields.number("Average Output Length (tokens)")
    tokens = fields.number(_OLD)
    if not requests or not length or not tokens:
        return None
    return definition if abs(requests * length / tokens - 1) < 0.01 else None


def _setup(block: dict[str, str], fields: Fields) -> dict[str, Fact]:
    quantised = stated(block.get("Quantization"))
    texts = {
        "model": block.get("Model"),
        "engine.version": _version(block),
        "precision": quantised or block.get("Dtype"),
        "both.kv_dtype": block.get("KV Cache Dtype"),
        "hardware.gpu": block.get("GPU"),
    }
    counts = {
        "both.tp": "TP Size",
        "both.pp": "PP Size",
        "both.ep": "EP Size",
        "both.max_num_seqs": "Max Runtime Batch Size",
    }
    setup: dict[str, Fact] = {"engine.component": "tensorrt-llm"}
    setup |= {key: redacted(text) for key, value in texts.items() if (text := stated(value)) is not None}
    return setup | {key: count for key, label in counts.items() if (count := fields.count(label)) is not None}


def _where(block: dict[str, str], sent: int | None) -> dict[str, Fact]:
    where: dict[str, Fact] = {"num_prompts": sent} if sent else {}
    asked = number(block.get("rate"))
    if asked is None:
        return where
    return where | {"request_rate": "inf" if asked < 0 else asked}


def _facts(block: dict[str, str]) -> dict[str, Fact]:
    labels = {
        "dtype": "Dtype",
        "scheduling_policy": "Scheduling Policy",
        "max_num_tokens": "Max Runtime Tokens",
        "max_sequence_length": "Max Sequence Length",
        "kv_memory": "KV Memory Percentage",
    }
    facts: dict[str, Fact] = {
        key: text for key, label in labels.items() if (text := stated(block.get(label))) is not None
    }
    backend = "PyTorch" if "PYTORCH BACKEND" in block else "TensorRT engine" if "ENGINE DETAILS" in block else None
    return facts | ({"backend": backend} if backend else {})
