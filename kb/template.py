"""Commented templates: the few facts to fill in, the rest as comments, described in the models' own words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from kb.change import Change
from kb.component import Component
from kb.deployment import Deployment
from kb.docstrings import descriptions
from kb.evaluation import Evaluation
from kb.model import Model
from kb.translation import digest
from kb.vocabulary import UNKNOWN, Kind

MODELS: dict[Kind, type[Model]] = {
    Kind.EVALUATION: Evaluation,
    Kind.CHANGE: Change,
    Kind.COMPONENT: Component,
    Kind.DEPLOYMENT: Deployment,
}

COLUMN = 44
"""Where comments begin, as far as there is room."""

_SETUP_TAIL = """
  # same_node: off
  # stack: {component: dynamo, version: unknown}
  # router: {name: unknown, dispatch: unknown, decoder_chosen: unknown}
  # transport: {backend: unknown, version: unknown}
  # cache: {component: lmcache, version: unknown}
  # client: {name: vllm bench serve, version: unknown}
  # prefill: {instances: 1, gpus: 1, tp: 1}
  # decode: {instances: 1, gpus: 1, tp: 1}
  # both: {prefix_caching: off, block_size: 16, kv_layout: unknown, kv_memory: unknown}
  # options: {enforce_eager: "false"}
  # env: {UCX_TLS: all}
  # slo: {ttft: 1000, stat: p99}
""".strip("\n")

_EVALUATION = f"""
schema_version: 1
id: %ID%
title: TODO one line that tells this evaluation from its neighbours
# aliases: [an older name of it]
# tags: [words, to find it by]
kind: controlled # TODO
# question: push-vs-pull-handoff
date: unknown
# language: en
# owner: our team
source:
  relation: unknown
  # depth: full
  by: unknown
  url: unknown
  # title: title of the source
  # date: unknown
  # language: en
  # via: [the report through which it was read]
setup:
  model: unknown
  # precision: bf16
  hardware:
    gpu: unknown
    # nodes: 2
    # interconnect: EFA
  topology: unknown
  engine:
    # component: vllm
    version: unknown
    # commit: unknown
  transfer_library:
    # component: nixl
    version: unknown
{_SETUP_TAIL}
  workload:
    input_tokens: unknown
    output_tokens: unknown
    request_rate: unknown
    # concurrency: 8
    # dataset: random
    # num_prompts: 200
    # warmup: none
    # repeats: 3
    # cache_reset: on
# not_stated: [router.name, client.version]
arms:
  - id: baseline
    role: baseline
    # title: what people call it
    setup:
      connector:
        # component: vllm-nixl-pull
        # class_name: NixlConnector
        mode: unknown
    # requests: {{completed: 200, failed: 0}}
  - id: candidate
    role: candidate
    setup:
      connector:
        # component: vllm-nixl-push
        # class_name: NixlPushConnector
        mode: unknown
# points:
#   - {{id: baseline-ttft, metric: ttft, stat: p50, arm: baseline, where: {{request_rate: 4}}, value: 200, unit: ms}}
#   - {{id: candidate-ttft, metric: ttft, stat: p50, arm: candidate, where: {{request_rate: 4}}, value: 100, unit: ms}}
claims:
  - id: main
    kind: hypothesis
    says: TODO what you conclude, in one sentence; its kind is measured once points carry it
    # effect: {{form: ratio, metric: ttft, arm: candidate, against: baseline, points: [candidate-ttft, baseline-ttft]}}
    # phase: steady-state
    # conditions:
    #   - {{key: decode.prefix_caching, op: is, value: off, why: a hit shortens the transfer}}
    # rests_on: [destination-setup]
    # anchors: {{candidate: ["vllm-nixl-push:NixlPushConnectorWorker.start_load_kv"]}}
# stages:
#   - {{stage: hand-over, says: what happens there in each arm}}
# noise: {{stated: no}}
# limits: [what it does not show]
# decision: {{chose: what to do now, because: why on this evidence}}
# signals:
#   - {{id: replication, what: an independent replication, until: 2027-06-30}}
# relations:
#   - {{relation: related, to: aws-push-vs-pull-efa, because: the same question}}
# allow:
#   - {{check: only-one-latency, because: why the finding does not apply here}}
"""

_CHANGE = """
schema_version: 1
id: %ID%
title: TODO one line that tells this change from its neighbours
# aliases: [another name of it]
# tags: [words, to find it by]
component: %COMPONENT% # TODO
# also: [another component it changes]
kind: behaviour # TODO
status: proposed # TODO
# dates: {opened: 2026-10-01, merged: 2026-10-19}
url: unknown
# links: ["https://example.org/discussion"]
summary: TODO what behaves differently, in your own words
# ships:
#   - {distribution: vllm, artifact: sdist, versions: ">=0.30,<=0.33", ships: yes, marker: function, checked: [0.33.0]}
# guards:
#   - {key: connector.mode, op: is, value: push, why: only this mode reaches it}
# dimensions: [write-path]
# symbols: ["vllm-nixl-push:NixlPushConnectorWorker.start_load_kv"]
# phase: steady-state
# favours: unknown
# relations:
#   - {relation: related, to: another-change}
# said_effect: what its author says it brings, in your own words
# allow:
#   - {check: name-of-a-check, because: why the finding does not apply here}
"""

_COMPONENT = """
schema_version: 1
id: %ID%
title: TODO its name and what it is, in one line
# aliases: [MyConnector]
# tags: [words, to find it by]
kind: connector # TODO
summary: TODO what it is, in a sentence
# ships_in: vllm
# also_ships_in: [another distribution that carries the same code]
# repository: https://example.org/source
# classes:
#   - {name: MyConnector, mode: push, versions: "*"}
# paths:
#   - {glob: "my_package/connector/**", versions: "*"}
# releases:
#   - {version: "1.0.0", date: 2026-10-01}
# builds:
#   - {commit: 0123456789abcdef, after: "1.0.0", before: "1.1.0", read_in: how it is known where the commit lies}
# facts:
#   - {versions: ">=1.0.0", requires: {nixl: ">=1.2"}, options: {num_threads: "4"}, read_in: file it was read in}
# allow:
#   - {check: name-of-a-check, because: why the finding does not apply here}
"""

_DEPLOYMENT = f"""
schema_version: 1
id: %ID%
title: TODO what runs where, in one line
# aliases: [what people call it]
# tags: [words, to find it by]
summary: TODO what it serves, in a sentence
# owner: our team
setup:
  model: unknown
  # precision: bf16
  hardware:
    gpu: unknown
    # interconnect: EFA
  topology: unknown
  engine:
    # component: vllm
    version: unknown
  connector:
    # component: vllm-nixl-push
    mode: unknown
  transfer_library:
    # component: nixl
    version: unknown
{_SETUP_TAIL}
  workload:
    input_tokens: unknown
    output_tokens: unknown
    request_rate: unknown
# allow:
#   - {{check: name-of-a-check, because: why the finding does not apply here}}
"""

SKELETONS = {
    Kind.EVALUATION: _EVALUATION,
    Kind.CHANGE: _CHANGE,
    Kind.COMPONENT: _COMPONENT,
    Kind.DEPLOYMENT: _DEPLOYMENT,
}

BODIES = {
    Kind.EVALUATION: "What it shows, what it does not show, and how to read it.\n",
    Kind.CHANGE: "What a reader needs beyond the fields.\n",
}

_LINE = re.compile(r"^(?P<indent> *)(?P<off># ?)?(?P<deeper> *)(?P<item>- )?(?P<key>\w+):(?P<value>.*)$")


def template(kind: Kind, id_: str, component: str = "") -> str:
    """The template of a record as its file begins."""
    filled = SKELETONS[kind].strip("\n").replace("%ID%", id_).replace("%COMPONENT%", component or UNKNOWN)
    lines = "\n".join(_described(filled, MODELS[kind])) + "\n"
    if kind not in BODIES:
        return lines
    return f"---\n{lines}---\n{BODIES[kind]}"


def translation(original: Evaluation, language: str) -> str:
    """The file of a translation with what is to be translated, each sentence behind its mark."""
    lines = [
        "schema_version: 1",
        f"translates: {original.id}",
        f"language: {language}",
        _todo("title: ", original.title),
    ]
    lines += [f"of: {digest(original)}  # the state of the original that this translates"]
    lines += ["claims:"] if original.claims else []
    for claim in original.claims:
        lines += [f"  - id: {claim.id}", _todo("    says: ", claim.says)]
    lines += ["limits:"] if original.limits else []
    lines += [_todo("  - ", limit) for limit in original.limits]
    return "---\n" + "\n".join(lines) + "\n---\n"


def _todo(before: str, text: str) -> str:
    return before + json.dumps(f"TODO {text}", ensure_ascii=False)


def uncommented(text: str) -> str:
    """A template with every commented field switched on."""
    return re.sub(r"(?m)^( *)# ", r"\1", text)


def _described(skeleton: str, model: type[BaseModel]) -> Iterator[str]:
    """Lines with the description of their field behind them."""
    above: list[tuple[int, type[BaseModel] | None]] = [(-1, model)]
    told: set[tuple[type[BaseModel], str]] = set()
    for line in skeleton.split("\n"):
        match = _LINE.match(line)
        if match is None:
            yield line
            continue
        depth = len(match["indent"]) + len(match["deeper"]) + len(match["item"] or "")
        while above[-1][0] >= depth:
            above.pop()
        here = above[-1][1]
        field = here.model_fields[match["key"]] if here is not None else None
        above.append((depth, inner(field.annotation) if field else None))
        if field is None or here is None or (here, match["key"]) in told:
            yield line
            continue
        told.add((here, match["key"]))
        yield _with_comment(line, _sentence(field, descriptions(here).get(match["key"], "")))


def _with_comment(line: str, sentence: str) -> str:
    """`# TODO` at the end marks a value that somebody has to choose; lint asks about it until the mark goes."""
    value, mark, _ = line.partition(" # TODO")
    if "TODO" in value:
        return line
    return f"{value.ljust(COLUMN)}  # {'TODO ' if mark else ''}{sentence}"


def _sentence(field: FieldInfo, description: str) -> str:
    """The first sentence of a field's description; members of a closed list that it does not name follow it."""
    first = re.split(r"(?<!e\.g)(?<!\.\.)\.(?:\s|$)", " ".join(description.split()))[0]
    members = [str(each) for each in _members(field.annotation)]
    return first if not members or members[0] in first else f"{first}: {', '.join(members)}"


def _members(annotation: Any) -> list[StrEnum]:
    for option in (annotation, *get_args(annotation)):
        if isinstance(option, type) and issubclass(option, StrEnum):
            return list(option)
    return []


def inner(annotation: Any) -> type[BaseModel] | None:
    """The model inside an annotation, if there is one."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for option in get_args(annotation) if (found := inner(option)) is not None), None)
