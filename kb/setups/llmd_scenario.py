"""Scenarios of llm-d-benchmark: a list `scenario` of stacks with model, prefill and decode sections and commands."""

from __future__ import annotations

from kb.setups.containers import several_gpus, variables, words
from kb.setups.environment import read_environment
from kb.setups.gathering import Gathering
from kb.setups.helm_values import PARALLEL
from kb.setups.reading import Found, SideName
from kb.setups.servers import read_server
from kb.setups.shell import commands, filled, launched
from kb.setups.source import Source, Table, Text

NAME = "llm-d-scenario"


def recognises(source: Source) -> bool:
    return any(
        table.tables("scenario") and all("name" in each for each in table.tables("scenario")) for table in source.tables
    )


def read(source: Source) -> Found:
    into = Gathering(source)
    for table in source.tables:
        scenarios = table.tables("scenario")
        for extra in scenarios[1:]:
            into.skip(f"scenario {extra['name']}", extra.line("name"), "another stack; give it in a file of its own")
        for scenario in scenarios[:1]:
            _scenario(scenario, into)
    return into.found()


def _scenario(scenario: Table, into: Gathering) -> None:
    common = scenario.table("common")
    model = common.table("model") or scenario.table("model")
    kustomize = scenario.table("kustomize")
    if kustomize.get("enabled") == "true":
        into.skip(
            f"kustomize {kustomize.get('guideName')}",
            scenario.line("kustomize"),
            "the guide's own manifests are deployed, and the rest is ignored",
        )
        return
    _model(model, into)
    places = (scenario.table("modelservice"), scenario)
    sections = {name: next((p.table(name) for p in places if p.table(name)), Table()) for name in ("prefill", "decode")}
    active = {
        name: each
        for name, each in sections.items()
        if each and each.get("enabled") != "false" and each.get("replicas") != "0"
    }
    for name, section in active.items():
        side: SideName | None = None if len(active) == 1 else "prefill" if name == "prefill" else "decode"
        _section(name, section, side, model, into)
    if list(active) == ["decode"]:
        into.fact("topology", "aggregated", sections["decode"].line("replicas"), "decode pods only, prefill is off")
    _router(scenario, into)
    _harness(scenario.table("harness"), into)


def _model(model: Table, into: Gathering) -> None:
    if name := model.text("huggingfaceId") or model.text("name"):
        into.fact("model", name, name.line, "model.huggingfaceId")


MODEL = {
    "maxModelLen": "VLLM_MAX_MODEL_LEN",
    "blockSize": "VLLM_BLOCK_SIZE",
    "gpuMemoryUtilization": "VLLM_ACCELERATOR_MEM_UTIL",
}
"""Fields of `model` that llm-d-benchmark hands to the container as these variables."""


def _section(name: str, section: Table, side: SideName | None, model: Table, into: Gathering) -> None:
    part = into.part()
    env = variables(section.get("extraEnvVars"))
    known = {key: value for key, value, _ in env}
    handed = {variable: str(value) for key, variable in MODEL.items() if (value := model.text(key))}
    parallel = section.table("parallelism")
    _counts(name, section, part)
    read_environment(env, part)
    line = section.line("replicas")
    script = section.table("vllm").text("customCommand")
    if script:
        tensor = parallel.text("tensor")
        variables_of = known | handed | ({"TP_SIZE": str(tensor)} if tensor else {})
        line = _command(Text(filled(script, known), script.line), variables_of, part)
    else:
        part.fact("engine.component", "vllm", section.line("vllm"), "vllm")
        for word in words(section.table("vllm").get("additionalFlags")):
            part.skip(word, word.line, "an additional flag without the command it is added to")
    for key, value in parallel.items():
        if key in PARALLEL and isinstance(value, Text):
            part.agreed(f"side.{PARALLEL[key]}", value, parallel.line(key), f"{name}.parallelism.{key}")
    into.instance(name, line, part, side, side is not None, f"section {name}")


def _command(script: Text, known: dict[str, str], part: Gathering) -> int:
    for command in commands(script, known, script.line):
        kind, at = next(launched(command.words), ("vllm", 0))
        read_server(kind, command.words[at:], command.line, part)
        return command.line
    part.skip("customCommand", script.line, "no server that this reader knows")
    return script.line


def _counts(name: str, section: Table, part: Gathering) -> None:
    replicas = section.text("replicas")
    if replicas:
        part.fact("side.instances", replicas, replicas.line, f"{name}.replicas")
    parallel = section.table("parallelism")
    sizes = [parallel.text(key) for key in ("tensor", "data")]
    if replicas and all(each is None or each.isdigit() for each in sizes) and sizes[0]:
        product = int(sizes[0]) * int(sizes[1] or 1)
        if total := several_gpus(str(product), replicas):
            part.fact("side.gpus", total, parallel.line("tensor"), "tensor times data times replicas")


def _router(scenario: Table, into: Gathering) -> None:
    service = scenario.table("modelservice")
    if connector := service.table("routing").text("connector"):
        into.skip(
            f"routing.connector {connector}", connector.line, "the sidecar's protocol, not the engine's connector class"
        )
    if service.table("router"):
        into.fact("router.name", "llm-d router", service.line("router"), "modelservice.router")
        into.skip(
            "router.epp plugins",
            service.table("router").line("epp"),
            "scorers and their weights; a setup has no key for them",
        )


def _harness(harness: Table, into: Gathering) -> None:
    if name := harness.text("name"):
        into.fact("client.name", name, name.line, "harness.name")
    if profile := harness.text("experimentProfile"):
        into.skip(f"experimentProfile {profile}", profile.line, "another file; the load stands there")
