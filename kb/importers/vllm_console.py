"""The result block that `vllm bench serve` and SGLang's `bench_serving` print, from logs, terminals and pull requests.

A log may hold several blocks, colours, progress bars on the same lines, quoting. What was asked for stands above the
block: `Namespace(...)`, `Sampling input_len from [..]`, `Traffic request rate:`. Numbers are rounded to two digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.importers.fields import number
from kb.importers.namespace import arguments
from kb.importers.points import Points
from kb.importers.run import Fact, Requests, Run
from kb.importers.source import Source
from kb.importers.vllm_shape import first_token, is_chat
from kb.redact import clean

NAME = "vllm-console"
TOOL = "vllm bench serve (console)"

TITLE = re.compile(r"={4,} Serving Benchmark Result ={4,}\s*[|`]*\s*$")
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_LINE = re.compile(r"^[\s>|`*]*([A-Z][A-Za-z0-9 .:/()\-]*?(?:\([\w/.% ]+\))?)\s*:\s+(\S+)[\s|`]*$")
_STATISTIC = re.compile(r"(Mean|Median|Std|Min|Max|P[0-9.]+) (.+?) \(ms\)")
_SAMPLING = re.compile(r"input_len from \[(\d+), (\d+)\] and output_len from \[(\d+), (\d+)\]")
_GOODPUT = re.compile(r"(ttft|tpot|e2el):\s*([0-9.]+)")
_RULE = re.compile(r"={20,}")
LONGEST_BLOCK = 120
"""Lines after which a block without an end is taken to have broken off."""

_LATENCIES = {"TTFT": "ttft", "TPOT": "tpot", "ITL": "itl", "E2EL": "e2el", "E2E Latency": "e2el"}
_VALUES = {
    "benchmark duration (s)": ("duration", "s"),
    "request throughput (req/s)": ("request_throughput", "req/s"),
    "request goodput (req/s)": ("goodput", "req/s"),
    "input token throughput (tok/s)": ("input_throughput", "tok/s"),
    "output token throughput (tok/s)": ("output_throughput", "tok/s"),
    "total token throughput (tok/s)": ("total_throughput", "tok/s"),
    "peak output token throughput (tok/s)": ("max_output_tokens_per_s", "tok/s"),
    "peak concurrent requests": ("max_concurrent_requests", "count"),
    "total input tokens": ("total_input_tokens", "count"),
    "total generated tokens": ("total_output_tokens", "count"),
    "total generated tokens (retokenized)": ("total_output_tokens_retokenized", "count"),
    "acceptance rate (%)": ("spec_decode_acceptance_rate", "%"),
    "acceptance length": ("spec_decode_acceptance_length", "tokens"),
    "drafts": ("spec_decode_num_drafts", "count"),
    "draft tokens": ("spec_decode_draft_tokens", "count"),
    "accepted tokens": ("spec_decode_accepted_tokens", "count"),
}
_ASKED = {
    "request rate configured (rps)": "request_rate",
    "traffic request rate": "request_rate",
    "maximum request concurrency": "concurrency",
    "max request concurrency": "concurrency",
    "burstiness factor": "burstiness",
}


@dataclass(slots=True)
class _Above:
    """What was said above a block of what was asked for."""

    arguments: dict[str, str] = field(default_factory=dict)
    where: dict[str, Fact] = field(default_factory=dict)


def recognises(source: Source) -> bool:
    """The title of the block anywhere in a text."""
    if source.shape in {"object", "list", "lines"}:
        return False
    return any("Serving Benchmark Result" in line and TITLE.search(_plain(line)) for line in source.lines())


def read(source: Source) -> Iterator[Run]:
    """One run per block."""
    above, numbered = _Above(), 0
    block: dict[str, str] | None = None
    for raw in source.lines():
        line = _plain(raw)
        if TITLE.search(line):
            if block:
                numbered += 1
                yield _run(source.name, numbered, block, above, whole=False)
            block = {}
        elif block is not None and (_RULE.search(line) or len(block) > LONGEST_BLOCK):
            numbered += 1
            yield _run(source.name, numbered, block, above, whole=True)
            above, block = _Above(), None
        elif block is not None:
            _cut(line, block)
        else:
            _note(line, above)
    if block:
        yield _run(source.name, numbered + 1, block, above, whole=False)


def _plain(line: str) -> str:
    return _COLOUR.sub("", line).rstrip()


def _cut(line: str, block: dict[str, str]) -> None:
    if found := _LINE.match(line):
        block.setdefault(found[1].strip(), found[2])


def _note(line: str, above: _Above) -> None:
    if "Namespace(" in line:
        above.arguments, above.where = arguments(line), {}
    elif found := _SAMPLING.search(line):
        low_in, high_in, low_out, high_out = map(int, found.groups())
        above.where |= {"input_tokens": low_in} if low_in == high_in else {}
        above.where |= {"output_tokens": low_out} if low_out == high_out else {}
    elif (found := _LINE.match(line.partition(" (")[0])) and (key := _ASKED.get(found[1].casefold())):
        _ask(above.where, key, found[2])


def _ask(where: dict[str, Fact], key: str, text: str) -> None:
    if text in {"inf", "None"}:
        where |= {key: "inf"} if text == "inf" and key == "request_rate" else {}
    elif (value := number(text)) is not None:
        where[key] = int(value) if value == int(value) else value


def _run(file: str, numbered: int, block: dict[str, str], above: _Above, *, whole: bool) -> Run:
    sglang = "Backend" in block
    values = {label.casefold(): text for label, text in block.items()}
    completed = _whole(values.pop("successful requests", None))
    failed = _whole(values.pop("failed requests", None))
    where = _where(above)
    for label, key in _ASKED.items():
        if label in values:
            _ask(where, key, values.pop(label))
    sent = where.get("num_prompts")
    requests = Requests(sent if isinstance(sent, int) else None, completed, failed)
    chat = is_chat(
        above.arguments.get("backend"), above.arguments.get("endpoint"), above.arguments.get("endpoint_type")
    )
    points, left = _points(values, block, requests, sglang, chat)
    notes = [*points.odd, *left]
    if not whole:
        notes.append("the block breaks off before its last line")
    if chat is None and not sglang:
        notes.append("whether chat or completions was called is not said: what counts as first token stays open")
    setup, facts = _facts(above.arguments)
    return Run(
        file, NAME, "SGLang bench_serving" if sglang else "vllm bench serve",
        None if sglang else ">0.10.2" if failed is not None else "<0.12.0", numbered,
        setup=setup, where=where, facts=facts, points=tuple(points.points), requests=requests,
        not_understood=tuple(notes),
    )  # fmt: skip


def _whole(text: str | None) -> int | None:
    value = number(text)
    return int(value) if value is not None and value >= 0 and value == int(value) else None


def _points(
    values: dict[str, str], block: dict[str, str], requests: Requests, sglang: bool, chat: bool | None
) -> tuple[Points, list[str]]:
    points, left = Points("sglang-bench" if sglang else "vllm-bench"), []
    measured = requests.completed != 0
    points.add("completed", requests.completed, "count", definition=None if sglang else "")
    points.add("failed", requests.failed, "count", definition=None if sglang else "")
    for label, text in block.items():
        folded = label.casefold()
        if found := _STATISTIC.fullmatch(label):
            if measured:
                _latency(points, found[1], found[2], text, requests.completed, sglang, chat)
        elif named := _VALUES.get(folded):
            if measured or named[0] == "duration":
                points.add(named[0], text, named[1], definition=None if sglang and named[1] in {"s", "count"} else "")
        elif folded == "concurrency":
            points.add("concurrency", text, "count", "mean")
        elif folded in values and folded != "backend":
            left.append(f"{label}: not known to this importer")
    return points, left


def _latency(
    points: Points, stat: str, label: str, text: str, completed: int | None, sglang: bool, chat: bool | None
) -> None:
    metric = _LATENCIES.get(label)
    if metric is None:
        points.odd.append(f"{stat} {label} (ms): not known to this importer")
        return
    definition: str | None = ""
    if metric in {"ttft", "itl"} and not sglang:
        definition = first_token(metric, "role", chat)
    points.add(metric, text, "ms", stat, definition=definition, n=None if metric == "itl" else completed)


def _where(above: _Above) -> dict[str, Fact]:
    """From the arguments, then what was printed after them."""
    said = above.arguments
    where: dict[str, Fact] = {}
    for name, key in (("request_rate", "request_rate"), ("max_concurrency", "concurrency"),
                      ("burstiness", "burstiness"), ("num_prompts", "num_prompts")):  # fmt: skip
        _ask(where, key, said.get(name, "None"))
    dataset = said.get("dataset_name", "None")
    if dataset != "None":
        where["dataset"] = dataset
        for name, key in (("input_len", "input_tokens"), ("output_len", "output_tokens")):
            _ask(where, key, said.get(f"{dataset}_{name}", "None"))
    if said.get("random_range_ratio", "0.0") not in {"0", "0.0", "None"}:
        where["random_range_ratio"] = said["random_range_ratio"]
    return where | above.where


def _facts(said: dict[str, str]) -> tuple[dict[str, Fact], dict[str, Fact]]:
    setup: dict[str, Fact] = {}
    facts: dict[str, Fact] = {}
    for name, limit in _GOODPUT.findall(said.get("goodput", "")):
        setup[f"slo.{name}"] = float(limit)
    if (model := said.get("model", "None")) != "None" and not model.startswith(("/", ".")):
        setup["model"] = clean("model", model)
    for key in (
        "backend",
        "endpoint",
        "endpoint_type",
        "seed",
        "ignore_eos",
        "tokenizer",
        "num_warmups",
        "goodput",
        "temperature",
    ):
        if (value := said.get(key, "None")) != "None":
            facts[key] = clean(key, value)
    return setup, facts
