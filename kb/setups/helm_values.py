"""Helm values: vLLM's production stack (`servingEngineSpec`), llm-d's modelservice (`modelArtifacts`, `decode`,
`prefill`), and values of any chart that hold an image with arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kb.setups.arguments import of_words
from kb.setups.containers import gpus, read_container, several_gpus, variables, words
from kb.setups.environment import read_environment
from kb.setups.gathering import Gathering, side_in_name
from kb.setups.images import read_image
from kb.setups.reading import Found, SideName
from kb.setups.shell import LAUNCH
from kb.setups.source import Source, Table, Text
from kb.setups.vllm_options import SWITCHES, read_vllm

NAME = "helm-values"


def recognises(source: Source) -> bool:
    return any(_values(table) for table in source.tables)


def _values(table: Table) -> bool:
    if "servingEngineSpec" in table or ("modelArtifacts" in table and {"decode", "prefill"} & table.keys()):
        return True
    return not _OTHERS & table.keys() and any(True for _ in _containers(table, ""))


_OTHERS = frozenset({"apiVersion", "kind", "scenario", "services", "deploy_type", "backend", "setup", "arms", "type"})
"""Keys at the top of other kinds of text."""


def _containers(table: Table, path: str, depth: int = 0) -> Iterator[tuple[str, Table]]:
    """Tables that hold an image and arguments."""
    if depth > 6:
        return
    if isinstance(table.get("image"), Table | Text) and ({"args", "command", "extraArgs"} & table.keys()):
        yield path or "values", table
        return
    for key, value in table.items():
        if isinstance(value, Table):
            yield from _containers(value, f"{path}.{key}".strip("."), depth + 1)
        elif isinstance(value, list):
            for each in value:
                if isinstance(each, Table):
                    yield from _containers(each, f"{path}.{key}".strip("."), depth + 1)


def read(source: Source) -> Found:
    into = Gathering(source)
    for table in source.tables:
        if "servingEngineSpec" in table:
            _production_stack(table, into)
        elif "modelArtifacts" in table:
            _modelservice(table, into)
        else:
            for path, container in _containers(table, ""):
                side = side_in_name(path)
                read_container(
                    container,
                    into,
                    path,
                    extra=words(container.get("extraArgs")),
                    side=(side, False, f"the name {path}" if side else ""),
                )
    return into.found()


def _production_stack(table: Table, into: Gathering) -> None:
    """`servingEngineSpec.modelSpec`: https://github.com/vllm-project/production-stack, helm/values.yaml."""
    for spec in table.table("servingEngineSpec").tables("modelSpec"):
        name = str(spec.get("name") or "model")
        part = into.part()
        line = spec.line("name")
        repository, tag = spec.text("repository"), spec.text("tag")
        if repository:
            read_image(f"{repository}:{tag}" if tag else str(repository), repository.line, part)
        if model := spec.text("modelURL"):
            part.fact("model", model, model.line, "modelURL")
        _spec_counts(spec, part)
        config = spec.table("vllmConfig")
        arguments = [(key, value) for key, value in config.items() if key != "extraArgs"]
        for key, value in arguments:
            _vllm_config(key, value, config.line(key), part)
        options, _ = of_words(words(config.get("extraArgs")), SWITCHES)
        read_vllm(options, None, line, part)
        if spec.table("lmcacheConfig").get("enabled") == "true":
            part.fact("cache.component", "lmcache", spec.line("lmcacheConfig"), "lmcacheConfig.enabled")
            _lmcache(spec.table("lmcacheConfig"), part)
        read_environment(variables(spec.get("env")), part)
        side = side_in_name(name)
        into.instance(name, line, part, side, False, f"the name {name}" if side else "")
    router = table.table("routerSpec")
    if logic := router.text("routingLogic"):
        into.fact("router.policy", logic, logic.line, "routerSpec.routingLogic")


def _spec_counts(spec: Table, part: Gathering) -> None:
    replicas, each = spec.text("replicaCount"), spec.text("requestGPU")
    if replicas:
        part.fact("side.instances", replicas, replicas.line, "replicaCount")
    if each and (total := several_gpus(each, replicas)):
        part.fact("side.gpus", total, each.line, "requestGPU times replicaCount")


CONFIG = {
    "tensorParallelSize": "side.tp",
    "pipelineParallelSize": "side.pp",
    "dtype": "side.dtype",
    "maxNumSeqs": "side.max_num_seqs",
    "enablePrefixCaching": "side.prefix_caching",
    "enableChunkedPrefill": "side.chunked_prefill",
}
OPTIONS = {"maxModelLen": "max_model_len", "gpuMemoryUtilization": "gpu_memory_utilization"}


def _vllm_config(key: str, value: object, line: int, part: Gathering) -> None:
    if not isinstance(value, Text):
        return
    if key in CONFIG:
        part.fact(CONFIG[key], value, line, f"vllmConfig.{key}")
    else:
        part.option(OPTIONS.get(key, key), value, line, f"vllmConfig.{key}")


def _lmcache(config: Table, part: Gathering) -> None:
    if (size := config.text("cpuOffloadingBufferSize")) and size not in {"0", ""}:
        part.fact("side.offload", "cpu", size.line, "lmcacheConfig.cpuOffloadingBufferSize")
    for key, value in config.items():
        if key != "enabled" and isinstance(value, Text):
            part.skip(
                f"lmcacheConfig.{key} {value}",
                config.line(key),
                "a value of the chart; how LMCache is told is not said",
            )


def _modelservice(table: Table, into: Gathering) -> None:
    """llm-d's modelservice chart: sections `decode` and `prefill` are the sides."""
    artifacts = table.table("modelArtifacts")
    model = artifacts.text("name")
    router = table.table("routing")
    if router.table("proxy").text("connector") or router.text("connector"):
        value = router.table("proxy").text("connector") or router.text("connector")
        assert value is not None
        into.skip(f"routing connector {value}", value.line, "the sidecar's protocol, not the engine's connector class")
    for name in ("prefill", "decode"):
        section = table.table(name)
        if not section or section.get("create") == "false" or section.get("enabled") == "false":
            continue
        _section(section, name, model, into)


def _section(section: Table, name: SideName | str, model: Text | None, into: Gathering) -> None:
    replicas = section.text("replicas")
    for container in section.tables("containers"):
        part = into.part()
        if model:
            part.fact("model", model, model.line, "modelArtifacts.name")
        if replicas:
            part.fact("side.instances", replicas, replicas.line, f"{name}.replicas")
        if (found := gpus(container)) and (total := several_gpus(found[0], replicas)):
            part.fact("side.gpus", total, found[1], "GPUs asked for, times replicas")
        side = (name, True, f"the chart's section {name}")
        copy = _served(container)
        if not read_container(copy, into, str(name), part=part, side=side):  # type: ignore[arg-type]
            into.skip(
                f"container {container.get('name', '')}",
                container.line("name"),
                "starts no server that this reader knows",
            )
            continue
        own = into.part()
        own.facts = list(into.instances[-1].facts)
        _parallelism(section.table("parallelism"), own)
        into.instances[-1] = replace(into.instances[-1], facts=tuple(own.facts))


def _served(container: Table) -> Table:
    """`modelCommand: vllmServe` lets the chart write the command."""
    if container.get("modelCommand") in {"vllmServe", "imageDefault"} and not any(
        LAUNCH.search(word) for word in words(container.get("args"))
    ):
        copy = Table()
        copy.update(container)
        copy.lines = dict(container.lines)
        line = container.line("modelCommand")
        copy["command"] = [Text("vllm", line), Text("serve", line)]
        return copy
    return container


PARALLEL = {"tensor": "tp", "data": "dp", "pipeline": "pp", "expert": "ep"}


def _parallelism(table: Table, part: Gathering) -> None:
    for key, value in table.items():
        if key in PARALLEL and isinstance(value, Text):
            part.agreed(f"side.{PARALLEL[key]}", value, table.line(key), f"parallelism.{key}")
