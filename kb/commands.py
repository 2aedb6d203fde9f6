"""The command that measures one load point again, for the tool that measured it.

What a record does not state becomes a visible placeholder in angle brackets, never a guess: a shell refuses it. What it
states is quoted, because a record is text that somebody else wrote.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kb.regions import Region


@dataclass(frozen=True)
class Task:
    """One measurement of one arm."""

    arm: str
    model: str | None
    load: Mapping[str, str]
    """Load key -> value; what is not known to be one value is not in it."""
    ranges: Mapping[str, Region]
    """Load key -> the region it must lie in, where no single value is known."""
    name: str
    """Name for its result file, without an ending."""
    means: frozenset[str] = frozenset()
    """Lengths of the load that are means: how they were spread is not known."""

    def fixed(self, key: str) -> bool:
        """Whether every request has this length."""
        return key in self.load and key not in self.means

    def value(self, key: str, shown: str | None = None) -> str:
        """A value, quoted; or its placeholder, with the range where one is known."""
        if key in self.load:
            return shlex.quote(self.load[key])
        return _placeholder(shown or key.replace("_", " "), self.ranges.get(key))

    @property
    def closed(self) -> bool:
        """Whether it keeps requests in flight and no rate is stated, or all are sent at once."""
        return "request_rate" not in self.load and ("concurrency" in self.load or "concurrency" in self.ranges)


def _placeholder(name: str, region: Region | None = None) -> str:
    return f"<{plain(name)}: {region}>" if region is not None and str(region) != "any" else f"<{plain(name)}>"


Flags = list[tuple[str, str]]
Tool = Callable[[Task], str]
"""Makes the command of one tool."""


def command(tool: str | None, task: Task) -> str:
    """The command of the tool of that name; of one that is not known here, only what it must be given."""
    folded = re.sub(r"[^a-z0-9]+", " ", (tool or "").casefold())
    for words, made in TOOLS.items():
        if words in folded:
            return made(task)
    return _unknown(tool, task)


def _line(program: str, flags: Flags) -> str:
    return " ".join([program, *(f"{flag} {value}".rstrip() for flag, value in flags)])


def _url(task: Task) -> str:
    return f"<URL of {plain(task.arm)}>"


def _model(task: Task) -> str:
    return shlex.quote(task.model) if task.model else "<model>"


def _rate(task: Task, rate: str, in_flight: str) -> Flags:
    """How requests arrive: a rate, requests in flight, or both where both are stated; a placeholder for neither."""
    flags: Flags = [] if task.closed else [(rate, task.value("request_rate"))]
    if "concurrency" in task.load or "concurrency" in task.ranges:
        flags.append((in_flight, task.value("concurrency")))
    return flags


def _vllm(task: Task) -> str:
    return _line(
        "vllm bench serve",
        [
            ("--base-url", _url(task)),
            ("--backend", task.value("backend")),
            ("--model", _model(task)),
            *_dataset(task, _VLLM),
            *_rate(task, "--request-rate", "--max-concurrency"),
            *([("--burstiness", task.value("burstiness"))] if "burstiness" in task.load else []),
            ("--num-prompts", task.value("num_prompts")),
            ("--percentile-metrics", "ttft,tpot,itl,e2el"),
            ("--metric-percentiles", "50,90,99"),
            ("--save-result", ""),
            ("--result-filename", shlex.quote(f"{task.name}.json")),
        ],
    )


_VLLM = {
    "random": ("--random-input-len", "--random-output-len"),
    "sonnet": ("--sonnet-input-len", "--sonnet-output-len"),
    "sharegpt": (None, "--sharegpt-output-len"),
}
_SGLANG = {"random": ("--random-input-len", "--random-output-len"), "sharegpt": (None, "--sharegpt-output-len")}


def _dataset(task: Task, known: Mapping[str, tuple[str | None, str]]) -> Flags:
    """The data set with its lengths; of one that is no option of the tool, the file."""
    name = task.load.get("dataset", "").casefold()
    flags: Flags = [("--dataset-name", task.value("dataset"))]
    if name and name not in known:
        flags.append(("--dataset-path", "<file of the data set>"))
    into, out = known.get(name, ("--random-input-len", "--random-output-len") if not name else (None, None))
    flags += [(into, task.value("input_tokens"))] if into else []
    return flags + ([(out, task.value("output_tokens"))] if out else [])


def _sglang(task: Task) -> str:
    fixed = [("--random-range-ratio", "1.0")] if task.fixed("input_tokens") else []
    return _line(
        "python -m sglang.bench_serving",
        [
            ("--base-url", _url(task)),
            ("--backend", task.value("backend")),
            ("--model", _model(task)),
            *_dataset(task, _SGLANG),
            *(fixed if task.load.get("dataset", "random").casefold() == "random" else []),
            *_rate(task, "--request-rate", "--max-concurrency"),
            ("--num-prompts", task.value("num_prompts")),
            ("--output-file", shlex.quote(f"{task.name}.jsonl")),
        ],
    )


def _aiperf(task: Task) -> str:
    return _perf("aiperf profile", task)


def _genai_perf(task: Task) -> str:
    return _perf("genai-perf profile", task)


def _perf(program: str, task: Task) -> str:
    return _line(
        program,
        [
            ("--url", _url(task)),
            ("--model", _model(task)),
            ("--endpoint-type", task.value("endpoint")),
            ("--streaming", ""),
            *_prompts(task),
            *_rate(task, "--request-rate", "--concurrency"),
            ("--request-count", task.value("num_prompts")),
            ("--profile-export-file", shlex.quote(f"{task.name}.json")),
        ],
    )


def _prompts(task: Task) -> Flags:
    """Made-up prompts with their lengths, or the file of a data set."""
    if task.load.get("dataset", "random").casefold() not in {"random", "synthetic"}:
        return [("--input-file", "<file of the data set>")]
    flags: Flags = []
    for key, name in (("input_tokens", "--synthetic-input-tokens"), ("output_tokens", "--output-tokens")):
        flags.append((f"{name}-mean", task.value(key)))
        flags += [(f"{name}-stddev", "0")] if task.fixed(key) else []
    return flags


def _guidellm(task: Task) -> str:
    data = f"prompt_tokens={_bare(task, 'input_tokens')},output_tokens={_bare(task, 'output_tokens')}"
    kind, key = ("concurrent", "concurrency") if task.closed else ("constant", "request_rate")
    return _line(
        "guidellm benchmark",
        [
            ("--target", _url(task)),
            ("--model", _model(task)),
            ("--data", f'"{data}"' if "<" in data else shlex.quote(data)),
            ("--rate-type", kind if task.closed or "request_rate" in task.load else "<rate type>"),
            ("--rate", task.value(key)),
            ("--max-requests", task.value("num_prompts")),
            ("--output-path", shlex.quote(f"{task.name}.json")),
        ],
    )


def _bare(task: Task, key: str) -> str:
    """A number, or its placeholder, for the inside of a quoted value."""
    value = task.load.get(key, "")
    number = re.fullmatch(r"[0-9.]+", value)
    return value if number else _placeholder(key.replace("_", " "), task.ranges.get(key))


def _unknown(tool: str | None, task: Task) -> str:
    """What whatever tool measured it must be given."""
    name = f"<command of {plain(tool)}>" if tool else "<command of the load generator>"
    usual = ["input_tokens", "output_tokens", *([] if task.closed else ["request_rate"])]
    stated = [*task.load, *(key for key in task.ranges if key not in task.load)]
    keys = dict.fromkeys([*(usual if set(usual) & set(stated) else ()), *stated])
    return " ".join(
        [name, f"url={_url(task)}", f"model={_model(task)}", *(f"{plain(k)}={task.value(k)}" for k in keys)]
    )


def plain(text: str) -> str:
    """Letters, digits and a few signs of a name that stands outside of quotes."""
    return re.sub(r"[^A-Za-z0-9._ /-]", "", text)


TOOLS: dict[str, Tool] = {
    "vllm bench serve": _vllm,
    "benchmark serving": _vllm,
    "sglang": _sglang,
    "bench serving": _sglang,
    "genai perf": _genai_perf,
    "aiperf": _aiperf,
    "guidellm": _guidellm,
}
"""Part of a tool's name -> its command. vLLM's benchmark_serving.py became `vllm bench serve`."""


def is_known(tool: str | None) -> bool:
    """Whether a tool's options are known here."""
    folded = re.sub(r"[^a-z0-9]+", " ", (tool or "").casefold())
    return any(words in folded for words in TOOLS)
