"""Synthetic evaluations with results, from a seed: sweeps of two arms with spread and stages, so that charts are drawn.

Beside `benchmarks.generate`, whose records have two numbers each: a site is as heavy as its charts. The questions are
those of the vocabulary in turn; every record says in title, tags and source that it is synthetic.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from benchmarks.generate import ARMS, GPUS, MODELS, SYLLABLES, VERSIONS, language_of, prose

QUESTIONS = [
    "push-vs-pull-handoff",
    "pull-reader-thread",
    "handover-cost",
    "kv-return-multi-turn",
    "kv-layout-transfer",
    "same-node-transport",
    "push-router-dispatch",
    "disaggregated-vs-aggregated",
    "connector-choice",
    "cpu-offload",
    "shared-kv-pool",
    "transport-backend-choice",
    "descriptor-posting-cost",
    "write-batching",
    "prefill-decode-ratio",
    "prefill-parallelism",
    "async-kv-transfer",
    "router-policy",
]
RATES, LENGTHS = (1, 2, 4, 8, 16), (1024, 4096)
STAGES = ("queue", "prefill-compute", "hand-over", "transfer", "first-decode-step")


def generate(count: int, seed: int = 1) -> Iterator[tuple[str, str]]:
    """`count` evaluations as (path below entries/, text)."""
    chance = random.Random(seed)
    tail = ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(4000)]
    for number in range(count):
        yield f"evaluations/measured-{number:05}.md", _evaluation(chance, number, tail)


def write_base(folder: Path, count: int, seed: int = 1) -> Path:
    """A base in `folder` with `count` such evaluations; it mounts the shipped one."""
    (folder / "entries" / "evaluations").mkdir(parents=True, exist_ok=True)
    (folder / "kb.toml").write_text('[base]\nmounts = ["shipped"]\n', encoding="utf-8")
    for path, text in generate(count, seed):
        (folder / "entries" / path).write_text(text, encoding="utf-8")
    return folder


def _evaluation(chance: random.Random, number: int, tail: list[str]) -> str:
    language, model, gpu = language_of(number), chance.choice(MODELS), chance.choice(GPUS)
    base, candidate = chance.sample(ARMS, 2)
    tool = chance.choice(["vllm-bench", "sglang-bench"])
    points = "\n".join(_points(chance, tool))
    limit = chance.choice(RATES)
    return f"""---
schema_version: 1
id: measured-{number:05}
title: Synthetic sweep {number}, {model} on {gpu}, {base[2]} and {candidate[2]}
tags: [synthetic]
kind: controlled
question: {QUESTIONS[number % len(QUESTIONS)]}
date: {chance.choice((2025, 2026))}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}
language: {language}
source: {{relation: own, depth: full, url: unknown, by: generator}}
setup:
  model: {model}
  hardware: {{gpu: {gpu}, interconnect: {chance.choice(["EFA", "InfiniBand", "RoCE"])}}}
  topology: {chance.choice(["1P1D", "2P1D", "4P2D"])}
  engine: {{component: vllm, version: {chance.choice(VERSIONS)}}}
  transfer_library: {{component: nixl, version: {chance.choice(["1.2.0", "1.3.1", "1.4.1"])}}}
  both: {{prefix_caching: {chance.choice(["on", "off"])}, block_size: {chance.choice([16, 64, 128])}}}
  workload: {{dataset: random, output_tokens: 128, input_tokens: 1024..16384, request_rate: 1..16}}
arms:
  - {{id: base, role: baseline, setup: {{connector: {{component: {base[0]}, class_name: {base[1]}, mode: {base[2]}}}}}}}
  - {{id: new, role: candidate, setup: {{connector: {{component: {candidate[0]}, class_name: {candidate[1]}, mode: {candidate[2]}}}}}}}
points:
{points}
claims:
  - id: light-load
    kind: measured
    says: {prose(chance, language, 12, tail)!r}
    effect: {{form: ratio, metric: ttft, arm: new, against: base, points: [{cited("ttft", 1)}]}}
    conditions: [{{key: workload.request_rate, op: "<=", value: {limit}, why: {prose(chance, language, 6, tail)!r}}}]
    rests_on: [descriptor-count, scheduler]
  - id: heavy-load
    kind: measured
    says: {prose(chance, language, 12, tail)!r}
    effect: {{form: ratio, metric: tpot, arm: new, against: base, points: [{cited("tpot", 16)}]}}
    conditions: [{{key: workload.request_rate, op: ">=", value: {limit}, why: {prose(chance, language, 6, tail)!r}}}]
    rests_on: [post-thread]
  - id: why
    kind: hypothesis
    says: {prose(chance, language, 10, tail)!r}
    rests_on: [block-lifetime]
limits: [Synthetic; measures nothing.]
---
{body(chance, language, tail, number)}"""


def cited(metric: str, rate: int) -> str:
    """The two points behind a claim."""
    return ", ".join(f"{arm}-{metric}-mean-4096-{rate}" for arm in ("new", "base"))


def _points(chance: random.Random, tool: str) -> Iterator[str]:
    for arm, factor in (("base", 1.0), ("new", chance.uniform(0.5, 1.2))):
        for length in LENGTHS:
            for rate in RATES:
                where = f"{{input_tokens: {length}, output_tokens: 128, request_rate: {rate}}}"
                wait = factor * (40 + length * 0.03) * (1 + rate / 8) * chance.uniform(0.9, 1.1)
                for metric, stat, value, unit in (
                    ("ttft", "mean", wait, "ms"),
                    ("ttft", "p99", 3 * wait, "ms"),
                    ("tpot", "mean", 8 + rate * chance.uniform(0.6, 0.9), "ms"),
                    ("output_throughput", "value", 128 * rate * chance.uniform(0.8, 1), "tok/s"),
                ):
                    named = metric.replace("_", "-")
                    spread = f", n: 3, spread: {{std: {0.04 * value:.1f}}}" if stat == "mean" else ""
                    yield (
                        f"  - {{id: {arm}-{named}-{stat}-{length}-{rate}, metric: {metric}, stat: {stat}, arm: {arm}, "
                        f"definition: {tool}.{metric}, where: {where}, value: {value:.1f}, unit: {unit}{spread}}}"
                    )
        for stage in STAGES:
            yield (
                f"  - {{id: {arm}-{stage}, metric: queue_time, stage: {stage}, stat: mean, arm: {arm}, unit: ms, "
                f"where: {{input_tokens: 4096, request_rate: 4}}, value: {chance.uniform(2, 80):.1f}}}"
            )


def body(chance: random.Random, language: str, tail: list[str], number: int) -> str:
    """A Markdown text as people write them: headings, paragraphs with links and code, a list, a table, a footnote."""
    part = [
        f"## {heading}\n\n{prose(chance, language, 80, tail)}\n\n{prose(chance, language, 60, tail)}[^{n}]"
        for n, heading in enumerate(("What was done", "What was seen", "What it leaves open"))
    ]
    listed = "\n".join(f"- `{chance.choice(tail)}`: {prose(chance, language, 12, tail)}" for _ in range(5))
    rows = "\n".join(f"| {rate} | {chance.uniform(20, 900):.1f} | {chance.uniform(20, 900):.1f} |" for rate in RATES)
    notes = "\n".join(f"[^{n}]: {prose(chance, language, 10, tail)}" for n in range(3))
    code = "```\nvllm serve MODEL --kv-transfer-config '{}'\n```"
    link = f"[one before](measured-{max(0, number - 1):05}.md)"
    return (
        "\n\n".join([*part, listed, f"| rate | base | new |\n|---|---|---|\n{rows}", f"See {link}.", code, notes])
        + "\n"
    )
